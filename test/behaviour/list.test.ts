/** GET of a collection: order, selectors, forms. */
import { gunzipSync } from 'node:zlib';
import { names } from './documents.js';
import { useTarget } from './target.js';

const target = useTarget('list');

beforeAll(async () => {
  await target.configMap('b', { k: '1' }, { labels: { app: 'web', tier: '2' } });
  await target.configMap('a', { k: '1' }, { labels: { app: 'db', tier: '10' } });
  await target.configMap('c', { k: '1' });
});

const list = (query = '') => target.get(target.path(`configmaps${query}`));

test('a list holds the objects of its namespace in the order of their names', async () => {
  const { status, headers, text, doc } = await list();
  expect(status).toBe(200);
  expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
  expect(text).toMatch(
    /^\{"kind":"ConfigMapList","apiVersion":"v1","metadata":\{"resourceVersion":"\d+"\},"items":\[/,
  );
  expect(names(doc)).toEqual(['a', 'b', 'c']);
});

test('items of a built-in list carry no kind and no version of their own', async () => {
  for (const item of (await list()).doc.items) {
    expect(item).not.toHaveProperty('kind');
    expect(item).not.toHaveProperty('apiVersion');
  }
});

test('an empty list has items, none, and a version', async () => {
  const { doc } = await target.get(target.path('secrets'));
  expect(doc.items).toEqual([]);
  expect(doc.metadata.resourceVersion).toMatch(/^\d+$/);
});

test('a list of a namespace that does not exist is empty', async () => {
  const { status, doc } = await target.get('/api/v1/namespaces/absent/configmaps');
  expect(status).toBe(200);
  expect(doc.items).toEqual([]);
});

test('across namespaces the order is that of namespace/name, byte by byte', async () => {
  const short = await target.namespaceNamed(target.unique('ord'));
  const long = await target.namespaceNamed(`${short}-x`);
  for (const namespace of [short, long]) {
    await target.done('POST', `/api/v1/namespaces/${namespace}/configmaps`, {
      metadata: { name: 'o', labels: { order: short } },
    });
  }
  const { items } = await target.done('GET', `/api/v1/configmaps?labelSelector=order%3D${short}`);
  expect(items.map(({ metadata }) => metadata.namespace)).toEqual([long, short]);
});

describe('a label selector', () => {
  test.each([
    ['app=web', ['b']],
    ['app==web', ['b']],
    ['app!=web', ['a', 'c']],
    ['app in (web,db)', ['a', 'b']],
    ['app notin (web)', ['a', 'c']],
    ['app', ['a', 'b']],
    ['!app', ['c']],
    ['tier>5', ['a']],
    ['tier<5', ['b']],
    ['app=web,tier=2', ['b']],
    ['app=web,tier=10', []],
    ['', ['a', 'b', 'c']],
  ])('%j selects %j', async (selector, expected) => {
    const { status, doc } = await list(`?labelSelector=${encodeURIComponent(selector)}`);
    expect(status).toBe(200);
    expect(names(doc)).toEqual(expected);
  });

  test.each([
    ['=bad', "found '=', expected: !, identifier, or 'end of string'"],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['a>b', /^unable to parse requirement: values\[0\]: Invalid value: "b": for 'Gt', 'Lt' operators/],
  ])('%j is a BadRequest in the words of the parser', async (selector, message) => {
    const { status, doc } = await list(`?labelSelector=${encodeURIComponent(selector)}`);
    expect(status).toBe(400);
    expect(doc.reason).toBe('BadRequest');
    expect(doc.message).toMatch(message);
  });
});

describe('a field selector', () => {
  test.each([
    ['metadata.name=b', ['b']],
    ['metadata.name!=b', ['a', 'c']],
    ['metadata.name=b,metadata.name!=b', []],
    ['metadata.namespace=elsewhere', []],
  ])('%j selects %j', async (selector, expected) => {
    const { status, doc } = await list(`?fieldSelector=${encodeURIComponent(selector)}`);
    expect(status).toBe(200);
    expect(names(doc)).toEqual(expected);
  });

  test.each([
    [
      'configmaps',
      'data.k=1',
      '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ['pods', 'spec.zz=1', 'field label not supported: spec.zz'],
    ['configmaps', 'x', "invalid selector: 'x'; can't understand 'x'"],
  ])('of %s, %j is a BadRequest', async (plural, selector, message) => {
    const { status, doc } = await target.get(
      target.path(`${plural}?fieldSelector=${encodeURIComponent(selector)}`),
    );
    expect(status).toBe(400);
    expect(doc.message).toBe(message);
  });

  test('finds pods by node and phase', async () => {
    const pod = (name: string, nodeName: string) =>
      target.done('POST', target.path('pods'), {
        metadata: { name },
        spec: { nodeName, containers: [{ name: 'c', image: 'i' }] },
      });
    await pod('p1', 'n1');
    await pod('p2', 'n2');
    expect(names(await target.done('GET', target.path('pods?fieldSelector=spec.nodeName%3Dn2')))).toEqual([
      'p2',
    ]);
    expect(
      names(
        await target.done('GET', target.path('pods?fieldSelector=spec.nodeName%3Dn1,status.phase%3DPending')),
      ),
    ).toEqual(['p1']);
  });
});

test('a list can be had as metadata alone', async () => {
  const { status, doc } = await target.get(target.path('configmaps'), {
    Accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  });
  expect(status).toBe(200);
  expect(doc).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
  expect(doc.items).toHaveLength(3);
  for (const item of doc.items) {
    expect(Object.keys(item)).toEqual(['kind', 'apiVersion', 'metadata']);
    expect(item).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' });
  }
});

test('a list is not the metadata of one object', async () => {
  const { status, doc } = await target.get(target.path('configmaps'), {
    Accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  });
  expect(status).toBe(406);
  expect(doc.message).toBe(
    'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
  );
});

test('of several types in Accept the first that can be had is taken', async () => {
  const { status, doc } = await target.get(target.path('configmaps'), {
    Accept: 'application/json;as=Nothing;g=meta.k8s.io;v=v1,application/json',
  });
  expect(status).toBe(200);
  expect(doc.kind).toBe('ConfigMapList');
});

test('a list in YAML shows the same objects', async () => {
  const { headers, text } = await target.get(target.path('configmaps?limit=1'), {
    Accept: 'application/yaml',
  });
  expect(headers['content-type']).toBe('application/yaml');
  expect(text).toMatch(/^apiVersion: v1\nitems:\n- data:\n {4}k: "1"\n {2}metadata:\n/);
});

describe('gzip', () => {
  const gzip = { 'Accept-Encoding': 'gzip' };

  test('is not used for a small answer', async () => {
    const { headers } = await target.get(target.path('configmaps'), gzip);
    expect(headers).not.toHaveProperty('content-encoding');
  });

  test('packs an answer above 128 KiB, for who asks for it', async () => {
    await target.configMap('big', { k: 'x'.repeat(140_000) }, { labels: { big: 'yes' } });
    const path = target.path('configmaps?labelSelector=big');
    const packed = await target.get(path, gzip);
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(packed.bytes.length).toBeLessThan(10_000);
    const plain = await target.get(path);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const unpacked = JSON.parse(gunzipSync(packed.bytes).toString()) as { items: unknown };
    expect(unpacked.items).toEqual(plain.doc.items);
    await target.done('DELETE', target.path('configmaps/big'));
  });
});

test('pretty=1 indents a list', async () => {
  const { text } = await list('?pretty=1');
  expect(text).toMatch(/^\{\n {2}"kind": "ConfigMapList",\n {2}"apiVersion": "v1",\n {2}"metadata": \{/);
});

test.each(['?unknown=1', '?timeoutSeconds=1', '?watch=0', '?watch=False', '?watch=false'])(
  '%s is a plain list',
  async (query) => {
    const { status, doc } = await list(query);
    expect(status).toBe(200);
    expect(doc.kind).toBe('ConfigMapList');
  },
);
