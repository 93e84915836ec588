/** PUT of an object, and of its status. */
import { type Doc, versionOf } from './documents.js';
import { useTarget } from './target.js';

const target = useTarget('update');
const path = (name: string): string => target.path(`configmaps/${name}`);
const put = (at: string, body: unknown, query = '') => target.send('PUT', at + query, { body });

test('what only the server sets is taken from the stored object', async () => {
  const made = await target.configMap('kept');
  const { status, doc } = await put(path('kept'), {
    metadata: { ...made.metadata, creationTimestamp: '2001-01-01T00:00:00Z', generation: 77 },
    data: { k: '2' },
  });
  expect(status).toBe(200);
  expect(doc.metadata.creationTimestamp).toBe(made.metadata.creationTimestamp);
  expect(doc.metadata.uid).toBe(made.metadata.uid);
});

test('a member that the new form does not have is gone', async () => {
  await target.configMap('replaced', { a: '1', b: '2' }, { labels: { l: '1' } });
  const { doc } = await put(path('replaced'), { metadata: { name: 'replaced' }, data: { b: '3' } });
  expect(doc.data).toEqual({ b: '3' });
  expect(doc.metadata).not.toHaveProperty('labels');
});

test('an update that changes nothing keeps the version and sends no event', async () => {
  const made = await target.configMap('same', { k: '1' });
  const watch = await target.watch(
    target.path(`configmaps?watch=1&resourceVersion=${made.metadata.resourceVersion}`),
  );
  const { status, doc } = await put(path('same'), made);
  expect(status).toBe(200);
  expect(doc.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
  const changed = await target.done('PUT', path('same'), { ...made, data: { k: '2' } });
  expect(await watch.next()).toEqual({ type: 'MODIFIED', object: changed });
  watch.close();
});

test('an object that is not there is not made by an update', async () => {
  const { status, doc } = await put(path('absent'), { metadata: { name: 'absent' } });
  expect(status).toBe(404);
  expect(doc).toMatchObject({ reason: 'NotFound', message: 'configmaps "absent" not found' });
});

test('a kind that may be made by an update is made, with 201', async () => {
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${target.namespace}/leases`;
  const { status, doc } = await put(`${leases}/made`, { metadata: { name: 'made' }, spec: {} });
  expect(status).toBe(201);
  expect(doc.metadata.uid).toBeTruthy();
});

test.each([
  [
    'another name',
    { metadata: { name: 'other' } },
    'the name of the object (other) does not match the name on the URL (named)',
  ],
  [
    'no name',
    { metadata: {} },
    'the name of the object (named based on URL) was undeterminable: name must be provided',
  ],
  [
    'another namespace',
    { metadata: { name: 'named', namespace: 'other' } },
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
])('a body with %s is a BadRequest', async (_what, body, message) => {
  const { status, doc } = await put(path('named'), body);
  expect(status).toBe(400);
  expect(doc).toMatchObject({ reason: 'BadRequest', message });
});

test('a version that is no number is an error without a reason', async () => {
  await target.configMap('odd');
  const { status, doc } = await put(path('odd'), { metadata: { name: 'odd', resourceVersion: 'abc' } });
  expect(status).toBe(500);
  expect(doc.message).toBe('strconv.ParseUint: parsing "abc": invalid syntax');
  expect(doc).not.toHaveProperty('reason');
});

test('dryRun=All answers the result and stores nothing', async () => {
  const made = await target.configMap('tried', { k: '1' });
  const { status, doc } = await put(
    path('tried'),
    { metadata: { name: 'tried' }, data: { k: '2' } },
    '?dryRun=All',
  );
  expect(status).toBe(200);
  expect(doc.data).toEqual({ k: '2' });
  expect(await target.done('GET', path('tried'))).toEqual(made);
});

test.each([
  ['configmaps', '/api/v1', ['labels', 'labels', 'labels', 'finalizers[0]', 'labels', 'finalizers[0]']],
  ['limitranges', '/api/v1', ['labels', 'labels', 'labels', 'finalizers[0]']],
  ['leases', '/apis/coordination.k8s.io/v1', ['labels', 'labels', 'labels']],
])('bad metadata of %s is refused as often as the kind looks at it', async (plural, version, fields) => {
  const collection = `${version}/namespaces/${target.namespace}/${plural}`;
  const { metadata } = await target.done('POST', collection, { metadata: { name: 'checked' } });
  const { status, doc } = await put(`${collection}/checked`, {
    metadata: { ...metadata, labels: { 'a b': '' }, finalizers: ['no-domain'] },
  });
  expect(status).toBe(422);
  expect(doc.details.causes.map(({ field }) => field)).toEqual(fields.map((field) => `metadata.${field}`));
});

test('an immutable object takes a change of its labels', async () => {
  const made = await target.done('POST', target.path('configmaps'), {
    metadata: { name: 'fixed' },
    immutable: true,
    data: { k: '1' },
  });
  const { status } = await put(path('fixed'), {
    ...made,
    metadata: { ...made.metadata, labels: { l: '1' } },
  });
  expect(status).toBe(200);
});

describe('of a kind with status and generation', () => {
  const deployments = (): string => `/apis/apps/v1/namespaces/${target.namespace}/deployments`;
  const spec = (replicas: number) => ({
    replicas,
    selector: { matchLabels: { app: 'x' } },
    template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  });
  const make = (name: string): Promise<Doc> =>
    target.done('POST', deployments(), { metadata: { name }, spec: spec(1), status: { replicas: 9 } });

  test('creation starts at generation 1 and drops the status that the client sent', async () => {
    const made = await make('born');
    expect(made.metadata.generation).toBe(1);
    expect(made.status).toEqual({});
  });

  test('a change of spec moves the generation by one; labels do not', async () => {
    const made = await make('grown');
    const at = `${deployments()}/grown`;
    const changed = (await put(at, { ...made, spec: spec(2) })).doc;
    expect(changed.metadata.generation).toBe(2);
    const labelled = (await put(at, { ...changed, metadata: { ...changed.metadata, labels: { l: '1' } } }))
      .doc;
    expect(labelled.metadata.generation).toBe(2);
    expect(versionOf(labelled)).toBeGreaterThan(versionOf(changed));
  });

  test('a generation that the client sends is ignored', async () => {
    const made = await make('claimed');
    const { doc } = await put(`${deployments()}/claimed`, {
      ...made,
      metadata: { ...made.metadata, generation: 77, labels: { l: '1' } },
    });
    expect(doc.metadata.generation).toBe(1);
  });

  test('the main path leaves the status alone', async () => {
    const made = await make('apart');
    const { doc } = await put(`${deployments()}/apart`, { ...made, spec: spec(3), status: { replicas: 5 } });
    expect(doc.status).toEqual({});
    expect(doc.spec['replicas']).toBe(3);
  });

  test('the status path leaves everything else alone', async () => {
    const made = await make('reported');
    const { status, doc } = await put(`${deployments()}/reported/status`, {
      ...made,
      spec: spec(99),
      status: { replicas: 1, observedGeneration: 1 },
    });
    expect(status).toBe(200);
    expect(doc.status).toEqual({ replicas: 1, observedGeneration: 1 });
    expect(doc.spec['replicas']).toBe(1);
    expect(doc.metadata.generation).toBe(1);
    expect(versionOf(doc)).toBeGreaterThan(versionOf(made));
    expect(await target.done('GET', `${deployments()}/reported/status`)).toEqual(doc);
  });

  test('a stale version is a Conflict on the status path too', async () => {
    const made = await make('stale');
    await put(`${deployments()}/stale`, { ...made, spec: spec(2) });
    const { status, doc } = await put(`${deployments()}/stale/status`, { ...made, status: { replicas: 1 } });
    expect(status).toBe(409);
    expect(doc).toMatchObject({ reason: 'Conflict', details: { group: 'apps', kind: 'deployments' } });
  });
});
