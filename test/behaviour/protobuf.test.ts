/** Protobuf in and out, as typed Go clients speak it. */
import { loadBuiltInApi } from '../../openapi/built-in-api.js';
import { type JsonObject, isJsonObject } from '../../mockserver/ground/json.js';
import { readJson } from '../../mockserver/ground/json-read.js';
import { seededRandom } from '../../mockserver/index.js';
import { envelopeOf } from '../../mockserver/schema/protobuf/envelope.js';
import { ProtobufCodec } from '../../mockserver/schema/protobuf/protobuf-codec.js';
import { begin } from './connection.js';
import { useTarget } from './target.js';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const target = useTarget('protobuf');
const api = loadBuiltInApi();
const codec = new ProtobufCodec(() => api.messageDocuments.protobuf);

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };

function bodyOf(object: JsonObject & { apiVersion: string; kind: string }): Buffer {
  const message = codec.encode(object);
  const { head, tail } = envelopeOf(object, message.length);
  return Buffer.concat([head, message, tail]);
}

/** A body as the JSON of the same object. */
function read(bytes: Buffer): JsonObject {
  const reading = codec.decode(bytes, { apiVersion: '', kind: '' });
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
}

const post = (body: Buffer, accept = PROTOBUF) =>
  target.send('POST', target.path('configmaps'), { body, type: PROTOBUF, headers: { accept } });

test('an object is created, read and deleted', async () => {
  const created = await post(bodyOf({ ...CONFIG_MAP, metadata: { name: 'a' }, data: { '10': 'x', k: 'ä' } }));
  expect(created.status).toBe(201);
  expect(created.headers['content-type']).toBe(PROTOBUF);
  expect(read(created.bytes)).toMatchObject({ ...CONFIG_MAP, data: { '10': 'x', k: 'ä' } });

  const json = readJson((await target.get(target.path('configmaps/a'))).bytes);
  if (!json.ok || !isJsonObject(json.value)) throw new Error('no JSON');
  const got = await target.get(target.path('configmaps/a'), { accept: PROTOBUF });
  expect(got.bytes.equals(bodyOf({ ...CONFIG_MAP, ...json.value }))).toBe(true);

  const options = bodyOf({ apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'another' } });
  const refused = await target.send('DELETE', target.path('configmaps/a'), { body: options, type: PROTOBUF });
  expect(refused.status).toBe(409);
  const empty = bodyOf({ apiVersion: 'apps/v1', kind: 'DeleteOptions' });
  const done = await target.send('DELETE', target.path('configmaps/a'), { body: empty, type: PROTOBUF });
  expect(done.status).toBe(200);
});

test('who sends a member of a feature that is off owns it, though it is dropped', async () => {
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
  const path = `/apis/coordination.k8s.io/v1/namespaces/${target.namespace}/leases`;
  const body = { ...lease, metadata: { name: 'l' }, spec: { strategy: 'OldestEmulationVersion' } };
  const { status, doc } = await target.send('POST', path, { body });
  expect(status).toBe(201);
  expect(doc['spec']).toEqual({});
  expect(doc.metadata['managedFields']).toMatchObject([{ fieldsV1: { 'f:spec': { 'f:strategy': {} } } }]);
});

test('a time that is set and has no value stays set: null in JSON, an empty message here', async () => {
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
  const path = `/apis/coordination.k8s.io/v1/namespaces/${target.namespace}/leases`;
  const body = bodyOf({ ...lease, metadata: { name: 'empty' }, spec: { renewTime: null } });
  const created = await target.send('POST', path, { body, type: PROTOBUF });
  expect(created.status).toBe(201);
  expect(created.doc['spec']).toEqual({ renewTime: null });
  expect(created.doc.metadata['managedFields']).toMatchObject([
    { fieldsV1: { 'f:spec': { 'f:renewTime': {} } } },
  ]);
  const got = await target.get(`${path}/empty`, { accept: PROTOBUF });
  expect(read(got.bytes)['spec']).toEqual({ renewTime: null });
  const replaced = await target.send('PUT', `${path}/empty`, { body: created.doc });
  expect(replaced.doc['spec']).toEqual({});
});

test('the metadata of a scale is that of the scale', async () => {
  const path = `/apis/apps/v1/namespaces/${target.namespace}/deployments`;
  await target.send('POST', path, {
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd', labels: { a: 'b' } },
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
      },
    },
  });
  const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
  const { doc } = await target.get(`${path}/d/scale`, { accept });
  expect(Object.keys(doc.metadata)).toEqual([
    'name',
    'namespace',
    'uid',
    'resourceVersion',
    'creationTimestamp',
  ]);
  const refused = await target.get(`${path}/d/scale`, {
    accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  });
  expect(refused.doc['message']).toMatch(/is not a list \(\*autoscaling\.Scale\)$/);
});

/** The body with one text in it replaced by bytes, as many as it has. */
function spoiled(body: Buffer, text: string, bytes: readonly number[]): Buffer {
  const copy = Buffer.from(body);
  copy.set(bytes, copy.indexOf(text));
  return copy;
}

test('bytes that are no text stay what they are', async () => {
  const body = bodyOf({ ...CONFIG_MAP, metadata: { name: 'bytes' }, data: { k: 'xyz' } });
  await post(spoiled(body, 'xyz', [0x78, 0xff, 0x7a]));
  const got = await target.get(target.path('configmaps/bytes'), { accept: PROTOBUF });
  expect(got.bytes.includes(Buffer.from([0x78, 0xff, 0x7a]))).toBe(true);
  const json = await target.get(target.path('configmaps/bytes'));
  expect(json.bytes.toString()).toContain('"data":{"k":"x\\ufffdz"}');
  await target.send('DELETE', target.path('configmaps/bytes'));
});

test('a kind with such a byte is quoted with it', async () => {
  const body = bodyOf({ ...CONFIG_MAP, metadata: { name: 'kind' } });
  const { status, doc } = await post(spoiled(body, 'ConfigMap', [0x43, 0xff]), 'application/json');
  expect(status).toBe(400);
  expect(doc['message']).toContain('no kind "C\\xffnfigMap" is registered for version "v1"');
});

test('owners that cannot be read are forgotten, and who writes owns', async () => {
  const managedFields = [
    {
      manager: 'm',
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': {} },
    },
  ];
  const body = bodyOf({ ...CONFIG_MAP, metadata: { name: 'owners', managedFields }, data: { k: 'v' } });
  const created = await post(spoiled(body, '"f:data"', [0x22, 0x01]), 'application/json');
  expect(created.status).toBe(201);
  expect(created.doc.metadata['managedFields']).toMatchObject([
    { fieldsV1: { 'f:data': { '.': {}, 'f:k': {} } } },
  ]);
});

test('errors come as protobuf to those who ask for it', async () => {
  const { status, bytes } = await target.get(target.path('configmaps/absent'), { accept: PROTOBUF });
  expect(status).toBe(404);
  expect(read(bytes)).toMatchObject({
    kind: 'Status',
    apiVersion: 'v1',
    reason: 'NotFound',
    message: 'configmaps "absent" not found',
    code: 404,
  });
});

test.each([
  [PROTOBUF, PROTOBUF],
  [`${PROTOBUF},application/json`, PROTOBUF],
  [`${PROTOBUF}, */*`, PROTOBUF],
  [`application/json;q=0.5,${PROTOBUF}`, PROTOBUF],
  [`application/json,${PROTOBUF}`, 'application/json'],
  ['*/*', 'application/json'],
  [`${PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`, PROTOBUF],
  [`${PROTOBUF};as=Table;g=meta.k8s.io;v=v1,application/json`, 'application/json'],
])('who accepts %s gets %s', async (accept, type) => {
  const { status, headers } = await target.get(target.path('configmaps'), { accept });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe(type);
});

test('there are no tables in protobuf', async () => {
  const accept = `${PROTOBUF};as=Table;g=meta.k8s.io;v=v1`;
  const { status, doc } = await target.get(target.path('configmaps'), { accept });
  expect(status).toBe(406);
  expect(doc).toMatchObject({ reason: 'NotAcceptable' });
});

test('a list holds what each object is by itself', async () => {
  await target.configMap('l1', { a: '1' });
  await target.configMap('l2', { b: 'x'.repeat(300) });
  const { bytes } = await target.get(target.path('configmaps'), { accept: PROTOBUF });
  const list = readJson((await target.get(target.path('configmaps'))).bytes);
  if (!list.ok || !isJsonObject(list.value)) throw new Error('no JSON');
  expect(bytes.equals(bodyOf({ ...list.value, apiVersion: 'v1', kind: 'ConfigMapList' }))).toBe(true);
});

test('a watch is frames with their length in front', async () => {
  const list = await target.get(target.path('configmaps'));
  const { resourceVersion } = list.doc.metadata;
  const path = `${target.path('configmaps')}?watch=1&resourceVersion=${resourceVersion}`;
  const response = await begin(target.place, 'GET', path, { headers: { accept: PROTOBUF } });
  expect(response.headers['content-type']).toBe(`${PROTOBUF};stream=watch`);
  await target.configMap('w', { a: '1' });
  let got = Buffer.alloc(0);
  for await (const chunk of response) {
    got = Buffer.concat([got, chunk as Buffer]); // no encoding is set, so chunks are bytes
    if (got.length > 4 && got.length >= 4 + got.readUInt32BE(0)) break;
  }
  const frame = got.subarray(4, 4 + got.readUInt32BE(0));
  expect(frame.subarray(0, 7).toString('latin1')).toBe('\n\u0005ADDED');
  const object = frame.subarray(frame.indexOf('k8s\0'));
  expect(read(object)).toMatchObject({ ...CONFIG_MAP, metadata: { name: 'w' }, data: { a: '1' } });
});

test('custom resources show no more than their metadata', async () => {
  const path = await target.define({ group: 'protobuf.example.com', plural: 'things', kind: 'Thing' });
  const refused = await target.get(`${path}/things`, { accept: PROTOBUF });
  expect(refused.status).toBe(406);
  expect(read(refused.bytes)).toMatchObject({ kind: 'Status', reason: 'NotAcceptable' });
  const shown = await target.get(`${path}/things`, {
    accept: `${PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`,
  });
  expect(read(shown.bytes)).toMatchObject({
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
  });
});

test.each([
  ['nothing', '', 'empty data (<empty>)'],
  [
    'JSON',
    '7b7d',
    'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({})',
  ],
  ['half an envelope', '6b3873000a', 'unexpected EOF (6b3873000a)'],
])('%s is refused as unrecognized', async (_what, hex, error) => {
  const { status, doc } = await post(Buffer.from(hex, 'hex'), 'application/json');
  expect(status).toBe(400);
  expect(doc['message']).toBe(`the object provided is unrecognized (must be of type ConfigMap): ${error}`);
});

test('a message that breaks off is refused under its kind', async () => {
  const body = Buffer.from('6b3873000a0f0a0276311209436f6e6669674d61701201ff', 'hex');
  const { status, doc } = await post(body, 'application/json');
  expect(status).toBe(400);
  expect(doc['message']).toBe('ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF');
});

const POD = bodyOf({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'p',
    labels: { a: 'b' },
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields: [{ manager: 'm', operation: 'Update', fieldsV1: { 'f:a': {} } }],
  },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i',
        resources: { limits: { cpu: '1' } },
        readinessProbe: { httpGet: { port: 'http' } },
      },
    ],
  },
});

test('no mutation of a body is more than the server can take', async () => {
  const random = seededRandom(7);
  const index = (below: number): number => Math.floor(random.next() * below);
  const statuses = new Set<number>();
  for (let i = 0; i < 1000; i++) {
    let body: Buffer = Buffer.from(POD);
    for (let times = 1 + index(4); times > 0; times--) {
      const at = index(body.length);
      const kind = index(4);
      if (kind === 0) body = body.subarray(0, Math.max(at, 4));
      else if (kind === 1) body[at] = index(256);
      else if (kind === 2) body = Buffer.concat([body.subarray(0, at), body.subarray(at + 1 + index(4))]);
      else body = Buffer.concat([body.subarray(0, at), Buffer.from([index(256)]), body.subarray(at)]);
    }
    const { status } = await target.send('POST', `${target.path('pods')}?dryRun=All`, {
      body,
      type: PROTOBUF,
    });
    statuses.add(status);
  }
  expect([...statuses].sort().filter((status) => ![201, 400, 422].includes(status))).toEqual([]);
  expect(statuses.has(400)).toBe(true);
}, 120_000);
