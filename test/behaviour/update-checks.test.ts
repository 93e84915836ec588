/** In which order, and how often, an update's errors in the metadata stand beside those of the kind. */
import { useTarget } from './target.js';

const target = useTarget('checks');

/** What is wrong, for all kinds alike; `own` is what the kind itself refuses. */
const WRONG = {
  deletionTimestamp: '2020-01-01T00:00:00Z',
  labels: { 'x/y/z': '' },
  finalizers: ['nodomain'],
  ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'n', uid: '' }],
};
const LETTERS: Readonly<Record<string, string>> = {
  'metadata.deletionTimestamp': 'd',
  'metadata.labels': 'l',
  'metadata.ownerReferences.uid': 'o',
  'metadata.finalizers[0]': 'f',
};

const container = { name: 'c', image: 'i' };
const core = (plural: string): string => target.path(plural);
const grouped = (group: string, plural: string): string =>
  target.path(plural).replace('/api/v1/', `/apis/${group}/`);

// Source: answers of kube-apiserver 1.36.3. Common to all are `lo dlo`; what follows is the kind's own.
test.each([
  ['ConfigMap', () => core('configmaps'), {}, { data: { '..': '' } }, 'lo dlo dlof lof own'],
  [
    'LimitRange',
    () => core('limitranges'),
    { spec: {} },
    { spec: { limits: [{ type: '' }] } },
    'lo dlo lof own',
  ],
  [
    'Job',
    () => grouped('batch/v1', 'jobs'),
    { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
    { spec: { parallelism: -1, template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
    'lo dlo lof own dlof',
  ],
  [
    'PodDisruptionBudget',
    () => grouped('policy/v1', 'poddisruptionbudgets'),
    { spec: { minAvailable: 1 } },
    { spec: { minAvailable: -1 } },
    'lo dlo own',
  ],
  [
    'Lease',
    () => grouped('coordination.k8s.io/v1', 'leases'),
    { spec: {} },
    { spec: { leaseDurationSeconds: -1 } },
    'lo dlo dlo own',
  ],
  [
    'Role',
    () => grouped('rbac.authorization.k8s.io/v1', 'roles'),
    { rules: [] },
    { rules: [{ verbs: [] }] },
    'lo dlo lof own dlof',
  ],
])('of a %s', async (kind, path, good, bad, expected) => {
  const made = await target.send('POST', path(), { body: { kind, metadata: { name: 'a' }, ...good } });
  expect(made.status).toBe(201);
  const { doc } = await target.send('PUT', `${path()}/a`, {
    body: {
      ...made.doc,
      ...bad,
      metadata: { name: 'a', resourceVersion: made.doc.metadata.resourceVersion, ...WRONG },
    },
  });
  const letters = doc.details.causes.map(({ field = '' }: { field?: string }) => LETTERS[field] ?? 'own');
  // Several errors of the kind that stand together count as one.
  const found = letters.filter((one: string, i: number) => one !== 'own' || letters[i - 1] !== 'own');
  expect(found).toEqual(expected.split(' ').flatMap((part) => (part === 'own' ? [part] : Array.from(part))));
});

test('what has no name once it is answered is not found under one', async () => {
  const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  for (const method of ['GET', 'PUT', 'DELETE'])
    expect(await target.send(method, `${reviews}/a`, { body: {} })).toMatchObject({ status: 404 });
  expect(await target.send('PUT', reviews, { body: {} })).toMatchObject({ status: 405 });
});
