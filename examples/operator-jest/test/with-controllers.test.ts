// The operator on a cluster whose controllers run, with a node that runs no containers but reports that it does.
import { useCluster } from 'kube-mockserver/jest';
import { SiteOperator } from '../src/site-operator.js';
import { definition, site, untilGone, untilReady } from './sites.js';

const cluster = useCluster({ objects: [definition], cluster: { controllers: ['*', 'fake-node'] } });

describe('the operator with controllers', () => {
  let operator: SiteOperator;

  beforeEach(async () => {
    operator = new SiteOperator(await cluster.kubeConfig());
    await operator.start();
  });
  afterEach(() => operator.stop());

  test('calls a site ready when its pods are', async () => {
    await cluster.apply(site('home', { text: 'hello', replicas: 2 }));
    const ready = await untilReady(cluster, 'home');
    expect(ready?.status?.readyReplicas).toBe(2);
    expect(await cluster.list('Pod')).toHaveLength(2);
  });

  test('need not delete what a site owns: the garbage collector does', async () => {
    await cluster.apply(site('home', { text: 'hello' }));
    await untilReady(cluster, 'home');
    await cluster.delete('Site', 'home');
    await untilGone(cluster, 'Deployment', 'home');
    await untilGone(cluster, 'ConfigMap', 'home-content');
  });
});
