/** PATCH by JSON patch and by merge patch. */
import { type Doc, versionOf } from './documents.js';
import { useTarget } from './target.js';

const target = useTarget('patch');
const path = (name: string): string => target.path(`configmaps/${name}`);
const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const patch = (name: string, type: string, body: unknown, query = '') =>
  target.send('PATCH', path(name) + query, { type, body });
const stored = (name: string): Promise<Doc> => target.done('GET', path(name));

const GENERIC = 'the server rejected our request due to an error in our request';

describe('a JSON patch', () => {
  test('changes, adds, removes, copies and moves', async () => {
    const made = await target.configMap('ops', { a: '1', b: '2' });
    const { status, doc } = await patch('ops', JSON_PATCH, [
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'replace', path: '/data/a', value: '9' },
      { op: 'add', path: '/data/c', value: '3' },
      { op: 'copy', from: '/data/c', path: '/data/d' },
      { op: 'move', from: '/data/b', path: '/data/f' },
      { op: 'remove', path: '/data/c' },
      { op: 'add', path: '/metadata/annotations', value: {} },
      { op: 'add', path: '/metadata/annotations/example.com~1e', value: '4' },
    ]);
    expect(status).toBe(200);
    expect(doc.data).toEqual({ a: '9', d: '3', f: '2' });
    expect(doc.metadata.annotations).toEqual({ 'example.com/e': '4' });
    expect(versionOf(doc)).toBeGreaterThan(versionOf(made));
  });

  test.each([
    ['a test that fails', [{ op: 'test', path: '/data/a', value: '2' }]],
    ['a removal of what is not there', [{ op: 'remove', path: '/data/zz' }]],
    ['a path into nothing', [{ op: 'add', path: '/spec/x/y', value: 1 }]],
    [
      'a good operation before a bad one',
      [
        { op: 'replace', path: '/data/a', value: '2' },
        { op: 'remove', path: '/data/zz' },
      ],
    ],
  ])('with %s is an Invalid that names no operation, and stores nothing', async (_what, operations) => {
    await target.send('POST', target.path('configmaps'), {
      body: { metadata: { name: 'bad' }, data: { a: '1' } },
    });
    const before = await stored('bad');
    const { status, doc } = await patch('bad', JSON_PATCH, operations);
    expect(status).toBe(422);
    expect(doc).toMatchObject({ reason: 'Invalid', message: GENERIC, details: {} });
    expect(await stored('bad')).toEqual(before);
  });

  test('replaces a member that is not there', async () => {
    await target.configMap('lenient', { a: '1' });
    const { status, doc } = await patch('lenient', JSON_PATCH, [
      { op: 'replace', path: '/data/zz', value: '2' },
    ]);
    expect(status).toBe(200);
    expect(doc.data).toEqual({ a: '1', zz: '2' });
  });

  test('that is no array is a BadRequest', async () => {
    await target.configMap('object');
    const { status, doc } = await patch('object', JSON_PATCH, { op: 'remove', path: '/data' });
    expect(status).toBe(400);
    expect(doc.message).toMatch(
      /^error decoding patch: json: cannot unmarshal object into Go value of type /,
    );
  });

  test('of more than 10,000 operations is too large', async () => {
    await target.configMap('many');
    const operations = Array.from({ length: 10_001 }, () => ({
      op: 'test',
      path: '/kind',
      value: 'ConfigMap',
    }));
    const { status, doc } = await patch('many', JSON_PATCH, operations);
    expect(status).toBe(413);
    expect(doc).toMatchObject({
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
  });
});

describe('a merge patch', () => {
  test('removes by null and replaces lists as a whole', async () => {
    await target.configMap('merged', { a: '1', b: '2' }, { finalizers: ['example.com/a', 'example.com/b'] });
    const { status, doc } = await patch('merged', MERGE_PATCH, {
      data: { a: null, c: '3' },
      metadata: { finalizers: ['example.com/c'] },
    });
    expect(status).toBe(200);
    expect(doc.data).toEqual({ b: '2', c: '3' });
    expect(doc.metadata.finalizers).toEqual(['example.com/c']);
    await patch('merged', MERGE_PATCH, { metadata: { finalizers: null } });
  });

  test.each([
    [
      'array',
      [],
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    ['nothing', '', 'error decoding patch: unexpected end of JSON input'],
    ['null', null, 'Invalid JSON Patch'],
  ])('that is %s is a BadRequest', async (_what, body, message) => {
    await target.send('POST', target.path('configmaps'), { body: { metadata: { name: 'odd' } } });
    const { status, doc } = await patch('odd', MERGE_PATCH, body);
    expect(status).toBe(400);
    expect(doc.message).toBe(message);
  });

  test('with charset in its type is taken', async () => {
    await target.configMap('charset', { a: '1' });
    const { status } = await patch('charset', `${MERGE_PATCH}; charset=utf-8`, { data: { a: '2' } });
    expect(status).toBe(200);
  });
});

test('a patch that changes nothing keeps the version and sends no event', async () => {
  const made = await target.configMap('same', { a: '1' });
  const watch = await target.watch(
    target.path(
      `configmaps?watch=1&fieldSelector=metadata.name%3Dsame&resourceVersion=${made.metadata.resourceVersion}`,
    ),
  );
  for (const [type, body] of [
    [MERGE_PATCH, { data: { a: '1' } }],
    [JSON_PATCH, [{ op: 'replace', path: '/data/a', value: '1' }]],
    [MERGE_PATCH, {}],
  ] as const) {
    expect((await patch('same', type, body)).doc).toEqual(made);
  }
  const changed = (await patch('same', MERGE_PATCH, { data: { a: '2' } })).doc;
  expect(await watch.next()).toEqual({ type: 'MODIFIED', object: changed });
  watch.close();
});

test('a patch of a missing object is a NotFound', async () => {
  for (const [type, body] of [
    [MERGE_PATCH, {}],
    [JSON_PATCH, []],
  ] as const) {
    const { status, doc } = await patch('missing', type, body);
    expect(status).toBe(404);
    expect(doc).toMatchObject({ reason: 'NotFound', message: 'configmaps "missing" not found' });
  }
});

test('a stale version in a patch is a Conflict, the latest one passes', async () => {
  const made = await target.configMap('locked', { a: '1' });
  const { metadata } = (await patch('locked', MERGE_PATCH, { data: { a: '2' } })).doc;
  const stale = await patch('locked', MERGE_PATCH, {
    metadata: { resourceVersion: made.metadata.resourceVersion },
    data: { a: '3' },
  });
  expect(stale.status).toBe(409);
  expect(stale.doc).toMatchObject({ reason: 'Conflict' });
  const fresh = await patch('locked', MERGE_PATCH, {
    metadata: { resourceVersion: metadata.resourceVersion },
    data: { a: '3' },
  });
  expect(fresh.status).toBe(200);
});

test('patches that meet are all applied, without a Conflict', async () => {
  await target.configMap('met', {});
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map((key) => patch('met', MERGE_PATCH, { data: { [key]: '1' } })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await stored('met')).data).toEqual({ a: '1', b: '1', c: '1', d: '1' });
});

test.each([
  [
    'the name',
    { metadata: { name: 'other' } },
    400,
    'the name of the object (other) does not match the name on the URL (fixed)',
  ],
  [
    'the namespace',
    { metadata: { namespace: 'other' } },
    400,
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
])('a patch of %s is refused', async (_what, body, code, message) => {
  await target.send('POST', target.path('configmaps'), { body: { metadata: { name: 'fixed' } } });
  const { status, doc } = await patch('fixed', MERGE_PATCH, body);
  expect(status).toBe(code);
  expect(doc.message).toBe(message);
});

test.each([
  ['unlike', { a: 'x' }, 'illegal base64 data at input byte 0'],
  ['kinded', {}, 'converting (v1.Secret) to (core.ConfigMap): unknown conversion'],
])('a patch of the kind is refused: %s', async (name, data, why) => {
  await target.configMap(name, data);
  const { status, doc } = await patch(name, JSON_PATCH, [{ op: 'replace', path: '/kind', value: 'Secret' }]);
  expect(status).toBe(422);
  expect(doc.message).toMatch(/^ "" is invalid: patch: Invalid value: "/);
  expect(doc.message.slice(-why.length - 3)).toBe(`": ${why}`);
});

test.each([
  ['merge', MERGE_PATCH, { apiVersion: null, kind: null }],
  ['json', JSON_PATCH, [{ op: 'remove', path: '/apiVersion' }]],
])('a %s patch that takes away the apiVersion leaves no name', async (name, type, body) => {
  await target.configMap(`nameless-${name}`);
  const { status, doc } = await patch(`nameless-${name}`, type, body);
  expect(status).toBe(400);
  expect(doc.message).toBe(
    `the name of the object (nameless-${name} based on URL) was undeterminable: name must be provided`,
  );
});

test('a patch may take away the kind', async () => {
  await target.configMap('any-kind');
  const { status, doc } = await patch('any-kind', MERGE_PATCH, { kind: null });
  expect([status, doc.kind]).toEqual([200, 'ConfigMap']);
});

test('a patch of the uid is refused', async () => {
  const made = await target.configMap('identified');
  const { status, doc } = await patch('identified', MERGE_PATCH, { metadata: { uid: 'zzz' } });
  expect(status).toBe(422);
  expect(doc.details.causes[0]).toMatchObject({
    field: 'metadata.uid',
    message: 'Invalid value: "zzz": field is immutable',
  });
  expect(await stored('identified')).toEqual(made);
});

test('a patch whose result is of a wrong type or invalid stores nothing', async () => {
  const made = await target.configMap('checked', { a: '1' });
  const typed = await patch('checked', MERGE_PATCH, { data: { a: 1 } });
  expect(typed.status).toBe(422);
  expect(typed.doc.message).toMatch(
    /^ "" is invalid: patch: Invalid value: ".*": json: cannot unmarshal number into Go struct field ConfigMap\.data of type string$/,
  );
  const invalid = await patch('checked', MERGE_PATCH, { metadata: { labels: { 'a b': '1' } } });
  expect(invalid.status).toBe(422);
  expect(invalid.doc.details.causes[0]).toMatchObject({
    reason: 'FieldValueInvalid',
    field: 'metadata.labels',
  });
  expect(await stored('checked')).toEqual(made);
});

test('dryRun=All answers the result and stores nothing', async () => {
  const made = await target.configMap('tried', { a: '1' });
  const { doc } = await patch('tried', MERGE_PATCH, { data: { a: '2' } }, '?dryRun=All');
  expect(doc.data).toEqual({ a: '2' });
  expect(await stored('tried')).toEqual(made);
});

test.each(['application/json', 'application/yaml', 'text/plain'])(
  'a patch as %s is an UnsupportedMediaType',
  async (type) => {
    await target.send('POST', target.path('configmaps'), { body: { metadata: { name: 'typed' } } });
    const { status, doc } = await patch('typed', type, {});
    expect(status).toBe(415);
    expect(doc).toMatchObject({
      reason: 'UnsupportedMediaType',
      message: '415: Unsupported Media Type',
      details: {},
    });
  },
);

test('a patch without a content type is an UnsupportedMediaType', async () => {
  const { status } = await target.send('PATCH', path('untyped'));
  expect(status).toBe(415);
});

test('force belongs to apply alone', async () => {
  const { status, doc } = await patch('forced', MERGE_PATCH, {}, '?force=true');
  expect(status).toBe(422);
  expect(doc.message).toBe(
    'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
  );
});

describe('of a status', () => {
  test('changes the status alone', async () => {
    const claims = target.path('persistentvolumeclaims');
    const made = await target.done('POST', claims, {
      metadata: { name: 'claim' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    const { status, doc } = await target.send('PATCH', `${claims}/claim/status`, {
      type: MERGE_PATCH,
      body: { spec: { volumeName: 'v' }, status: { phase: 'Lost' } },
    });
    expect(status).toBe(200);
    expect(doc.status).toMatchObject({ phase: 'Lost' });
    expect(doc.spec).toEqual(made.spec);
    const again = await target.send('PATCH', `${claims}/claim/status`, {
      type: MERGE_PATCH,
      body: { spec: { volumeName: 'v' } },
    });
    expect(again.doc.metadata.resourceVersion).toBe(doc.metadata.resourceVersion);
  });
});
