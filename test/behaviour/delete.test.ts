/** DELETE of an object: at once, or in two phases while finalizers hold it. */
import { brief, type Doc, versionOf } from './documents.js';
import { useTarget } from './target.js';

const target = useTarget('delete');
const path = (name: string): string => target.path(`configmaps/${name}`);
const remove = (name: string, body?: unknown, query = '') =>
  target.send('DELETE', path(name) + query, body === undefined ? {} : { body });
const held = (name: string): Promise<Doc> =>
  target.configMap(name, {}, { finalizers: ['example.com/a', 'example.com/b'] });
const patch = (name: string, body: unknown) =>
  target.send('PATCH', path(name), { body, type: 'application/merge-patch+json' });

test('an object that nothing holds is removed and answered with a Success that names it', async () => {
  const made = await target.configMap('free');
  const { status, doc } = await remove('free');
  expect(status).toBe(200);
  expect(doc).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: 'free', kind: 'configmaps', uid: made.metadata.uid },
  });
  expect((await target.get(path('free'))).status).toBe(404);
});

test('kinds that do so answer the removed object', async () => {
  await target.done('POST', target.path('services'), {
    metadata: { name: 's' },
    spec: { ports: [{ port: 80 }] },
  });
  const { status, doc } = await target.send('DELETE', target.path('services/s'));
  expect(status).toBe(200);
  expect(doc).toMatchObject({ kind: 'Service', metadata: { name: 's' } });
});

test('a missing object is a NotFound', async () => {
  const { status, doc } = await remove('missing');
  expect(status).toBe(404);
  expect(doc).toMatchObject({
    reason: 'NotFound',
    message: 'configmaps "missing" not found',
    details: { name: 'missing', kind: 'configmaps' },
  });
});

test('an object with finalizers stays, marked, until the last of them is removed', async () => {
  const made = await held('phased');
  const watch = await target.watch(
    target.path(
      `configmaps?watch=1&fieldSelector=metadata.name%3Dphased&resourceVersion=${made.metadata.resourceVersion}`,
    ),
  );

  const first = await remove('phased');
  expect(first.status).toBe(200);
  expect(first.doc).toMatchObject({ kind: 'ConfigMap', metadata: { deletionGracePeriodSeconds: 0 } });
  expect(first.doc.metadata.deletionTimestamp).toMatch(/Z$/);
  expect(versionOf(first.doc)).toBeGreaterThan(versionOf(made));
  expect(await watch.next()).toEqual({ type: 'MODIFIED', object: first.doc });

  // A second DELETE writes nothing: the next event is that of the write after it.
  expect((await remove('phased')).doc).toEqual(first.doc);

  const unmarked = await patch('phased', { metadata: { deletionTimestamp: null } });
  expect(unmarked.status).toBe(200);
  expect(unmarked.doc).toEqual(first.doc);

  const changed = await patch('phased', { data: { k: 'still writable' } });
  expect(changed.status).toBe(200);
  expect(await watch.next()).toEqual({ type: 'MODIFIED', object: changed.doc });

  const more = await patch('phased', {
    metadata: { finalizers: ['example.com/a', 'example.com/b', 'example.com/c'] },
  });
  expect(more.status).toBe(422);
  expect(more.doc.message).toBe(
    'ConfigMap "phased" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/c"}',
  );

  const one = await patch('phased', { metadata: { finalizers: ['example.com/b'] } });
  expect(await watch.next()).toEqual({ type: 'MODIFIED', object: one.doc });

  const last = await patch('phased', { metadata: { finalizers: null, labels: { late: 'yes' } } });
  expect(last.status).toBe(200);
  expect(last.doc.metadata).not.toHaveProperty('finalizers');
  expect(last.doc.metadata.labels).toEqual({ late: 'yes' });
  expect(last.doc.metadata.resourceVersion).toBe(one.doc.metadata.resourceVersion);

  const gone = await watch.next();
  expect(gone.type).toBe('DELETED');
  expect(versionOf(gone.object)).toBeGreaterThan(versionOf(one.doc));
  expect(gone.object).toEqual({
    ...one.doc,
    metadata: { ...one.doc.metadata, resourceVersion: gone.object.metadata.resourceVersion },
  });
  expect((await target.get(path('phased'))).status).toBe(404);

  const again = await target.configMap('phased');
  expect(again.metadata.uid).not.toBe(made.metadata.uid);
  expect(brief(await watch.next())).toBe('ADDED phased');
  watch.close();
});

test('while finalizers hold an object its name is taken', async () => {
  await held('taken');
  await remove('taken');
  const { status, doc } = await target.send('POST', target.path('configmaps'), {
    body: { metadata: { name: 'taken' } },
  });
  expect(status).toBe(409);
  expect(doc).toMatchObject({
    reason: 'AlreadyExists',
    message: 'object is being deleted: configmaps "taken" already exists',
  });
});

test('a DELETED event shows the last state under the version of the deletion', async () => {
  const made = await target.configMap('seen', { k: 'last' });
  const watch = await target.watch(
    target.path(
      `configmaps?watch=1&fieldSelector=metadata.name%3Dseen&resourceVersion=${made.metadata.resourceVersion}`,
    ),
  );
  await remove('seen');
  const event = await watch.next();
  expect(event.type).toBe('DELETED');
  expect(event.object.data).toEqual({ k: 'last' });
  expect(versionOf(event.object)).toBeGreaterThan(versionOf(made));
  expect(versionOf(event.object)).toBeLessThanOrEqual(
    versionOf(await target.done('GET', target.path('configmaps'))),
  );
  watch.close();
});

describe('preconditions', () => {
  test.each([
    [
      'uid',
      'zzz',
      /^Operation cannot be fulfilled on ConfigMap "guarded": the UID in the precondition \(zzz\) does not match the UID in record \([0-9a-f-]+\)\. The object might have been deleted and then recreated$/,
    ],
    [
      'resourceVersion',
      '1',
      /^Operation cannot be fulfilled on ConfigMap "guarded": the ResourceVersion in the precondition \(1\) does not match the ResourceVersion in record \(\d+\)\. The object might have been modified$/,
    ],
  ])('a %s of another state is a Conflict and removes nothing', async (member, value, message) => {
    await target.send('POST', target.path('configmaps'), { body: { metadata: { name: 'guarded' } } });
    const { status, doc } = await remove('guarded', { preconditions: { [member]: value } });
    expect(status).toBe(409);
    expect(doc).toMatchObject({ reason: 'Conflict', details: { name: 'guarded', kind: 'ConfigMap' } });
    expect(doc.message).toMatch(message);
    expect((await target.get(path('guarded'))).status).toBe(200);
  });

  test('that hold let the object go', async () => {
    const { metadata } = await target.configMap('matched');
    const { status } = await remove('matched', {
      preconditions: { uid: metadata.uid, resourceVersion: metadata.resourceVersion },
    });
    expect(status).toBe(200);
  });
});

test('dryRun=All answers as if and removes nothing, from the query and from the body', async () => {
  const made = await target.configMap('spared');
  expect((await remove('spared', undefined, '?dryRun=All')).doc.status).toBe('Success');
  expect((await remove('spared', { dryRun: ['All'] })).doc.status).toBe('Success');
  expect(await target.done('GET', path('spared'))).toEqual(made);
});

// Source: kube-apiserver 1.36.3.
test('a pod is shown terminating by a dry run, as it would be before it goes', async () => {
  const made = await target.done('POST', target.path('pods'), {
    metadata: { name: 'dry' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  const { doc } = await target.send('DELETE', target.path('pods/dry?dryRun=All'));
  expect(doc.metadata).toMatchObject({
    resourceVersion: made.metadata.resourceVersion,
    generation: 2,
    deletionGracePeriodSeconds: 0,
  });
  expect(doc.metadata).toHaveProperty('deletionTimestamp');
  const { doc: still } = await target.get(target.path('pods/dry'));
  expect(still.metadata).toEqual(made.metadata);
});

test.each([
  ['Foreground', 'foregroundDeletion'],
  ['Orphan', 'orphan'],
])(
  'propagationPolicy %s holds the object for the collector by the finalizer %s',
  async (propagationPolicy, finalizer) => {
    const name = `by-${propagationPolicy.toLowerCase()}`;
    await target.configMap(name);
    const { status, doc } = await remove(name, { propagationPolicy });
    expect(status).toBe(200);
    expect(doc.metadata.finalizers).toEqual([finalizer]);
    expect(doc.metadata.deletionTimestamp).toBeTruthy();
    await patch(name, { metadata: { finalizers: null } });
    expect((await target.get(path(name))).status).toBe(404);
  },
);

test('propagationPolicy Background removes at once', async () => {
  await target.configMap('background');
  expect((await remove('background', undefined, '?propagationPolicy=Background')).doc.status).toBe('Success');
});

test.each([
  [
    { propagationPolicy: 'Foo' },
    422,
    'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Foo": supported values: "Foreground", "Background", "Orphan", "nil"',
  ],
  [
    { propagationPolicy: 'Orphan', orphanDependents: true },
    422,
    'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
  ],
  [
    { kind: 'Foo', apiVersion: 'v1' },
    400,
    'no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
])('the options %j are refused', async (options, code, message) => {
  await target.send('POST', target.path('configmaps'), { body: { metadata: { name: 'refused' } } });
  const { status, doc } = await remove('refused', options);
  expect(status).toBe(code);
  expect(doc.message).toBe(message);
  expect((await target.get(path('refused'))).status).toBe(200);
});

describe('of a collection', () => {
  const fill = async (name: string): Promise<string> => {
    const namespace = await target.namespaceNamed(target.unique(`delete-${name}`));
    const collection = `/api/v1/namespaces/${namespace}/configmaps`;
    const make = (one: string, metadata: object) =>
      target.done('POST', collection, { metadata: { name: one, ...metadata } });
    await make('a', { labels: { app: 'x' } });
    await make('b', { labels: { app: 'x' }, finalizers: ['example.com/a'] });
    await make('c', { labels: { app: 'y' } });
    return collection;
  };
  const left = async (collection: string): Promise<readonly string[]> =>
    (await target.done('GET', collection)).items.map(({ metadata }) =>
      metadata.deletionTimestamp === undefined ? metadata.name : `${metadata.name} (deleting)`,
    );

  test('removes what a selector selects, marks what is held, and answers the items as they were', async () => {
    const collection = await fill('selected');
    const { status, doc } = await target.send('DELETE', `${collection}?labelSelector=app%3Dx`);
    expect(status).toBe(200);
    expect(doc.kind).toBe('ConfigMapList');
    expect(doc.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    for (const { metadata } of doc.items) expect(metadata).not.toHaveProperty('deletionTimestamp');
    expect(await left(collection)).toEqual(['b (deleting)', 'c']);
    await target.done(
      'PATCH',
      `${collection}/b`,
      { metadata: { finalizers: null } },
      'application/merge-patch+json',
    );
  });

  test('with a limit removes one page', async () => {
    const collection = await fill('limited');
    await target.done('DELETE', `${collection}?limit=1`);
    expect(await left(collection)).toEqual(['b', 'c']);
    await target.done(
      'PATCH',
      `${collection}/b`,
      { metadata: { finalizers: null } },
      'application/merge-patch+json',
    );
  });

  test('with dryRun=All removes nothing', async () => {
    const collection = await fill('tried');
    const { status, doc } = await target.send('DELETE', `${collection}?dryRun=All`);
    expect(status).toBe(200);
    expect(doc.items).toHaveLength(3);
    expect(await left(collection)).toEqual(['a', 'b', 'c']);
    await target.done(
      'PATCH',
      `${collection}/b`,
      { metadata: { finalizers: null } },
      'application/merge-patch+json',
    );
  });

  test('that does not exist is an empty list', async () => {
    const { status, doc } = await target.send('DELETE', '/api/v1/namespaces/absent/configmaps');
    expect(status).toBe(200);
    expect(doc.items).toEqual([]);
  });
});
