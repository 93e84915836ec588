/** The client of tests: what it says, and what it makes of the answers. */
import { ApiError, build, ClusterClient, HostClient, type KubeObject } from '../../testkit/client/index.js';
import { fault, type MockServer, startMockServer } from '../../mockserver/index.js';

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

let server: MockServer;
let client: ClusterClient;
let name: string;
beforeAll(async () => {
  server = await startMockServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  const host = new HostClient(server.url);
  const made = await host.createCluster();
  name = made.name;
  client = host.clientOf(made);
});
afterEach(() => new HostClient(server.url).deleteCluster(name));

test('apply takes objects and YAML of several, and changes what is there', async () => {
  await client.apply(
    build.configMap('a', { k: '1' }),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\n---\n\n---\napiVersion: v1\nkind: List\nitems:\n- { apiVersion: v1, kind: ConfigMap, metadata: { name: c } }\n',
  );
  await client.apply(build.configMap('a', { k: '2' }));
  const maps = await client.list<ConfigMap>('configmaps', { namespace: 'default' });
  expect(maps.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'ConfigMap a',
    'ConfigMap b',
    'ConfigMap c',
  ]);
  expect((await client.get<ConfigMap>('cm', 'a')).data).toEqual({ k: '2' });
});

test.each([
  ['text that is no YAML', 'a: [', 'document 1'],
  ['a document that is no object', 'a: 1', 'apiVersion, kind and metadata are needed'],
  ['an object without a name', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {}', 'without a name'],
  [
    'a kind that nobody serves',
    'apiVersion: x.io/v1\nkind: X\nmetadata: { name: x }',
    'serves no X of x.io/v1',
  ],
])('apply refuses %s', async (_name, manifest, message) => {
  await expect(client.apply(manifest)).rejects.toThrow(message);
});

test('a custom resource is known as soon as its definition is applied', async () => {
  await client.apply(build.customResourceDefinition({ group: 'example.com', kind: 'Widget' }));
  await client.create({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } });
  expect((await client.list('widgets.example.com')).map(({ metadata }) => metadata.name)).toEqual(['w']);
  await client.patch('Widget', 'w', { status: { ready: true } }, { subresource: 'status' });
  expect(await client.get('widget', 'w')).toMatchObject({ status: { ready: true } });
});

test('refusals carry the code and the reason of the server', async () => {
  await client.create(build.configMap('a'));
  await expect(client.create(build.configMap('a'))).rejects.toMatchObject({
    code: 409,
    reason: 'AlreadyExists',
  });
  expect(await client.find('ConfigMap', 'none')).toBeUndefined();
  const error = await client.delete('ConfigMap', 'none').catch((one: unknown) => one);
  expect(error).toBeInstanceOf(ApiError);
  expect(String(error)).toContain('configmaps "none" not found');
});

test('a wait ends when the object is as it should be, and when it is gone', async () => {
  const ready = client.waitFor<ConfigMap>('ConfigMap', 'a', (one) => one?.data?.['k'] === '2');
  await client.create(build.configMap('a', { k: '1' }));
  await client.patch('ConfigMap', 'a', { data: { k: '2' } });
  expect((await ready)?.data).toEqual({ k: '2' });
  const gone = client.waitFor('ConfigMap', 'a', (one) => one === undefined);
  await client.delete('ConfigMap', 'a');
  expect(await gone).toBeUndefined();
});

test('a wait fails with what its predicate throws, also when that comes later', async () => {
  await client.create(build.configMap('a', { k: '1' }));
  const waited = client.waitFor<ConfigMap>('ConfigMap', 'a', (one) => {
    if (one?.data?.['k'] === '2') throw new Error('of the predicate');
    return false;
  });
  await client.patch('ConfigMap', 'a', { data: { k: '2' } });
  await expect(waited).rejects.toThrow('of the predicate');
});

test('a wait that is over shows what it saw last', async () => {
  await client.create(build.configMap('a', { k: '1' }));
  const waited = client.waitFor('ConfigMap', 'a', () => false, { withinMs: 20 });
  await expect(waited).rejects.toThrow(/ConfigMap a: not so within 20 ms; it is\n[^]*"k": "1"/);
});

test('what is tried again succeeds as soon as it does not throw, or throws its last error', async () => {
  let tries = 0;
  const third = (): number => {
    if (++tries < 3) throw new Error('not yet');
    return tries;
  };
  expect(await client.eventually(third)).toBe(3);
  const never = client.eventually(() => Promise.reject(new Error('never')), { withinMs: 20 });
  await expect(never).rejects.toThrow('never');
});

test('time, snapshots and faults are moved from the client', async () => {
  await client.clock.freeze('2100-01-01T00:00:00Z');
  await client.clock.advance(60_000);
  const a = await client.create(build.configMap('a'));
  expect(a.metadata.creationTimestamp).toBe('2100-01-01T00:01:00Z');
  const snapshot = await client.snapshot();
  await client.delete('ConfigMap', 'a');
  await client.restore(snapshot);
  expect(await client.get('ConfigMap', 'a')).toEqual(a);
  await client.addFault(fault.status({ resource: 'configmaps' }, 503));
  await expect(client.get('ConfigMap', 'a')).rejects.toMatchObject({ code: 503 });
  await client.removeFaults();
  await client.reset();
  expect(await client.find('ConfigMap', 'a')).toBeUndefined();
});

test('who acts as somebody else says so in every request', async () => {
  const seen: (string | undefined)[] = [];
  const { createServer } = await import('node:http');
  const listener = createServer((req, res) => {
    seen.push(String(req.headers['impersonate-user']), String(req.headers['impersonate-group']));
    res.end('{}');
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address() as { readonly port: number }; // it listens on TCP
  const other = new ClusterClient(`http://127.0.0.1:${address.port}`);
  await other.actAs({ user: 'jane', groups: ['dev', 'ops'] }).removeFaults();
  expect(seen).toEqual(['jane', 'dev, ops']);
  listener.closeAllConnections();
  await new Promise((resolve) => listener.close(resolve));
});

test('a KubeConfig of client-node points at the cluster', async () => {
  const config = await client.kubeConfig();
  expect(config.getCurrentCluster()?.server).toBe(client.url);
});
