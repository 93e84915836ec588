import { build, type KubeObject } from 'kube-mockserver/client';
import { useCluster } from 'kube-mockserver/jest';

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const cluster = useCluster({ objects: [build.configMap('shared', { a: '1' })] });

test('a test begins with the objects of the file', async () => {
  const shared = await cluster.get<ConfigMap>('ConfigMap', 'shared');
  expect(shared.data).toEqual({ a: '1' });
  await cluster.patch('cm', 'shared', { data: { a: '2' } });
});

test('the next test begins with them again', async () => {
  expect((await cluster.get<ConfigMap>('ConfigMap', 'shared')).data).toEqual({ a: '1' });
});

test('a wait ends when the object is as it should be', async () => {
  const waited = cluster.waitFor<ConfigMap>('ConfigMap', 'late', (one) => one?.data?.['ready'] === 'yes');
  await cluster.apply(build.configMap('late', { ready: 'yes' }));
  expect((await waited)?.metadata.name).toBe('late');
});
