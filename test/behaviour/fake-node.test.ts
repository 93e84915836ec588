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

async function runPod(cluster: MockCluster, name: string, spec: object = {}): Promise<void> {
  await ask(cluster, 'POST', PODS, {
    metadata: { name },
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
