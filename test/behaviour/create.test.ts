/** POST of a collection. */
import { useTarget } from './target.js';

const target = useTarget('create');
const collection = (): string => target.path('configmaps');
const post = (body: unknown, query = '') => target.send('POST', collection() + query, { body });

test('a created object is answered with 201 and what only the server sets', async () => {
  const { status, doc } = await post({ metadata: { name: 'fresh' }, data: { k: '1' } });
  expect(status).toBe(201);
  expect(doc).toMatchObject({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'fresh', namespace: target.namespace },
    data: { k: '1' },
  });
  expect(doc.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(doc.metadata.resourceVersion).toMatch(/^[1-9][0-9]*$/);
  expect(doc.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

test('what a client says about uid, times and deletion is not kept', async () => {
  const { status, doc } = await post({
    metadata: {
      name: 'presumptuous',
      uid: 'mine',
      creationTimestamp: '2001-01-01T00:00:00Z',
      deletionTimestamp: '2001-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 5,
      selfLink: '/mine',
    },
  });
  expect(status).toBe(201);
  expect(doc.metadata.uid).not.toBe('mine');
  expect(doc.metadata.creationTimestamp).not.toMatch(/^2001/);
  expect(doc.metadata).not.toHaveProperty('deletionTimestamp');
  expect(doc.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
  expect(doc.metadata).not.toHaveProperty('selfLink');
});

test('a resourceVersion in the body is refused and nothing is stored', async () => {
  const { status, doc } = await post({ metadata: { name: 'versioned', resourceVersion: '5' } });
  expect(status).toBe(500);
  expect(doc).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'resourceVersion should not be set on objects to be created',
    code: 500,
  });
  expect((await target.get(target.path('configmaps/versioned'))).status).toBe(404);
});

test('a second object of the same name is refused with AlreadyExists', async () => {
  await target.configMap('twice');
  const { status, doc } = await post({ metadata: { name: 'twice' } });
  expect(status).toBe(409);
  expect(doc).toMatchObject({
    reason: 'AlreadyExists',
    message: 'configmaps "twice" already exists',
    details: { name: 'twice', kind: 'configmaps' },
  });
});

test('a name is made from generateName, and two of them differ', async () => {
  const made = [
    await post({ metadata: { generateName: 'gen-' } }),
    await post({ metadata: { generateName: 'gen-' } }),
  ];
  const [first, second] = made.map(({ doc }) => doc.metadata.name);
  expect(first).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  expect(second).not.toBe(first);
  expect(made[0]?.doc.metadata.generateName).toBe('gen-');
});

test('a long generateName is cut so that the name has 63 characters', async () => {
  const { doc } = await post({ metadata: { generateName: 'x'.repeat(70) } });
  expect(doc.metadata.name).toMatch(/^x{58}[a-z0-9]{5}$/);
});

test.each([
  ['no name', { metadata: {} }, 'Required value: name or generateName is required'],
  ['a name that is too long', { metadata: { name: 'a'.repeat(254) } }, 'must be no more than 253 characters'],
  [
    'a name that is no DNS name',
    { metadata: { name: 'Bad_Name' } },
    /a lowercase RFC 1123 subdomain must consist/,
  ],
])('%s is an Invalid with the field metadata.name', async (_case, body, message) => {
  const { status, doc } = await post(body);
  expect(status).toBe(422);
  expect(doc).toMatchObject({ reason: 'Invalid', details: { kind: 'ConfigMap' } });
  expect(doc.details.causes[0]).toMatchObject({ field: 'metadata.name' });
  expect(doc.message).toMatch(message);
});

test('the namespace of the body must be that of the path', async () => {
  const { status, doc } = await post({ metadata: { name: 'a', namespace: 'elsewhere' } });
  expect(status).toBe(400);
  expect(doc.message).toBe(
    'the namespace of the provided object does not match the namespace sent on the request',
  );
});

test('a cluster-scoped object loses a namespace that its body names', async () => {
  const name = target.unique('clustered');
  const role = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const { status, doc } = await target.send('POST', role, {
    body: { metadata: { name, namespace: 'default' }, rules: [] },
  });
  expect(status).toBe(201);
  expect(doc.metadata).not.toHaveProperty('namespace');
  await target.done('DELETE', `${role}/${name}`);
});

test('dryRun=All answers as if, but stores nothing and gives no version', async () => {
  const { status, doc } = await post({ metadata: { name: 'tried' } }, '?dryRun=All');
  expect(status).toBe(201);
  expect(doc.metadata.uid).toBeTruthy();
  expect(doc.metadata).not.toHaveProperty('resourceVersion');
  expect((await target.get(target.path('configmaps/tried'))).status).toBe(404);
});

test.each([
  ['dryRun=Foo', 'dryRun: Unsupported value: ["Foo"]: supported values: "All"'],
  [
    'fieldValidation=Foo',
    'fieldValidation: Unsupported value: "Foo": supported values: "", "Ignore", "Strict", "Warn"',
  ],
  [`fieldManager=${'m'.repeat(129)}`, 'fieldManager: Too long: may not be more than 128 bytes'],
])('the option %s is an Invalid of CreateOptions', async (query, error) => {
  const { status, doc } = await post({ metadata: { name: 'optioned' } }, `?${query}`);
  expect(status).toBe(422);
  expect(doc.message).toBe(`CreateOptions.meta.k8s.io "" is invalid: ${error}`);
  expect(doc.details).toMatchObject({ group: 'meta.k8s.io', kind: 'CreateOptions' });
});

describe('an unknown field', () => {
  const body = { metadata: { name: 'unknown' }, data: {}, bogus: 1 };

  test('is warned of and dropped by default', async () => {
    const { status, headers, doc } = await post(body, '?dryRun=All');
    expect(status).toBe(201);
    expect(headers['warning']).toBe('299 - "unknown field \\"bogus\\""');
    expect(doc).not.toHaveProperty('bogus');
  });

  test('is dropped silently with Ignore', async () => {
    const { status, headers } = await post(body, '?dryRun=All&fieldValidation=Ignore');
    expect(status).toBe(201);
    expect(headers).not.toHaveProperty('warning');
  });

  test('is refused with Strict', async () => {
    const { status, doc } = await post(body, '?fieldValidation=Strict');
    expect(status).toBe(400);
    expect(doc.message).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "bogus"',
    );
  });
});

test('a body in YAML is taken, and an answer in YAML is given', async () => {
  const { status, headers, text } = await target.send('POST', collection(), {
    type: 'application/yaml',
    headers: { Accept: 'application/yaml' },
    body: 'metadata:\n  name: from-yaml\ndata:\n  k: "yes"\n',
  });
  expect(status).toBe(201);
  expect(headers['content-type']).toBe('application/yaml');
  expect(text).toMatch(/^apiVersion: v1\ndata:\n {2}k: "yes"\nkind: ConfigMap\nmetadata:\n/);
});

test.each([
  ['kind', { kind: 'Secret', apiVersion: 'v1' }, /^Secret in version "v1" cannot be handled as a ConfigMap/],
  [
    'version',
    { kind: 'ConfigMap', apiVersion: 'v2' },
    /^ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2"/,
  ],
  [
    'kind that does not decode',
    { kind: 'Deployment', apiVersion: 'apps/v1', spec: { replicas: 'x' } },
    /^Deployment in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct field DeploymentSpec\.spec\.replicas of type int32$/,
  ],
  [
    'kind, a list',
    { kind: 'ConfigMapList', apiVersion: 'v1' },
    /cannot be handled as a ConfigMap: converting \(v1\.ConfigMapList\) to \(core\.ConfigMap\): unknown conversion$/,
  ],
  [
    'kind, a Status',
    { kind: 'Status', apiVersion: 'v1' },
    /converting \(v1\.Status\) to \(core\.ConfigMap\): unknown conversion$/,
  ],
  [
    'version that is none',
    { kind: 'ConfigMap', apiVersion: 'a/b/c' },
    /^the object provided is unrecognized \(must be of type ConfigMap\): unexpected GroupVersion string: a\/b\/c \(\{"kind":/,
  ],
])('a body of another %s is a BadRequest', async (_what, type, message) => {
  const { status, doc } = await post({ ...type, metadata: { name: 'a' } });
  expect(status).toBe(400);
  expect(doc).toMatchObject({ reason: 'BadRequest' });
  expect(doc.message).toMatch(message);
});

test('a content type that no body has is refused with 415 before the body is looked at', async () => {
  const { status, doc } = await target.send('POST', collection(), { body: 'x', type: 'text/plain' });
  expect(status).toBe(415);
  expect(doc).toMatchObject({
    reason: 'UnsupportedMediaType',
    message:
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
  });
});

test('an Event owns nothing', async () => {
  const owner = { apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' };
  const { status, doc } = await post({ metadata: { name: 'owned', ownerReferences: [owner] } });
  expect(status).toBe(422);
  expect(doc.details.causes).toEqual([
    {
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(owner)}: /v1, Kind=Event is disallowed from being an owner`,
      field: 'metadata.ownerReferences',
    },
  ]);
});
