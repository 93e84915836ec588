import { build } from 'kube-mockserver/client';
import { useCluster } from 'kube-mockserver/jest';

const cluster = useCluster({ objects: [build.configMap('shared', { a: '1' })] });

test('a test begins with the objects of the file', async () => {
  expect((await cluster.get('ConfigMap', 'shared')).data).toEqual({ a: '1' });
  await cluster.patch('cm', 'shared', { data: { a: '2' } });
  await cluster.apply('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: more }\n');
});

test('the next test begins with them again', async () => {
  expect((await cluster.get('ConfigMap', 'shared')).data).toEqual({ a: '1' });
  expect(await cluster.find('ConfigMap', 'more')).toBeUndefined();
});

test('the journal has matchers', async () => {
  const config = await cluster.kubeConfig();
  const { CoreV1Api } = await import('@kubernetes/client-node');
  await config.makeApiClient(CoreV1Api).listNamespacedConfigMap({ namespace: 'default' });
  expect(await cluster.journal()).toHaveRelisted(0);
});
