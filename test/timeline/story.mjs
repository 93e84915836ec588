/** A journal in which much happens, on a clock of its own: what the page of it must show is known. */
import { once } from 'node:events';
import http from 'node:http';
import { fault, startMockServer, VirtualClock } from '../../dist/mockserver/index.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const WATCH_LIST =
  'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

/** Shape: the page as HTML. Errors: those of a server that does not do what is asked. */
export async function storyPage() {
  const clock = new VirtualClock();
  const server = await startMockServer({ clock });
  try {
    await play(server, clock);
    return server.journal.all.timeline('A story <of> clients & faults');
  } finally {
    await server.stop();
  }
}

async function play(server, clock) {
  const { faults, journal, control } = server;
  const as =
    (userAgent) =>
    (path, method = 'GET', body = undefined) =>
      asked(server.url + path, { method, userAgent, body });
  const writer = as('writer/1');
  const operator = as('my-operator/v1.2 (linux/amd64)');
  const kubectl = as('kubectl/v1.36.3');
  const looping = as('hot-loop/0.1');
  const create = async (name) => {
    clock.advance(40);
    await whole(await writer(MAPS, 'POST', { metadata: { name } }));
  };
  const read = async (answer) => JSON.parse(await whole(await answer));

  for (const name of ['a', 'b', 'c']) await create(name);
  faults.add({
    ...fault.refuseWatchList({ userAgent: 'my-operator*' }),
    name: 'watch-list-refused',
    times: 1,
  });
  await whole(await operator(`${MAPS}?${WATCH_LIST}`));
  clock.advance(100);
  const list = await read(operator(`${MAPS}?resourceVersion=0&limit=500`));
  const watch = await operator(`${MAPS}?watch=1&resourceVersion=${list.metadata.resourceVersion}`);
  await create('d');
  await journal.first('d', (entry) => entry.kind === 'event' && entry.name === 'd');
  control.stall({ userAgent: 'my-operator*' });

  const first = await read(kubectl(`${MAPS}?limit=2`));
  clock.advance(300);
  await read(kubectl(`${MAPS}?limit=2&continue=${first.metadata.continue}`));
  const marked = await kubectl(`${MAPS}?${WATCH_LIST}`);
  await journal.first('the marker', (entry) => entry.kind === 'event' && entry.type === 'MARKER');

  for (let i = 0; i < 130; i++) await create(`many-${i}`);
  control.resume();
  clock.advance(100);
  control.stall({ userAgent: 'my-operator*' });
  for (let i = 0; i < 20; i++) await create(`more-${i}`);
  control.compact();
  control.resume();
  control.endWatches({ userAgent: 'my-operator*' });
  await whole(watch);
  clock.advance(900);
  await read(operator(MAPS));
  marked.destroy();
  await journal.first('its end', (entry) => entry.kind === 'end' && entry.by === 'client');

  faults.add({ ...fault.endWatch({ userAgent: 'hot-loop*' }), name: 'ends at once' });
  for (let i = 0; i < 14; i++) {
    await whole(await looping(`${MAPS}?watch=1&resourceVersion=1`));
    clock.advance(10);
  }
  faults.add({ ...fault.reset({ verb: 'update' }), name: 'broken', times: 1 });
  await writer(`${MAPS}/a`, 'PUT', { metadata: { name: 'a' } }).catch(() => undefined);
  clock.advance(1500);
}

async function asked(url, { method, userAgent, body }) {
  const request = http.request(url, {
    method,
    headers: { 'User-Agent': userAgent, 'Content-Type': 'application/json' },
  });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = await once(request, 'response');
  return response;
}

async function whole(response) {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}
