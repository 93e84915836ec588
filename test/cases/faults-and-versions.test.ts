/** Cases drawn from public bug reports about versions, faults and streams: given, when, then. */
import { fault, type MockServer, startMockServer, VirtualClock } from '../../mockserver/index.js';
import { closeIdleConnections, type Answer, type Place, send } from '../behaviour/connection.js';
import { EventStream } from '../behaviour/event-stream.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const WATCH_LIST = `${MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;

let clock: VirtualClock;
let server: MockServer;
let place: Place;
beforeEach(async () => {
  clock = new VirtualClock();
  server = await startMockServer({ clock });
  place = { url: server.url, token: '' };
});
afterEach(async () => {
  closeIdleConnections();
  await server.stop();
});

const post = (path: string, body: object): Promise<Answer> => send(place, 'POST', path, { body });
const put = (path: string, body: object): Promise<Answer> => send(place, 'PUT', path, { body });
const create = async (name: string): Promise<string> =>
  (await post(MAPS, { metadata: { name } })).doc.metadata.resourceVersion;

test('01: resource versions move forward, and stale writes are refused', async () => {
  const made = (await post(MAPS, { metadata: { name: 'a', uid: 'mine' }, data: { k: '1' } })).doc.metadata;
  expect(made.uid).not.toBe('mine');
  const secret = await post('/api/v1/namespaces/kube-system/secrets', { metadata: { name: 's' } });
  expect(Number(secret.doc.metadata.resourceVersion)).toBeGreaterThan(Number(made.resourceVersion));
  const body = (k: string) => ({
    metadata: { name: 'a', resourceVersion: made.resourceVersion },
    data: { k },
  });
  expect((await put(`${MAPS}/a`, body('2'))).status).toBe(200);
  expect((await put(`${MAPS}/a`, body('3'))).doc).toMatchObject({
    code: 409,
    reason: 'Conflict',
    details: { name: 'a', kind: 'configmaps' },
  });
  expect((await put(`${MAPS}/a`, { metadata: { name: 'a' }, data: { k: '4' } })).status).toBe(200);
  expect((await put(`${MAPS}/a`, { metadata: { name: 'a', uid: 'other' } })).status).toBe(409);
});

test('03: a watch-list sends ADDED events, then one annotated bookmark', async () => {
  await create('a');
  await create('b');
  await post('/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
  const now = server.control.revision;
  const watch = await EventStream.open(place, WATCH_LIST);
  const events = await watch.take(3);
  expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'BOOKMARK']);
  const marker = events[2]?.object.metadata;
  expect(marker?.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
  expect(Number(marker?.resourceVersion)).toBeGreaterThanOrEqual(now);
  watch.close();
});

test('06: a watch from a version that is gone is answered 200 and one ERROR event', async () => {
  const first = Number(await create('a'));
  await create('b');
  const floor = server.control.compact();
  const events = await (await EventStream.open(place, `${MAPS}?watch=1&resourceVersion=${first}`)).rest();
  expect(events).toMatchObject([
    {
      type: 'ERROR',
      object: { code: 410, reason: 'Expired', message: `too old resource version: ${first} (${floor})` },
    },
  ]);
  const exact = await send(place, 'GET', `${MAPS}?resourceVersion=${first}&resourceVersionMatch=Exact`);
  expect(exact.status).toBe(410);
  const gone = server.faults.add(fault.status({ verb: 'watch' }, { code: 410, reason: 'Gone' }));
  expect((await send(place, 'GET', `${MAPS}?watch=1`)).doc).toMatchObject({ code: 410, reason: 'Gone' });
  gone.remove();
  const good = await EventStream.open(place, `${MAPS}?watch=1&resourceVersion=${floor}`);
  await create('c');
  expect((await good.next()).type).toBe('ADDED');
  good.close();
});

test('08: a watch of events from a version that is gone ends without a frame where that is switched on', async () => {
  await create('a');
  await create('b');
  server.control.compact();
  const path = '/api/v1/events?watch=1&resourceVersion=1';
  const told = await (await EventStream.open(place, path)).rest();
  expect(told).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
  server.faults.add(fault.closeSilently({ resource: 'events' }));
  const silent = await EventStream.open(place, path);
  expect([silent.status, await silent.rest()]).toEqual([200, []]);
  const maps = await (await EventStream.open(place, `${MAPS}?watch=1&resourceVersion=1`)).rest();
  expect(maps).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
});

test('11: a continue token whose state is gone is answered 410 with a token for the rest', async () => {
  for (const name of ['a', 'b', 'c', 'd']) await create(name);
  const first = (await send(place, 'GET', `${MAPS}?limit=2`)).doc;
  await create('ca');
  server.control.compact();
  const expired = (await send(place, 'GET', `${MAPS}?limit=2&continue=${first.metadata.continue}`)).doc;
  expect(expired).toMatchObject({ code: 410, reason: 'Expired' });
  const rest = (await send(place, 'GET', `${MAPS}?continue=${expired.metadata.continue}`)).doc;
  expect(rest.items.map(({ metadata }) => metadata.name)).toContain('ca');
});

test('12: an object that leaves a selector is seen deleted, with its old content and the new version', async () => {
  const made = await post(MAPS, { metadata: { name: 'x', labels: { app: 'web' } } });
  const from = made.doc.metadata.resourceVersion;
  const web = await EventStream.open(
    place,
    `${MAPS}?watch=1&labelSelector=app%3Dweb&resourceVersion=${from}`,
  );
  const db = await EventStream.open(place, `${MAPS}?watch=1&labelSelector=app%3Ddb&resourceVersion=${from}`);
  const moved = await put(`${MAPS}/x`, { metadata: { name: 'x', labels: { app: 'db' } } });
  const { resourceVersion } = moved.doc.metadata;
  expect(await web.next()).toMatchObject({
    type: 'DELETED',
    object: { metadata: { labels: { app: 'web' }, resourceVersion } },
  });
  expect(await db.next()).toMatchObject({ type: 'ADDED', object: { metadata: { resourceVersion } } });
  web.close();
  db.close();
});
