/** GET of one object. */
import { useTarget } from './target.js';

const target = useTarget('get');

beforeAll(async () => {
  await target.configMap('here', { k: '1' }, { labels: { app: 'web' } });
});

test('an object is answered in the order of the members of its kind', async () => {
  const { status, headers, text } = await target.get(target.path('configmaps/here'));
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/json');
  expect(headers['cache-control']).toBe('no-cache, private');
  expect(headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(text).toMatch(/^\{"kind":"ConfigMap","apiVersion":"v1","metadata":\{"name":"here","namespace":/);
  expect(text.endsWith('}\n')).toBe(true);
});

test('an object that is not there is a NotFound that names it', async () => {
  const { status, doc } = await target.get(target.path('configmaps/gone'));
  expect(status).toBe(404);
  expect(doc).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'configmaps "gone" not found',
    reason: 'NotFound',
    details: { name: 'gone', kind: 'configmaps' },
    code: 404,
  });
});

test.each([
  '',
  '?resourceVersion=0',
  '?resourceVersion=1',
  '?resourceVersionMatch=Exact&resourceVersion=1',
  '?watch=1',
])('GET of an object %s answers its latest state', async (query) => {
  const { status, doc } = await target.get(target.path(`configmaps/here${query}`));
  expect(status).toBe(200);
  expect(doc.data).toEqual({ k: '1' });
});

test('a version that is no number is an error without a reason', async () => {
  const { status, doc } = await target.get(target.path('configmaps/here?resourceVersion=abc'));
  expect(status).toBe(500);
  expect(doc).not.toHaveProperty('reason');
  expect(doc.message).toBe(
    'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  );
});

test('a version of the future is waited for, then refused with its cause', async () => {
  const { status, headers, doc } = await target.whileWaiting(3000, () =>
    target.get(target.path('configmaps/here?resourceVersion=99999999')),
  );
  expect(status).toBe(504);
  expect(headers['retry-after']).toBe('1');
  expect(doc).toMatchObject({
    reason: 'Timeout',
    details: { causes: [{ reason: 'ResourceVersionTooLarge' }], retryAfterSeconds: 1 },
  });
  expect(doc.message).toMatch(/^Timeout: Too large resource version: 99999999, current: \d+$/);
});

test('an object can be had as its metadata alone', async () => {
  const { status, doc } = await target.get(target.path('configmaps/here'), {
    Accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  });
  expect(status).toBe(200);
  expect(doc).toMatchObject({
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { name: 'here', labels: { app: 'web' } },
  });
  expect(doc).not.toHaveProperty('data');
});

test('one object is not a list of metadata', async () => {
  const { status, doc } = await target.get(target.path('configmaps/here'), {
    Accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  });
  expect(status).toBe(406);
  expect(doc.message).toBe(
    'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
  );
});

test.each([
  ['?pretty=true', {}],
  ['', { 'User-Agent': 'curl/8.0' }],
  ['', { 'User-Agent': 'Mozilla/5.0 (X11)' }],
])('an answer is indented for %s %j', async (query, headers) => {
  const { text } = await target.get(target.path(`configmaps/here${query}`), headers);
  expect(text).toMatch(
    /^\{\n {2}"kind": "ConfigMap",\n {2}"apiVersion": "v1",\n {2}"metadata": \{\n {4}"name"/,
  );
});

test.each(['text/html', 'application/xml', 'application/*'])(
  'Accept: %s is refused with 406',
  async (accept) => {
    const { status, doc } = await target.get(target.path('configmaps/here'), { Accept: accept });
    expect(status).toBe(406);
    expect(doc.reason).toBe('NotAcceptable');
    expect(doc.message).toMatch(/^406: Not Acceptable\n\nAvailable representations: application\/json, /);
  },
);

test.each([
  ['a resource nobody knows', '/api/v1/namespaces/default/nothings/x', 404],
  ['a subresource nobody knows', '/api/v1/namespaces/default/configmaps/x/nothing', 404],
  ['a version nobody knows', '/apis/apps/v9/deployments', 404],
  ['HEAD', '/api/v1/namespaces/default/configmaps/x', 405],
])('%s is refused with a Status', async (what, path, code) => {
  const { status, text } = await target.send(what === 'HEAD' ? 'HEAD' : 'GET', path);
  expect(status).toBe(code);
  if (what !== 'HEAD') {
    expect(JSON.parse(text)).toMatchObject({
      kind: 'Status',
      reason: 'NotFound',
      message: 'the server could not find the requested resource',
      details: {},
    });
  }
});

test.each(['/nowhere', '/apis/nobody.example.com/v1', '/apis/nobody.example.com/v1/things'])(
  'the path %s is a page not found, in plain text',
  async (path) => {
    const { status, headers, text } = await target.get(path);
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toBe('404 page not found\n');
  },
);

test('a name that no object can have is not found, or refused when it means a folder', async () => {
  expect((await target.get(target.path('configmaps/UPPER'))).doc.message).toBe(
    'configmaps "UPPER" not found',
  );
  const { status, doc } = await target.get(target.path('configmaps/..'));
  expect(status).toBe(400);
  expect(doc.message).toBe('Name parameter invalid: "..": may not be \'..\'');
});

test('an Audit-ID that a client sends comes back', async () => {
  const { headers } = await target.get(target.path('configmaps/here'), { 'Audit-ID': 'mine-1' });
  expect(headers['audit-id']).toBe('mine-1');
});

test('a path with a name takes no POST', async () => {
  const { status, doc } = await target.send('POST', target.path('configmaps/here'), { body: {} });
  expect(status).toBe(405);
  expect(doc).toMatchObject({ reason: 'MethodNotAllowed', details: {} });
});
