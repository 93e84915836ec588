/** Server-side apply: who owns which fields, and what happens when two want one. */
import { type Doc } from './documents.js';
import { useTarget } from './target.js';

const target = useTarget('apply');
const APPLY = 'application/apply-patch+yaml';

const configMap = (name: string, data: Readonly<Record<string, string>>): Named => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
interface Named {
  readonly metadata: { readonly name: string };
  readonly [member: string]: unknown;
}
const apply = (writer: string, object: Named, query = '') =>
  target.send('PATCH', target.path(`configmaps/${object.metadata.name}?fieldManager=${writer}${query}`), {
    type: APPLY,
    body: object,
  });
const ownersOf = (doc: Doc): object[] =>
  doc.metadata.managedFields.map(({ manager, operation, fieldsV1 }) => ({ manager, operation, fieldsV1 }));

test('an apply creates what is not there, and owns what it says', async () => {
  const { status, doc } = await apply('one', configMap('new', { a: '1' }));
  expect(status).toBe(201);
  expect(ownersOf(doc)).toEqual([
    { manager: 'one', operation: 'Apply', fieldsV1: { 'f:data': { 'f:a': {} } } },
  ]);
});

test('applying the same again writes nothing', async () => {
  const first = await apply('one', configMap('same', { a: '1' }));
  const again = await apply('one', configMap('same', { a: '1' }));
  expect(again.status).toBe(200);
  expect(again.doc).toEqual(first.doc);
});

test('what a writer does not apply any more goes, unless another one owns it', async () => {
  await apply('one', configMap('less', { a: '1', b: '2', c: '3' }));
  await apply('two', configMap('less', { b: '2' }));
  const { doc } = await apply('one', configMap('less', { a: '1' }));
  expect(doc.data).toEqual({ a: '1', b: '2' });
});

test('another value for what somebody owns is a conflict that names the owner and the field, and changes nothing', async () => {
  const first = await apply('one', configMap('conflict', { a: '1' }));
  const { status, doc } = await apply('two', configMap('conflict', { a: '2' }));
  expect(status).toBe(409);
  expect(doc).toMatchObject({
    reason: 'Conflict',
    message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
    details: {
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.a' }],
    },
  });
  const { doc: now } = await target.get(target.path('configmaps/conflict'));
  expect(now).toEqual(first.doc);
});

test('a forced apply takes the field over', async () => {
  await apply('one', configMap('forced', { a: '1', b: '1' }));
  const { status, doc } = await apply('two', configMap('forced', { a: '2' }), '&force=true');
  expect(status).toBe(200);
  expect(doc.data).toEqual({ a: '2', b: '1' });
  expect(ownersOf(doc)).toEqual([
    { manager: 'one', operation: 'Apply', fieldsV1: { 'f:data': { 'f:b': {} } } },
    { manager: 'two', operation: 'Apply', fieldsV1: { 'f:data': { 'f:a': {} } } },
  ]);
});

test('an update owns what it changes', async () => {
  await apply('one', configMap('updated', { a: '1' }));
  await target.send('PATCH', target.path('configmaps/updated?fieldManager=editor'), {
    type: 'application/merge-patch+json',
    body: { data: { b: '2' } },
  });
  const { status, doc } = await apply('one', configMap('updated', { a: '1', b: '3' }));
  expect(status).toBe(409);
  expect(doc.message).toBe('Apply failed with 1 conflict: conflict with "editor" using v1: .data.b');
});

test.each([
  [
    'another kind',
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } },
    'invalid object type: /v1, Kind=Secret',
  ],
  [
    'no name',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
    'the name of the object (x based on URL) was undeterminable: name must be provided',
  ],
  [
    'managedFields',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', managedFields: [] } },
    'metadata.managedFields must be nil',
  ],
])('a body with %s is a BadRequest', async (_what, body, message) => {
  const { status, doc } = await target.send('PATCH', target.path('configmaps/x?fieldManager=one'), {
    type: APPLY,
    body,
  });
  expect(status).toBe(400);
  expect(doc.message).toBe(message);
});

test('an apply must say who applies', async () => {
  const { status, doc } = await target.send('PATCH', target.path('configmaps/x'), {
    type: APPLY,
    body: configMap('x', {}),
  });
  expect(status).toBe(422);
  expect(doc.message).toBe(
    'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  );
});

test('a field that the schema does not have fails the apply', async () => {
  const { status, doc } = await apply('one', { ...configMap('typed', {}), zap: 1 });
  expect(status).toBe(500);
  expect(doc.message).toMatch(
    /^failed to create typed patch object \(.*\): \.zap: field not declared in schema$/,
  );
});

test('a first apply to an object that does not fit its schema says what does not', async () => {
  const accounts = target.path('serviceaccounts');
  await target.done('POST', accounts, { metadata: { name: 'unfit' }, secrets: [{}] });
  const { status, doc } = await target.send('PATCH', `${accounts}/unfit?fieldManager=one`, {
    type: APPLY,
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'unfit', labels: { a: 'b' } } },
  });
  expect(status).toBe(500);
  expect(doc.message).toBe(
    `failed to create manager for existing fields: failed to convert new object (${target.namespace}/unfit; /v1, Kind=ServiceAccount) to smd typed: .secrets: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
  );
});

test('an apply of what is no YAML says so as the converter does', async () => {
  const { status, doc } = await target.send('PATCH', target.path('configmaps/garbled?fieldManager=one'), {
    type: APPLY,
    body: '{"a":[}',
  });
  expect(status).toBe(400);
  expect(doc.message).toMatch(/^error decoding YAML: error converting YAML to JSON: yaml: /);
});

test('an apply that creates keeps the deletionTimestamp that it was sent, as no POST does', async () => {
  const deletionTimestamp = '2020-01-01T00:00:00Z';
  const dying = (name: string): Named => ({
    ...configMap(name, {}),
    metadata: { name, deletionTimestamp } as Named['metadata'],
  });
  expect((await apply('one', dying('dying'))).doc.metadata).toMatchObject({ deletionTimestamp });
  const posted = await target.done('POST', target.path('configmaps'), dying('living'));
  expect(posted.metadata).not.toHaveProperty('deletionTimestamp');
});

describe('admission', () => {
  const pod = (name: string, spec: object): object => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  });

  test('gives a pod its priority and lets it bear a failing node for a while, and nobody owns that', async () => {
    const { doc } = await target.send('POST', target.path('pods'), { body: pod('plain', {}) });
    expect(doc.spec).toMatchObject({
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
      tolerations: [
        {
          key: 'node.kubernetes.io/not-ready',
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        },
        {
          key: 'node.kubernetes.io/unreachable',
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        },
      ],
    });
    expect(JSON.stringify(ownersOf(doc))).not.toContain('priority');
  });

  test('takes the priority of a class, and refuses one that is not there', async () => {
    const made = await target.send('POST', target.path('pods'), {
      body: pod('ranked', { priorityClassName: 'system-node-critical' }),
    });
    expect(made.doc.spec).toMatchObject({ priority: 2_000_001_000 });
    const { status, doc } = await target.send('POST', target.path('pods'), {
      body: pod('lost', { priorityClassName: 'none' }),
    });
    expect(status).toBe(403);
    expect(doc.message).toBe('pods "lost" is forbidden: no PriorityClass with name none was found');
  });
});
