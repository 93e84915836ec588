/** Events go by themselves, an hour after they were last written, on the clock of their cluster. */
import { type MockCluster, startMockServer, type MockServer } from '../../mockserver/index.js';

const HOUR = 3_600_000;
let server: MockServer;
let cluster: MockCluster;

beforeAll(async () => {
  server = await startMockServer();
});
afterAll(() => server.stop());
beforeEach(() => {
  cluster = server.createCluster({ frozenAt: '2026-01-01T00:00:00Z' });
});
afterEach(() => cluster.delete());

const CORE = '/api/v1/namespaces/default/events';
const NEWER = '/apis/events.k8s.io/v1/namespaces/default/events';

async function send(method: string, path: string, body?: object, of = cluster): Promise<EventDocument> {
  const answer = await fetch(`${of.url}${path}`, {
    method,
    headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as EventDocument;
}

interface EventDocument {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly items: readonly EventDocument[];
}

const create = (name: string): Promise<EventDocument> =>
  send('POST', CORE, {
    metadata: { name },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    reason: 'Tested',
  });

const names = async (path = CORE, of = cluster): Promise<string[]> =>
  (await send('GET', path, undefined, of)).items.map(({ metadata }) => metadata.name);

/** The events of a watch up to its end. */
async function watched(path: string): Promise<() => Promise<[string, string][]>> {
  const answer = await fetch(`${cluster.url}${path}`);
  return async () =>
    (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; object: EventDocument & { apiVersion: string } })
      .map(({ type, object }) => [type, `${object.apiVersion} ${object.metadata.resourceVersion}`]);
}

test('an Event is there for an hour, then gone in both groups', async () => {
  await create('e');
  await cluster.clock.advance(HOUR - 1);
  expect(await names()).toEqual(['e']);
  await cluster.clock.advance(1);
  expect(await names()).toEqual([]);
  expect(await names(NEWER)).toEqual([]);
});

test('its end is a DELETED event of a new revision, in both groups', async () => {
  const made = await create('e');
  const from = `?watch=1&resourceVersion=${made.metadata.resourceVersion}&timeoutSeconds=3601`;
  const ends = [await watched(`${CORE}${from}`), await watched(`${NEWER}${from}`)];
  await cluster.clock.advance(HOUR + 1000);
  const gone = String(Number(made.metadata.resourceVersion) + 1);
  expect(await Promise.all(ends.map((end) => end()))).toEqual([
    [['DELETED', `v1 ${gone}`]],
    [['DELETED', `events.k8s.io/v1 ${gone}`]],
  ]);
});

test('every write starts the hour anew, one that changes nothing does not', async () => {
  await create('written');
  await create('same');
  await cluster.clock.advance(HOUR / 2);
  await send('PATCH', `${CORE}/written`, { count: 2 });
  await send('PATCH', `${CORE}/same`, { reason: 'Tested' });
  await cluster.clock.advance(HOUR / 2);
  expect(await names()).toEqual(['written']);
  await cluster.clock.advance(HOUR / 2);
  expect(await names()).toEqual([]);
});

test('more than a turn has room for go at the same time', async () => {
  for (let i = 0; i < 250; i++) await create(`e-${i}`);
  await cluster.clock.advance(HOUR);
  expect(await names()).toEqual([]);
});

test('a clock that runs until nothing is left to do leaves Events alone', async () => {
  await create('e');
  await cluster.clock.runToIdle({ withinMs: 2 * HOUR });
  expect(await names()).toEqual(['e']);
});

test('in a fork, and after a restore, Events have a whole hour', async () => {
  await create('e');
  await cluster.clock.advance(HOUR / 2);
  const snapshot = cluster.snapshot();
  const fork = cluster.fork({ frozenAt: '2026-06-01T00:00:00Z' });
  await cluster.clock.advance(HOUR / 2);
  expect(await names()).toEqual([]);
  cluster.restore(snapshot);
  for (const one of [cluster, fork]) {
    await one.clock.advance(HOUR - 1);
    expect(await names(CORE, one)).toEqual(['e']);
    await one.clock.advance(1);
    expect(await names(CORE, one)).toEqual([]);
  }
  fork.delete();
});

test('after a reset the hour counts from the time that the clock goes back to', async () => {
  await create('before');
  await cluster.clock.advance(HOUR / 2);
  cluster.reset();
  await create('after');
  await cluster.clock.advance(HOUR - 1);
  expect(await names()).toEqual(['after']);
  await cluster.clock.advance(1);
  expect(await names()).toEqual([]);
});

test.each([
  [60_000, 60_000, []],
  [0, 10 * HOUR, ['e']],
])('eventTtlMs %p is kept', async (eventTtlMs, passes, left) => {
  const other = server.createCluster({ frozenAt: 0, cluster: { eventTtlMs } });
  const before = cluster;
  cluster = other;
  await create('e');
  await other.clock.advance(passes);
  expect(await names()).toEqual(left);
  cluster = before;
  other.delete();
});
