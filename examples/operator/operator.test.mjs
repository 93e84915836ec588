// The operator against a server of its own, without controllers (the test plays their part) and with them.
//   npm run build && node --test examples/operator/
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';
import { startMockServer } from 'kube-mockserver';
import { LeaderElector } from './leader-election.mjs';
import { SiteOperator } from './site-operator.mjs';

const SITES = { group: 'example.io', version: 'v1', plural: 'sites', namespace: 'default' };
const definition = fileURLToPath(new URL('definition.yaml', import.meta.url));

/** A server with the definition of Sites, and clients for it. */
async function cluster(options = {}) {
  const server = await startMockServer({ load: [definition], ...options });
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  const apps = config.makeApiClient(AppsV1Api);
  const core = config.makeApiClient(CoreV1Api);
  const custom = config.makeApiClient(CustomObjectsApi);
  return { server, config, apps, core, custom };
}

/** Asks until the answer is good: operators take their time. */
async function eventually(ask, good) {
  for (;;) {
    const answer = await ask().catch((error) => (error.code === 404 ? undefined : Promise.reject(error)));
    if (good(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const site = (custom, name) => () => custom.getNamespacedCustomObject({ ...SITES, name });
const isReady = (found) => found?.status?.conditions?.[0]?.status === 'True';
const create = (custom, name, spec) =>
  custom.createNamespacedCustomObject({
    ...SITES,
    body: { apiVersion: 'example.io/v1', kind: 'Site', metadata: { name }, spec },
  });

for (const [how, controllers] of [
  ['without controllers', []],
  ['with controllers', ['*', 'fake-node']],
]) {
  describe(how, () => {
    let server, config, apps, core, custom, operator;

    before(async () => {
      ({ server, config, apps, core, custom } = await cluster({ controllers }));
      operator = new SiteOperator(config);
      await operator.start();
    });

    after(async () => {
      await operator.stop();
      await server.stop();
    });

    /** What controllers and nodes would do: the deployment's replicas are ready. */
    const run = (name, readyReplicas) =>
      apps.patchNamespacedDeploymentStatus(
        { namespace: 'default', name, body: { status: { replicas: readyReplicas, readyReplicas } } },
        setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
      );

    test('a site gets its content and its deployment, and is ready when that is', async () => {
      await create(custom, 'home', { text: 'hello', replicas: 2 });
      const read = { namespace: 'default', name: 'home' };
      const deployment = await eventually(() => apps.readNamespacedDeployment(read), Boolean);
      assert.equal(deployment.metadata.ownerReferences[0].kind, 'Site');
      if (controllers.length === 0) await run('home', 2);
      const ready = await eventually(site(custom, 'home'), isReady);
      assert.equal(ready.status.readyReplicas, 2);
      const content = await core.readNamespacedConfigMap({ namespace: 'default', name: 'home-content' });
      assert.equal(content.data['index.html'], 'hello');
    });

    test('what others set in the deployment is left alone', async () => {
      const name = 'home';
      await apps.patchNamespacedDeployment(
        { namespace: 'default', name, body: { metadata: { annotations: { note: 'mine' } } } },
        setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
      );
      await custom.patchNamespacedCustomObject(
        { ...SITES, name, body: { spec: { text: 'changed' } } },
        setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
      );
      await eventually(
        () => core.readNamespacedConfigMap({ namespace: 'default', name: 'home-content' }),
        (content) => content.data['index.html'] === 'changed',
      );
      const deployment = await apps.readNamespacedDeployment({ namespace: 'default', name });
      assert.equal(deployment.metadata.annotations.note, 'mine');
    });

    test('a site that is deleted leaves the index, and then goes', async () => {
      await custom.deleteNamespacedCustomObject({ ...SITES, name: 'home' });
      await eventually(site(custom, 'home'), (found) => found === undefined);
      const index = await core.readNamespacedConfigMap({ namespace: 'default', name: 'site-index' });
      assert.deepEqual(index.data ?? {}, {});
      const deployments = async () => (await apps.listNamespacedDeployment({ namespace: 'default' })).items;
      // Nobody collects the deployment where no garbage collector runs.
      if (controllers.length === 0) assert.equal((await deployments()).length, 1);
      else await eventually(deployments, ({ length }) => length === 0);
    });
  });
}

test('of two contenders one leads, and the other takes over when it is gone', async () => {
  const { server, config } = await cluster();
  const contender = (identity, onStarted) =>
    new LeaderElector(config, {
      namespace: 'default',
      name: 'site-operator',
      identity,
      leaseSeconds: 1,
      retryMs: 100,
      onStarted,
    });
  const leading = [];
  const first = contender('first', () => leading.push('first'));
  first.start();
  await eventually(async () => first.leads, Boolean);
  const second = contender('second', () => leading.push('second'));
  second.start();
  // Both come round several times.
  const asked = () => server.journal.all.where({ resource: 'leases' }).requests.length;
  const before = asked();
  await eventually(
    async () => asked() - before,
    (more) => more >= 8,
  );
  assert.deepEqual(leading, ['first']);
  await first.stop();
  await eventually(async () => second.leads, Boolean);
  assert.deepEqual(leading, ['first', 'second']);
  await second.stop();
  await server.stop();
});
