const assert = require('node:assert/strict');
const { test } = require('node:test');
const { build } = require('kube-mockserver/client');
const { useCluster } = require('kube-mockserver/node-test');

const cluster = useCluster({ objects: [build.configMap('shared', { a: '1' })] });

test('a test begins with the objects of the file', async () => {
  assert.deepEqual((await cluster.get('ConfigMap', 'shared')).data, { a: '1' });
  await cluster.patch('cm', 'shared', { data: { a: '2' } });
});

test('the next test begins with them again', async () => {
  assert.deepEqual((await cluster.get('ConfigMap', 'shared')).data, { a: '1' });
});
