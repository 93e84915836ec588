// The program under test: counts to ten in a ConfigMap and follows it with a watch, on the cluster that KUBECONFIG names.
//   node counter.js             waits a little before it begins a watch again
//   node counter.js --careless  does not
import { CoreV1Api, KubeConfig, Watch } from '@kubernetes/client-node';

const pauseMs = process.argv.includes('--careless') ? 0 : 200;
const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CoreV1Api);
const counter = { namespace: 'default', name: 'counter' };
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads the number, writes the next one and answers it. */
async function countUp() {
  const found = await api.readNamespacedConfigMap(counter);
  const count = Number(found.data.count) + 1;
  await api.replaceNamespacedConfigMap({ ...counter, body: { ...found, data: { count: String(count) } } });
  return count;
}

/** Resolves when a watch has shown the number ten. */
async function seen() {
  for (let ten = false; !ten;) {
    ten = await new Promise((resolve) => {
      const shown = (_type, { data }) => data?.count === '10' && resolve(true);
      const ended = () => resolve(false);
      new Watch(config).watch('/api/v1/namespaces/default/configmaps', {}, shown, ended).catch(ended);
    });
    if (!ten) await pause(pauseMs);
  }
}

await api.createNamespacedConfigMap({
  namespace: counter.namespace,
  body: { metadata: { name: counter.name }, data: { count: '0' } },
});
const ten = seen();
// A write whose answer is lost may have been stored: what counts is what is read then.
for (let count = 0; count < 10;) count = await countUp().catch(() => count);
await ten;
console.log('counted to ten, and saw it');
process.exit(0);
