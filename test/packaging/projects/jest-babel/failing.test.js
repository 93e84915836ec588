const http = require('node:http');
const { useCluster } = require('kube-mockserver/jest');

const cluster = useCluster();

test('a test that fails', async () => {
  await new Promise((resolve) =>
    http.get(`${cluster.url}/api/v1/pods`, { headers: { 'user-agent': 'my-operator/1' } }, (answer) =>
      answer.resume().once('end', resolve),
    ),
  );
  expect(1).toBe(2);
});
