/** Going back and branching off: snapshots, forks and resets of a cluster, and what open watches see of them. */
import { type MockCluster, type MockServer, startMockServer } from '../../mockserver/index.js';
import { closeIdleConnections, send } from './connection.js';
import { type Doc, names } from './documents.js';
import { EventStream } from './event-stream.js';
import { definitionObject } from './target.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WIDGET = definitionObject({ group: 'example.com', plural: 'widgets', kind: 'Widget' });

const WIDGET_TYPE = { apiVersion: 'example.com/v1', kind: 'Widget' };

let server: MockServer;
let cluster: MockCluster;
beforeAll(async () => {
  server = await startMockServer();
});
afterAll(async () => {
  closeIdleConnections();
  await server.stop();
});
beforeEach(() => {
  cluster = server.createCluster();
});
afterEach(() => cluster.delete());

const at = ({ url }: MockCluster) => ({ url, token: '' });
const create = async (one: MockCluster, name: string, path = MAPS): Promise<Doc> =>
  (
    await send(at(one), 'POST', path, {
      body: { ...(path === WIDGETS ? WIDGET_TYPE : {}), metadata: { name } },
    })
  ).doc;
const list = async (one: MockCluster, path = MAPS): Promise<Doc> => (await send(at(one), 'GET', path)).doc;

const mock = async (place: { readonly url: string }, path: string, body: object = {}) => {
  const { text } = await send({ url: place.url, token: '' }, 'POST', `/_mock/${path}`, { body });
  return JSON.parse(text) as Readonly<Record<string, string>>;
};

test('a cluster that goes back shows what it showed, at the revision of then, and takes the same revisions again', async () => {
  await create(cluster, 'a');
  const before = await list(cluster);
  const snapshot = cluster.snapshot();
  const b = await create(cluster, 'b');
  await send(at(cluster), 'DELETE', `${MAPS}/a`);
  cluster.restore(snapshot);
  expect(await list(cluster)).toEqual(before);
  expect((await create(cluster, 'c')).metadata.resourceVersion).toBe(b.metadata.resourceVersion);
});

test('resources that definitions brought go with them and come back with them', async () => {
  const empty = cluster.snapshot();
  await send(at(cluster), 'POST', DEFINITIONS, { body: WIDGET });
  await create(cluster, 'w', WIDGETS);
  const defined = cluster.snapshot();
  cluster.restore(empty);
  expect((await send(at(cluster), 'GET', WIDGETS)).status).toBe(404);
  cluster.restore(defined);
  expect(names(await list(cluster, WIDGETS))).toEqual(['w']);
  await create(cluster, 'x', WIDGETS);
  expect(names(await list(cluster, WIDGETS))).toEqual(['w', 'x']);
});

test('a fork begins with the objects of the other and then goes its own way', async () => {
  await send(at(cluster), 'POST', DEFINITIONS, { body: WIDGET });
  await create(cluster, 'w', WIDGETS);
  const fork = cluster.fork();
  await create(fork, 'x', WIDGETS);
  await create(cluster, 'y', WIDGETS);
  expect(names(await list(fork, WIDGETS))).toEqual(['w', 'x']);
  expect(names(await list(cluster, WIDGETS))).toEqual(['w', 'y']);
  fork.delete();
});

test('a watch of a fork from the version of a list of the other misses nothing', async () => {
  await create(cluster, 'a');
  const { metadata } = await list(cluster);
  const fork = cluster.fork();
  const b = await create(fork, 'b');
  const watch = await EventStream.open(
    at(fork),
    `${MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`,
  );
  expect((await watch.next()).object).toEqual(b);
  watch.close();
  fork.delete();
});

describe('what open watches see when their cluster goes back', () => {
  const opened = async (): Promise<EventStream> => {
    await create(cluster, 'a');
    const { metadata } = await list(cluster);
    return EventStream.open(at(cluster), `${MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`);
  };

  test('is their end, unless something else is asked for', async () => {
    const watch = await opened();
    cluster.restore(cluster.snapshot());
    await expect(watch.nextFrame()).rejects.toThrow('ended');
  });

  test('is an ERROR event 410, then the end', async () => {
    const watch = await opened();
    cluster.restore(cluster.snapshot(), { watches: '410' });
    const { type, object } = await watch.next();
    expect([type, object.code, object.reason]).toEqual(['ERROR', 410, 'Expired']);
    await expect(watch.nextFrame()).rejects.toThrow('ended');
  });

  test('is nothing, and what is written afterwards at higher versions', async () => {
    const watch = await opened();
    const snapshot = cluster.snapshot();
    const b = await create(cluster, 'b');
    expect((await watch.next()).object).toEqual(b);
    cluster.restore(snapshot, { watches: 'unchanged' });
    expect(names(await list(cluster))).toEqual(['a']);
    const c = await create(cluster, 'c');
    expect(Number(c.metadata.resourceVersion)).toBeGreaterThan(Number(b.metadata.resourceVersion));
    expect((await watch.next()).object).toEqual(c);
    watch.close();
  });
});

test('a reset to a snapshot leaves watches of custom resources as they are, where it is to', async () => {
  await send(at(cluster), 'POST', DEFINITIONS, { body: WIDGET });
  const prepared = cluster.snapshot();
  await create(cluster, 'a', WIDGETS);
  const { metadata } = await list(cluster, WIDGETS);
  const watch = await EventStream.open(
    at(cluster),
    `${WIDGETS}?watch=1&resourceVersion=${metadata.resourceVersion}`,
  );
  await mock(cluster, 'snapshots', { name: 'later' });
  cluster.reset({ watches: 'unchanged', to: prepared });
  expect(names(await list(cluster, WIDGETS))).toEqual([]);
  const b = await create(cluster, 'b', WIDGETS);
  expect((await watch.next()).object).toEqual(b);
  await mock(cluster, 'reset', { watches: 'unchanged', snapshot: 'later' });
  expect(names(await list(cluster, WIDGETS))).toEqual(['a']);
  watch.close();
});

/** Waits, turn by turn of the event loop, until something has been written. */
async function untilWritten(one: MockCluster): Promise<void> {
  const { resourceVersion } = one.snapshot();
  while (one.snapshot().resourceVersion === resourceVersion)
    await new Promise<void>((resolve) => setImmediate(resolve));
}

const MANY = Array.from({ length: 250 }, (_, i) => `m${i}`);

test('a collection that is being deleted when the cluster goes back stays', async () => {
  await Promise.all(MANY.map((name) => create(cluster, name)));
  const full = cluster.snapshot();
  const deletion = send(at(cluster), 'DELETE', MAPS);
  await untilWritten(cluster);
  cluster.restore(full);
  expect((await deletion).status).toBe(503);
  expect((await list(cluster)).items).toHaveLength(MANY.length);
});

test('a namespace that is being emptied when the cluster goes back stays as it was', async () => {
  using one = server.createCluster({
    frozenAt: '2026-01-01T00:00:00Z',
    controllers: ['namespace-controller'],
  });
  const maps = '/api/v1/namespaces/full/configmaps';
  await send(at(one), 'POST', '/api/v1/namespaces', { body: { metadata: { name: 'full' } } });
  await Promise.all(MANY.map((name) => create(one, name, maps)));
  const full = one.snapshot();
  await send(at(one), 'DELETE', '/api/v1/namespaces/full');
  await one.settled();
  const passing = one.clock.advance(5000);
  await untilWritten(one);
  one.restore(full);
  await passing;
  await one.settled();
  expect((await list(one, maps)).items).toHaveLength(MANY.length);
  expect(one.snapshot().resourceVersion).toBe(full.resourceVersion);
});

test('a replica goes back with its cluster', async () => {
  const empty = server.snapshot();
  await create(server.cluster, 'replicated');
  await using replica = await server.addReplica('b');
  const seen = async (): Promise<readonly string[]> =>
    names((await send({ url: replica.url, token: '' }, 'GET', `${MAPS}?resourceVersion=0`)).doc);
  expect(await seen()).toEqual(['replicated']);
  replica.freeze();
  server.restore(empty);
  expect(await seen()).toEqual([]);
});

test('a reset brings objects, faults, journal, chance and time back to the beginning', async () => {
  const seeded = server.createCluster({ seed: 7, frozenAt: '2026-01-01T00:00:00Z' });
  const first = await create(seeded, 'a');
  expect(first.metadata.creationTimestamp).toBe('2026-01-01T00:00:00Z');
  await seeded.clock.advance(60_000);
  expect((await create(seeded, 'b')).metadata.creationTimestamp).toBe('2026-01-01T00:01:00Z');
  seeded.faults.add({ match: { resource: 'configmaps' }, effect: { kind: 'status', code: 500 } });
  seeded.reset();
  expect(seeded.journal.entries).toEqual([]);
  expect(await create(seeded, 'a')).toEqual(first);
  expect(names(await list(seeded))).toEqual(['a']);
  seeded.delete();
});

test('the same seed makes the same objects in every cluster, and revisions start where they are told to', async () => {
  const settings = { seed: 3, frozenAt: '2026-01-01T00:00:00Z', startRevision: 5000 };
  const [one, other] = [server.createCluster(settings), server.createCluster(settings)];
  const generated = async (place: MockCluster): Promise<Doc> =>
    (await send(at(place), 'POST', MAPS, { body: { metadata: { generateName: 'g-' } } })).doc;
  const object = await generated(one);
  expect(await generated(other)).toEqual(object);
  expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(5000);
  for (const made of [one, other]) made.delete();
});

test('over HTTP, a snapshot is taken, gone back to, and begun with', async () => {
  await create(cluster, 'a');
  const { snapshot } = await mock(cluster, 'snapshots');
  await create(cluster, 'b');
  const { url = '' } = await mock(server, 'clusters', { snapshot });
  const { doc } = await send({ url, token: '' }, 'GET', MAPS);
  expect(names(doc)).toEqual(['a']);
  await mock(cluster, 'restore', { snapshot, watches: '410' });
  expect(names(await list(cluster))).toEqual(['a']);
  await mock(cluster, 'reset');
  expect(names(await list(cluster))).toEqual([]);
});

test('over HTTP, time is frozen, moved and let go', async () => {
  const clock = async (body: object) => {
    const { status, text } = await send(at(cluster), 'POST', '/_mock/clock', { body });
    return { ...(JSON.parse(text) as Readonly<Record<string, unknown>>), status };
  };
  expect(await clock({ freeze: '2100-01-01T00:00:00Z' })).toMatchObject({
    now: '2100-01-01T00:00:00Z',
    frozen: true,
  });
  expect(await clock({ advance: 90_000 })).toMatchObject({ now: '2100-01-01T00:01:30Z' });
  expect((await create(cluster, 'late')).metadata.creationTimestamp).toBe('2100-01-01T00:01:30Z');
  expect(await clock({ runToIdle: true })).toMatchObject({ passedMs: 0 });
  expect(await clock({ run: true })).toMatchObject({ frozen: false });
  expect(await clock({ freeze: 1 })).toMatchObject({ status: 400 });
  expect(await clock({ forward: 1 })).toMatchObject({ status: 400 });
  expect(await clock({ freeze: 1e15 })).toMatchObject({ status: 400 });
  expect(await clock({ freeze: {} })).toMatchObject({ status: 400 });
});
