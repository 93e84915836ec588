/** Deployments, ReplicaSets, disruption budgets, and the fake node that runs their pods. */
import { type Doc } from './documents.js';
import { ownTest, useTarget } from './target.js';

const target = useTarget('workloads', {
  controllers: [
    'deployment-controller',
    'replicaset-controller',
    'disruption-controller',
    'garbage-collector-controller',
    'fake-node',
  ],
  fakeNode: {
    rules: [
      { labels: { app: 'stuck' }, stages: [{ stage: 'scheduled' }, { stage: 'running' }] },
      { labels: { app: 'slow' }, stages: [{ stage: 'scheduled' }, { stage: 'ready', afterMs: 10_000 }] },
      { labels: { app: 'broken' }, stages: [{ stage: 'scheduled' }, { stage: 'failed' }] },
    ],
  },
});

const MERGE = 'application/merge-patch+json';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/workloads/deployments';
const SETS = '/apis/apps/v1/namespaces/workloads/replicasets';
const settled = (): Promise<void> => target.own.server.settled();

async function later(ms: number): Promise<void> {
  await target.pass(ms);
  await settled();
}

const workload = (kind: string, app: string, spec: object): object => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: app },
  spec: {
    selector: { matchLabels: { app } },
    template: { metadata: { labels: { app } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } },
    ...spec,
  },
});

async function deployed(app: string, spec: object): Promise<Doc> {
  await target.done('POST', DEPLOYMENTS, workload('Deployment', app, spec));
  await settled();
  return target.done('GET', `${DEPLOYMENTS}/${app}`);
}

const podsOf = async (app: string): Promise<readonly Doc[]> =>
  (await target.done('GET', `${target.path('pods')}?labelSelector=app%3D${app}`)).items;

const setsOf = async (app: string): Promise<readonly Doc[]> =>
  (await target.done('GET', `${SETS}?labelSelector=app%3D${app}`)).items;

const reasons = ({ status }: Doc): readonly string[] =>
  (status as { conditions: { reason: string }[] }).conditions.map(({ reason }) => reason);

ownTest('a deployment gets its set, its pods run, and it is complete', async () => {
  const found = await deployed('whole', { replicas: 3 });
  expect(found.metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '1' });
  expect(found.status).toMatchObject({
    replicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    updatedReplicas: 3,
  });
  expect(reasons(found)).toEqual(['MinimumReplicasAvailable', 'NewReplicaSetAvailable']);
  const [set] = await setsOf('whole');
  const hash = set?.metadata.labels['pod-template-hash'];
  expect(set?.metadata.name).toBe(`whole-${hash}`);
  for (const pod of await podsOf('whole'))
    expect(pod.status).toMatchObject({
      phase: 'Running',
      podIP: expect.stringMatching(/^10\.244\./) as string,
    });
});

ownTest('a new template is rolled out, an earlier one uses its set again', async () => {
  await deployed('rolled', { replicas: 4 });
  const image = (name: string): object => ({
    spec: { template: { spec: { containers: [{ name: 'c', image: name }] } } },
  });
  for (const name of ['i:2', 'i:1']) {
    await target.done('PATCH', `${DEPLOYMENTS}/rolled`, image(name), MERGE);
    await settled();
  }
  const sets = await setsOf('rolled');
  expect(sets.map(({ spec }) => spec['replicas']).sort()).toEqual([0, 4]);
  const current = sets.find(({ spec }) => spec['replicas'] === 4);
  expect(current?.metadata.annotations).toMatchObject({
    'deployment.kubernetes.io/revision': '3',
    'deployment.kubernetes.io/revision-history': '1',
  });
});

ownTest('a paused deployment is scaled, but not rolled out', async () => {
  await deployed('paused', { replicas: 2, paused: true });
  expect(await setsOf('paused')).toEqual([]);
  await target.done('PATCH', `${DEPLOYMENTS}/paused`, { spec: { paused: false } }, MERGE);
  await settled();
  expect(await podsOf('paused')).toHaveLength(2);
});

ownTest('a rollout that does not progress is overdue after its deadline', async () => {
  const before = await deployed('stuck', { replicas: 1, progressDeadlineSeconds: 30 });
  expect(reasons(before)).toContain('ReplicaSetUpdated');
  await later(32_000);
  expect(reasons(await target.done('GET', `${DEPLOYMENTS}/stuck`))).toContain('ProgressDeadlineExceeded');
});

ownTest('with Recreate the new pods come when the old ones are gone', async () => {
  await deployed('swapped', { replicas: 2, strategy: { type: 'Recreate' } });
  const before = (await podsOf('swapped')).map(({ metadata }) => metadata.uid);
  await target.done(
    'PATCH',
    `${DEPLOYMENTS}/swapped`,
    { spec: { template: { metadata: { labels: { version: '2' } } } } },
    MERGE,
  );
  await settled();
  const after = await podsOf('swapped');
  expect(after).toHaveLength(2);
  expect(after.filter(({ metadata }) => before.includes(metadata.uid))).toEqual([]);
});

ownTest('the fake node takes its time where a rule says so', async () => {
  await deployed('slow', { replicas: 1 });
  expect((await podsOf('slow')).map(({ status }) => status)).toMatchObject([{ phase: 'Pending' }]);
  await later(10_000);
  expect(await target.done('GET', `${DEPLOYMENTS}/slow`)).toMatchObject({ status: { readyReplicas: 1 } });
});

ownTest('a set replaces pods that are deleted or relabelled, and adopts those that match', async () => {
  await target.done('POST', target.path('pods'), {
    metadata: { name: 'orphan', labels: { app: 'kept' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  await target.done('POST', SETS, workload('ReplicaSet', 'kept', { replicas: 2 }));
  await settled();
  expect(await podsOf('kept')).toHaveLength(2);
  await target.done('PATCH', target.path('pods/orphan'), { metadata: { labels: { app: 'freed' } } }, MERGE);
  await settled();
  expect(await podsOf('kept')).toHaveLength(2);
  const freed = await target.done('GET', target.path('pods/orphan'));
  expect(freed.metadata).not.toHaveProperty('ownerReferences');
});

ownTest('a budget says how many pods may go, and evictions go by it', async () => {
  await target.done('POST', '/apis/policy/v1/namespaces/workloads/poddisruptionbudgets', {
    metadata: { name: 'budget' },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'guarded' } } },
  });
  await deployed('guarded', { replicas: 2 });
  const budget = '/apis/policy/v1/namespaces/workloads/poddisruptionbudgets/budget';
  expect((await target.done('GET', budget)).status).toMatchObject({
    currentHealthy: 2,
    desiredHealthy: 1,
    disruptionsAllowed: 1,
    expectedPods: 2,
  });
  const [first, second] = await podsOf('guarded');
  const evict = async (pod: Doc | undefined): Promise<number> => {
    const name = pod?.metadata.name;
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
    return (await target.send('POST', `${target.path('pods')}/${name}/eviction`, { body })).status;
  };
  expect([await evict(first), await evict(second)]).toEqual([201, 429]);
});
