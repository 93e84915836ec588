/** Cases drawn from public bug reports about versions, faults and streams: given, when, then. */
import { fault, type MockServer, startMockServer, VirtualClock } from '../../mockserver/index.js';
import { closeIdleConnections, type Answer, type Place, send } from '../behaviour/connection.js';
import { EventStream } from '../behaviour/event-stream.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
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

test.each([
  ['watch=1&sendInitialEvents=true', 'resourceVersionMatch'],
  ['watch=1&sendInitialEvents=true&resourceVersionMatch=Exact', 'resourceVersionMatch'],
  ['watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=5', 'resourceVersionMatch'],
  ['sendInitialEvents=true', 'sendInitialEvents'],
  ['resourceVersionMatch=Exact', 'resourceVersionMatch'],
  ['resourceVersionMatch=Exact&resourceVersion=0', 'resourceVersionMatch'],
])('04: %s is answered 422 and names %s', async (query, field) => {
  const { doc } = await send(place, 'GET', `${MAPS}?${query}`);
  expect(doc).toMatchObject({ code: 422, details: { group: 'meta.k8s.io', kind: 'ListOptions' } });
  expect(JSON.stringify(doc)).toContain(`"field":"${field}"`);
});

describe('05: a watch-list that ends before its marker', () => {
  beforeEach(async () => {
    for (let i = 0; i < 50; i++) await create(`m-${i}`);
  });

  test('ends in good order, is reset, or fails; without the rule all is sent', async () => {
    const at = { verb: 'watch', resource: 'configmaps', event: { number: 21 } } as const;
    const clean = server.faults.add(fault.endAfterInitialEvents({ resource: 'configmaps' }, 20));
    expect(await (await EventStream.open(place, WATCH_LIST)).rest()).toHaveLength(20);
    clean.remove();
    const reset = server.faults.add({ match: at, effect: { kind: 'reset' } });
    const broken = await EventStream.open(place, WATCH_LIST);
    await broken.take(20);
    await expect(broken.rest()).rejects.toThrow();
    reset.remove();
    const error = server.faults.add({ match: at, effect: { kind: 'error', code: 410 } });
    const failed = await (await EventStream.open(place, WATCH_LIST)).rest();
    expect(failed.at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410 } });
    error.remove();
    const whole = await EventStream.open(place, WATCH_LIST);
    expect((await whole.take(51)).at(-1)?.type).toBe('BOOKMARK');
    whole.close();
  });
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

test('07: a write is stored once though its answer never comes', async () => {
  const made = (await post(LEASES, { metadata: { name: 'lead' }, spec: { holderIdentity: 'A' } })).doc;
  const { resourceVersion } = made.metadata;
  const body = { metadata: { name: 'lead', resourceVersion }, spec: { holderIdentity: 'B' } };
  server.faults.add({ ...fault.loseAnswer({ verb: 'update', resource: 'leases' }), times: 1 });
  await expect(put(`${LEASES}/lead`, body)).rejects.toThrow();
  expect((await put(`${LEASES}/lead`, body)).status).toBe(409);
  const read = (await send(place, 'GET', `${LEASES}/lead`)).doc.metadata.resourceVersion;
  expect(Number(read)).toBe(Number(resourceVersion) + 1);
  const again = { ...body, metadata: { name: 'lead', resourceVersion: read }, spec: { holderIdentity: 'C' } };
  expect((await put(`${LEASES}/lead`, again)).status).toBe(200);
  const written = server.journal.all.where({ verb: 'update', kind: 'response' }).entries;
  expect(written.map((one) => ('committed' in one ? one.committed : false))).toEqual([true, false, true]);
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

test('09: a plain watch from a version of the future is silent until the store has come there', async () => {
  const now = Number(await create('a'));
  const watch = await EventStream.open(place, `${MAPS}?watch=1&resourceVersion=${now + 2}`);
  for (const name of ['b', 'c', 'd']) await create(name);
  expect((await watch.next()).object.metadata.name).toBe('d');
  watch.close();
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

test('24: a client that is stalled gets every event once on the same connection', async () => {
  const from = await create('start');
  using stall = server.faults.add(fault.stall({ resource: 'configmaps' }));
  const watch = await EventStream.open(place, `${MAPS}?watch=1&resourceVersion=${from}`);
  const written: string[] = [];
  for (let i = 0; i < 120; i++) written.push(await create(`w-${i}`));
  stall.remove();
  expect((await watch.take(120)).map(({ object }) => object.metadata.resourceVersion)).toEqual(written);
  watch.close();
});

test.each([
  { name: 'one byte a chunk', rule: fault.splitFrames({ resource: 'configmaps' }) },
  {
    name: 'inside characters',
    rule: fault.rule({ resource: 'configmaps' }, { kind: 'split', at: 'characters' }),
  },
  { name: 'inside escapes', rule: fault.rule({ resource: 'configmaps' }, { kind: 'split', at: 'escapes' }) },
])('25: frames cut $name are the same events', async ({ rule }) => {
  const data = { text: 'žluťoučký 🐎\n"quoted"' };
  await post(MAPS, { metadata: { name: 'horse' }, data });
  server.faults.add(rule);
  const watch = await EventStream.open(place, WATCH_LIST);
  expect((await watch.next()).object.data).toEqual(data);
  watch.close();
});
