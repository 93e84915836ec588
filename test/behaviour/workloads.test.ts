/** What writes of workloads, claims and rules do beside what they say: defaults, generations, warnings, ownership. */
import { type Doc, versionOf } from './documents.js';
import { useTarget } from './target.js';

const target = useTarget('workloads');
const deployments = (): string => `/apis/apps/v1/namespaces/${target.namespace}/deployments`;
const roles = (): string => `/apis/rbac.authorization.k8s.io/v1/namespaces/${target.namespace}/roles`;
const MERGE = 'application/merge-patch+json';

const deployment = (name: string, spec: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: 'a' } },
    template: {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
    },
  },
});

test('what an apply leaves out of a new object has its default, and nobody owns it', async () => {
  const { status, doc } = await target.send('PATCH', `${deployments()}/applied?fieldManager=one`, {
    type: 'application/apply-patch+yaml',
    body: deployment('applied'),
  });
  expect(status).toBe(201);
  expect(doc).toMatchObject({ spec: { replicas: 1 } });
  expect(JSON.stringify(doc.metadata.managedFields)).not.toContain('f:replicas');
});

test('annotations written through the status do not count as a generation, those written to the object do', async () => {
  await target.done('POST', deployments(), deployment('annotated'));
  const annotate = async (path: string, value: string): Promise<unknown> => {
    const { doc } = await target.send('PATCH', `${deployments()}/annotated${path}`, {
      type: MERGE,
      body: { metadata: { annotations: { note: value } } },
    });
    expect(doc.metadata).toMatchObject({ annotations: { note: value } });
    return (doc.metadata as { readonly generation?: number }).generation;
  };
  expect(await annotate('/status', '1')).toBe(1);
  expect(await annotate('', '2')).toBe(2);
});

test('a template is warned of again when the generation grows, and not otherwise', async () => {
  const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' };
  await target.done('POST', deployments(), deployment('warned', { topologySpreadConstraints: [spread] }));
  const warning = async (metadata: object): Promise<unknown> => {
    const { headers } = await target.send('PATCH', `${deployments()}/warned`, {
      type: MERGE,
      body: { metadata },
    });
    return headers['warning'];
  };
  expect(await warning({ labels: { a: 'b' } })).toBeUndefined();
  expect(await warning({ annotations: { a: 'b' } })).toBe(
    '299 - "spec.template.spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod"',
  );
});

test('a default that a create dropped is written down by the first update, which so is no idle one', async () => {
  const claims = target.path('persistentvolumeclaims');
  const made = await target.done('POST', claims, {
    metadata: { name: 'claim' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  const idle = async (): Promise<Doc> =>
    (await target.send('PATCH', `${claims}/claim`, { type: MERGE, body: {} })).doc;
  const first = await idle();
  expect(versionOf(first)).not.toBe(versionOf(made));
  expect(await idle()).toEqual(first);
});

describe('an empty list that is always written', () => {
  test('is owned by who sent it, and null when it is read', async () => {
    const doc = await target.done('POST', roles(), { metadata: { name: 'empty' }, rules: [] });
    expect(doc).toMatchObject({ rules: null });
    expect(doc.metadata.managedFields).toMatchObject([{ fieldsV1: { 'f:rules': {} } }]);
  });

  test('goes from owner to owner, since what is stored is none', async () => {
    await target.done('POST', roles(), { metadata: { name: 'passed' }, rules: [] });
    const { doc } = await target.send('PATCH', `${roles()}/passed?fieldManager=other`, {
      type: MERGE,
      body: { rules: [] },
    });
    expect(doc.metadata.managedFields).toMatchObject([{ manager: 'other', fieldsV1: { 'f:rules': {} } }]);
  });
});

test('what the conversion to the stored version fills in belongs to who wrote', async () => {
  const scalers = `/apis/autoscaling/v1/namespaces/${target.namespace}/horizontalpodautoscalers`;
  const doc = await target.done('POST', scalers, {
    metadata: { name: 'plain' },
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
  });
  expect(doc).toMatchObject({ spec: { targetCPUUtilizationPercentage: 80 } });
  expect(doc.metadata.managedFields).toMatchObject([
    { fieldsV1: { 'f:spec': { 'f:maxReplicas': {}, 'f:targetCPUUtilizationPercentage': {} } } },
  ]);
});
