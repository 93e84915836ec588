// The operator on a cluster without controllers: the test plays their part.
import { useCluster } from 'kube-mockserver/jest';
import { SiteOperator } from '../src/site-operator.js';
import {
  type ConfigMapObject,
  definition,
  type DeploymentObject,
  site,
  type SiteObject,
  untilGone,
  untilHas,
  untilReady,
  untilThere,
} from './sites.js';

const cluster = useCluster({ objects: [definition] });

describe('the operator', () => {
  let operator: SiteOperator;

  async function start(): Promise<void> {
    operator = new SiteOperator(await cluster.kubeConfig());
    await operator.start();
  }

  beforeEach(start);
  afterEach(() => operator.stop());

  /** What controllers and nodes would do: the deployment's replicas are ready. */
  async function run(name: string, readyReplicas: number): Promise<void> {
    await untilThere(cluster, 'Deployment', name);
    const status = { replicas: readyReplicas, readyReplicas };
    await cluster.patch('Deployment', name, { status }, { subresource: 'status' });
  }

  test('gives a site its content and its deployment, and calls it ready when that is', async () => {
    await cluster.apply(site('home', { text: 'hello', replicas: 2 }));
    await run('home', 2);
    const ready = await untilReady(cluster, 'home');
    expect(ready?.status).toMatchObject({ observedGeneration: 1, readyReplicas: 2 });
    const content = await cluster.get<ConfigMapObject>('ConfigMap', 'home-content');
    expect(content.data).toEqual({ 'index.html': 'hello' });
    const deployment = await cluster.get<DeploymentObject>('Deployment', 'home');
    expect(deployment.metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: 'Site', name: 'home', uid: ready?.metadata.uid, controller: true }),
    ]);
  });

  test('leaves alone what others set in the deployment', async () => {
    await cluster.apply(site('home', { text: 'hello' }));
    await untilThere(cluster, 'Deployment', 'home');
    await cluster.patch('Deployment', 'home', { metadata: { annotations: { note: 'mine' } } });
    await cluster.patch('Site', 'home', { spec: { text: 'changed' } });
    await untilHas(cluster, 'home-content', 'index.html', 'changed');
    const deployment = await cluster.get<DeploymentObject>('Deployment', 'home');
    expect(deployment.metadata.annotations).toEqual({ note: 'mine' });
  });

  test('takes a site that is deleted out of the index before it goes', async () => {
    await cluster.apply(site('home', { text: 'hello' }));
    await untilHas(cluster, 'site-index', 'home', 'hello');
    await cluster.delete('Site', 'home');
    await untilGone(cluster, 'Site', 'home');
    const index = await cluster.get<ConfigMapObject>('ConfigMap', 'site-index');
    expect(index.data ?? {}).toEqual({});
  });

  test('sets its finalizer although somebody else writes the site first', async () => {
    await cluster.addFault({
      name: 'somebody-else',
      match: { verb: 'patch', resource: 'sites', subresource: '' },
      effect: { kind: 'conflict', by: 'write' },
      times: 2,
    });
    // The test's own apply would meet the conflict, too; a create does not.
    await cluster.create(site('home', { text: 'hello' }));
    await untilHas(cluster, 'site-index', 'home', 'hello');
    const { metadata } = await cluster.get<SiteObject>('Site', 'home');
    expect(metadata.finalizers).toEqual(['example.io/index']);
    const { faults } = await cluster.journal();
    expect(faults.map(({ rule }) => rule)).toEqual(['somebody-else', 'somebody-else']);
  });

  test('makes one deployment although the answer to its first apply is lost', async () => {
    await cluster.addFault({
      match: { verb: 'patch', resource: 'deployments' },
      effect: { kind: 'lose-answer' },
      times: 1,
    });
    await cluster.apply(site('home', { text: 'hello' }));
    await run('home', 1);
    await untilReady(cluster, 'home');
    expect(await cluster.list('Deployment')).toHaveLength(1);
  });

  test('lists once more and misses nothing when its watch is told 410', async () => {
    // Watches that are open already do not meet a rule: the operator begins anew.
    await operator.stop();
    await cluster.addFault({
      match: { verb: 'watch', resource: 'sites', event: { type: 'ADDED' } },
      effect: { kind: 'error', code: 410, reason: 'Expired' },
      times: 1,
    });
    await start();
    await cluster.apply(site('home', { text: 'hello' }));
    await untilHas(cluster, 'site-index', 'home', 'hello');
    const sites = (await cluster.journal()).where({ resource: 'sites' });
    expect(sites).toHaveRelisted(2); // when it began anew, and after the 410
    expect(sites).notToHotLoop();
  });
});
