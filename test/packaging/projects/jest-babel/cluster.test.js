const { useCluster } = require('kube-mockserver/jest');
const { build } = require('kube-mockserver/client');

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
  await fetch(`${cluster.url}/api/v1/namespaces/default/configmaps`);
  expect(await cluster.journal()).toHaveRelisted(0);
});
