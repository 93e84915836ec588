// An unmodified informer against a server of its own.
//   npm run build && node examples/informer.mjs
import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { startMockServer } from 'kube-mockserver';

const server = await startMockServer();
const config = new KubeConfig();
config.loadFromString(server.kubeconfig);
const api = config.makeApiClient(CoreV1Api);

const informer = makeInformer(config, '/api/v1/namespaces/default/configmaps', () =>
  api.listNamespacedConfigMap({ namespace: 'default' }),
);
const seen = (event) => new Promise((resolve) => informer.on(event, resolve));
const added = seen('add');
const updated = seen('update');
const deleted = seen('delete');
await informer.start();

await api.createNamespacedConfigMap({
  namespace: 'default',
  body: { metadata: { name: 'settings' }, data: { level: '1' } },
});
console.log('added', (await added).metadata.name);
await api.replaceNamespacedConfigMap({
  namespace: 'default',
  name: 'settings',
  body: { metadata: { name: 'settings' }, data: { level: '2' } },
});
console.log('updated', (await updated).data.level);
await api.deleteNamespacedConfigMap({ namespace: 'default', name: 'settings' });
console.log('deleted', (await deleted).metadata.name);

await informer.stop();
await server.stop();
