/** Pods on the fake node: what becomes of them, and when. */
import { type MockCluster, type MockServer, startMockServer } from '../../mockserver/index.js';
import { closeIdleConnections, send } from './connection.js';

const PODS = '/api/v1/namespaces/default/pods';

let server: MockServer;
beforeAll(async () => {
  server = await startMockServer();
});
afterAll(async () => {
  closeIdleConnections();
  await server.stop();
});

const start = (endAfterMs: number): MockCluster =>
  server.createCluster({
    frozenAt: '2026-01-01T00:00:00Z',
    controllers: ['fake-node'],
    fakeNode: { endAfterMs },
  });
const ask = (cluster: MockCluster, method: string, path: string, body?: object) =>
  send({ url: cluster.url, token: '' }, method, path, body === undefined ? {} : { body });

async function runPod(
  cluster: MockCluster,
  name: string,
  spec: object = {},
  labels: object = {},
): Promise<void> {
  await ask(cluster, 'POST', PODS, {
    metadata: { name, labels },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  });
  await cluster.settled();
}

const phaseOf = async (cluster: MockCluster, name: string): Promise<unknown> =>
  ((await ask(cluster, 'GET', `${PODS}/${name}`)).doc.status as { readonly phase?: string }).phase;

test('a pod runs at once; one that is not to be restarted succeeds after a second', async () => {
  using cluster = start(0);
  await runPod(cluster, 'serves');
  await runPod(cluster, 'ends', { restartPolicy: 'Never' });
  expect(await phaseOf(cluster, 'ends')).toBe('Running');
  await cluster.clock.advance(1000);
  expect(await phaseOf(cluster, 'ends')).toBe('Succeeded');
  expect(await phaseOf(cluster, 'serves')).toBe('Running');
});

test.each([
  ['after the time that the node needs', 2000, 2000],
  ['when its grace is over, though the node needs longer', 60_000, 5000],
])('a pod that is deleted is gone %s', async (_name, endAfterMs, goneAfterMs) => {
  using cluster = start(endAfterMs);
  await runPod(cluster, 'leaves', { terminationGracePeriodSeconds: 5 });
  await ask(cluster, 'DELETE', `${PODS}/leaves`);
  await cluster.clock.advance(goneAfterMs - 1);
  expect((await ask(cluster, 'GET', `${PODS}/leaves`)).status).toBe(200);
  await cluster.clock.advance(1);
  expect((await ask(cluster, 'GET', `${PODS}/leaves`)).status).toBe(404);
});

describe('rules', () => {
  const FAILS = { labels: { app: 'broken' }, stages: [{ stage: 'scheduled' }, { stage: 'failed' }] };

  test('are added in front over HTTP, and forgotten again', async () => {
    using cluster = start(0);
    expect((await ask(cluster, 'POST', '/_mock/fake-node', { rules: [FAILS] })).doc).toEqual({
      rules: [FAILS],
    });
    await runPod(cluster, 'fails', {}, { app: 'broken' });
    await runPod(cluster, 'runs');
    expect(await phaseOf(cluster, 'fails')).toBe('Failed');
    expect(await phaseOf(cluster, 'runs')).toBe('Running');
    expect((await ask(cluster, 'DELETE', '/_mock/fake-node')).doc).toEqual({ rules: [] });
    await runPod(cluster, 'fails-no-more', {}, { app: 'broken' });
    expect(await phaseOf(cluster, 'fails-no-more')).toBe('Running');
  });

  test('move pods on that are on their way', async () => {
    using cluster = start(0);
    await runPod(cluster, 'serves', {}, { app: 'web' });
    cluster.podRules.add({
      labels: { app: 'web' },
      stages: [{ stage: 'scheduled' }, { stage: 'running' }, { stage: 'failed', afterMs: 3000 }],
    });
    await cluster.clock.advance(2999);
    expect(await phaseOf(cluster, 'serves')).toBe('Running');
    await cluster.clock.advance(1);
    expect(await phaseOf(cluster, 'serves')).toBe('Failed');
  });

  test('are those of the start again after a reset', () => {
    using cluster = server.createCluster({
      fakeNode: { rules: [{ labels: { app: 'still' }, stages: [] }] },
    });
    const { all } = cluster.podRules;
    cluster.podRules.add({ stages: [] });
    cluster.reset();
    expect(cluster.podRules.all).toEqual(all);
  });

  test.each([
    [
      { rules: [{ stages: [{ stage: 'done' }] }] },
      /rules\[0\]\.stages\[0\]\.stage: must be one of scheduled/,
    ],
    [{ rules: [{ stages: [{ stage: 'ready', afterMs: -1 }] }] }, /afterMs: must be a number, at least 0/],
    [{}, /rules: must be a list/],
  ])('%j is refused', async (body, words) => {
    using cluster = start(0);
    const { status, doc } = await ask(cluster, 'POST', '/_mock/fake-node', body);
    expect(status).toBe(400);
    expect(doc['message']).toMatch(words);
  });

  test('a cluster that a request makes has its own', async () => {
    const made = await send({ url: server.url, token: '' }, 'POST', '/_mock/clusters', {
      body: { name: 'with-rules', controllers: ['fake-node'], fakeNode: { rules: [FAILS] } },
    });
    expect(made.status).toBe(201);
    using cluster = server.clusters.get('with-rules') ?? start(0);
    await runPod(cluster, 'fails', {}, { app: 'broken' });
    expect(await phaseOf(cluster, 'fails')).toBe('Failed');
  });
});

test('pods that a snapshot shows as ready stay so when the cluster goes back to it', async () => {
  using cluster = start(0);
  await runPod(cluster, 'serves');
  const before = (await ask(cluster, 'GET', `${PODS}/serves`)).doc;
  cluster.restore(cluster.snapshot());
  await cluster.settled();
  expect((await ask(cluster, 'GET', `${PODS}/serves`)).doc).toEqual(before);
});
