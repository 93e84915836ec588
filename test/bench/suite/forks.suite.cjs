// Three definitions and a hundred objects are loaded once; each test has a fork of them for itself.
const { build, ClusterClient, HostClient } = require('kube-mockserver/client');
const { TESTS, objectOf } = require('./tests.cjs');

const host = new HostClient(process.env.KUBE_MOCKSERVER_URL);
const KINDS = ['Alpha', 'Beta', 'Gamma'];
const OBJECTS = 100;

beforeAll(async () => {
  const base = await host.createCluster({ name: 'base' });
  const client = new ClusterClient(base.url);
  await client.apply(
    ...KINDS.map((kind) => build.customResourceDefinition({ group: 'bench.example.com', kind })),
  );
  const objects = Array.from({ length: OBJECTS }, (_, i) => ({
    apiVersion: 'bench.example.com/v1',
    kind: KINDS[i % KINDS.length],
    metadata: { name: `object-${i}`, namespace: 'default' },
    spec: objectOf(i),
  }));
  await client.apply(...objects);
  await client.snapshot('prepared');
});

let cluster;
beforeEach(async () => {
  cluster = await host.createCluster({ snapshot: 'prepared' });
});
afterEach(() => host.deleteCluster(cluster.name));

test.each(TESTS)('test %i', (i) => {
  expect(objectOf(i).size).toBe(i);
});
