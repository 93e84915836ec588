/** Cases drawn from public bug reports about writes: given, when, then. */
import { type MockServer, startMockServer } from '../../mockserver/index.js';
import { closeIdleConnections, type Answer, type Place, send } from '../behaviour/connection.js';
import { EventStream } from '../behaviour/event-stream.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';
const GADGETS = '/apis/example.com/v1/namespaces/default/gadgets';

let server: MockServer;
let place: Place;
beforeEach(async () => {
  server = await startMockServer();
  place = { url: server.url, token: '' };
});
afterEach(async () => {
  closeIdleConnections();
  await server.stop();
});

const ask = (method: string, path: string, body?: unknown, type?: string): Promise<Answer> =>
  send(place, method, path, {
    ...(body === undefined ? {} : { body }),
    ...(type === undefined ? {} : { type }),
  });

async function define(plural: string, kind: string, subresources?: object): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const version = { name: 'v1', served: true, storage: true, schema };
  const answer = await ask('POST', DEFINITIONS, {
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [subresources === undefined ? version : { ...version, subresources }],
    },
  });
  expect(answer.status).toBe(201);
}

const widget = (more: object): object => ({ apiVersion: 'example.com/v1', kind: 'Widget', ...more });

test('14: an object with finalizers is removed when the last one goes, and is seen to', async () => {
  await define('widgets', 'Widget');
  const made = await ask('POST', WIDGETS, widget({ metadata: { name: 'w', finalizers: ['example.com/a'] } }));
  const from = made.doc.metadata.resourceVersion;
  const watch = await EventStream.open(place, `${WIDGETS}?watch=1&resourceVersion=${from}`);
  const deleted = await ask('DELETE', `${WIDGETS}/w`);
  expect([deleted.status, deleted.doc.metadata.generation]).toEqual([200, 2]);
  expect((await watch.next()).type).toBe('MODIFIED');
  const again = await ask('DELETE', `${WIDGETS}/w`);
  expect(again.doc.metadata.resourceVersion).toBe(deleted.doc.metadata.resourceVersion);
  const merge = 'application/merge-patch+json';
  const added = { metadata: { finalizers: ['example.com/a', 'example.com/new'] } };
  expect((await ask('PATCH', `${WIDGETS}/w`, added, merge)).status).toBe(422);
  expect((await ask('PATCH', `${WIDGETS}/w`, { metadata: { finalizers: [] } }, merge)).status).toBe(200);
  expect((await watch.next()).type).toBe('DELETED');
  expect((await ask('GET', `${WIDGETS}/w`)).doc).toMatchObject({ code: 404, reason: 'NotFound' });
  const next = await ask('POST', WIDGETS, widget({ metadata: { name: 'w' } }));
  expect(next.doc.metadata.uid).not.toBe(made.doc.metadata.uid);
  const preconditions = { preconditions: { uid: made.doc.metadata.uid } };
  expect((await ask('DELETE', `${WIDGETS}/w`, preconditions)).status).toBe(409);
  expect((await ask('DELETE', `${WIDGETS}/w`)).doc).toMatchObject({ kind: 'Status', status: 'Success' });
  watch.close();
});

test('15: each patch type does its own, and others are refused', async () => {
  await define('widgets', 'Widget');
  await ask('POST', MAPS, { metadata: { name: 'c' }, data: { a: '1', b: '2' } });
  await ask('POST', WIDGETS, widget({ metadata: { name: 'w' } }));
  const patch = (body: unknown, type: string, path = `${MAPS}/c`): Promise<Answer> =>
    ask('PATCH', path, body, type);
  const json = 'application/json-patch+json';
  const merge = 'application/merge-patch+json';
  const strategic = 'application/strategic-merge-patch+json';
  expect((await patch([{ op: 'replace', path: '/data/a', value: '9' }], json)).doc.data['a']).toBe('9');
  expect((await patch([{ op: 'test', path: '/data/a', value: 'x' }], json)).status).toBe(422);
  expect((await patch({ data: { a: '3' } }, json)).status).toBe(400);
  expect((await patch({ data: { a: null } }, merge)).doc.data).toEqual({ b: '2' });
  expect((await patch({}, strategic, `${WIDGETS}/w`)).status).toBe(415);
  expect((await patch({}, 'application/json')).status).toBe(415);
  expect((await patch({}, merge, `${MAPS}/none`)).doc).toMatchObject({ code: 404 });
  expect((await patch({ metadata: { resourceVersion: '1' } }, merge)).status).toBe(409);
  const before = (await ask('GET', `${MAPS}/c`)).doc.metadata.resourceVersion;
  expect((await patch({ data: { b: '2' } }, merge)).doc.metadata.resourceVersion).toBe(before);
});

test('16: server-side apply creates, owns, conflicts, takes by force and gives up', async () => {
  const apply = (manager: string, data: object, more = ''): Promise<Answer> =>
    ask(
      'PATCH',
      `${MAPS}/c?fieldManager=${manager}${more}`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data },
      'application/apply-patch+yaml',
    );
  const made = await apply('m1', { a: '1', b: '1' });
  expect([made.status, made.doc.metadata.managedFields]).toMatchObject([
    201,
    [{ manager: 'm1', operation: 'Apply' }],
  ]);
  expect((await apply('', { a: '1' })).status).toBe(422);
  expect((await apply('m2', { b: '2' })).doc).toMatchObject({
    code: 409,
    details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.b' }] },
  });
  expect((await apply('m2', { b: '1' })).status).toBe(200);
  expect((await apply('m2', { b: '2' }, '&force=true')).doc.data).toEqual({ a: '1', b: '2' });
  const given = await apply('m1', {});
  expect(given.doc.data).toEqual({ b: '2' });
  expect((await apply('m1', {})).doc.metadata.resourceVersion).toBe(given.doc.metadata.resourceVersion);
});

test('17: status is apart, and generation counts what is not status or metadata', async () => {
  await define('widgets', 'Widget', { status: {} });
  await define('gadgets', 'Gadget');
  const made = await ask(
    'POST',
    WIDGETS,
    widget({ metadata: { name: 'w' }, spec: { n: 1 }, status: { ok: true } }),
  );
  expect([made.doc.metadata.generation, made.doc.status]).toEqual([1, undefined]);
  const { resourceVersion } = made.doc.metadata;
  const put = await ask(
    'PUT',
    `${WIDGETS}/w/status`,
    widget({ metadata: { name: 'w', resourceVersion }, spec: { n: 99 }, status: { ok: true } }),
  );
  expect([put.doc.spec, put.doc.status, put.doc.metadata.generation]).toEqual([{ n: 1 }, { ok: true }, 1]);
  const next = await ask(
    'PUT',
    `${WIDGETS}/w`,
    widget({
      metadata: { name: 'w', resourceVersion: put.doc.metadata.resourceVersion, generation: 77 },
      spec: { n: 2 },
      status: { ok: false },
    }),
  );
  expect([next.doc.spec, next.doc.status, next.doc.metadata.generation]).toEqual([{ n: 2 }, { ok: true }, 2]);
  await ask('POST', GADGETS, {
    apiVersion: 'example.com/v1',
    kind: 'Gadget',
    metadata: { name: 'g' },
    status: { a: 1 },
  });
  expect((await ask('GET', `${GADGETS}/g`)).doc.status).toEqual({ a: 1 });
  expect((await ask('PUT', `${GADGETS}/g/status`, {})).status).toBe(404);
});

test('20: namespaces are asked for, end in two steps, and some never end', async () => {
  const at = (name: string): string => `/api/v1/namespaces/${name}`;
  expect((await ask('POST', `${at('nope')}/configmaps`, { metadata: { name: 'a' } })).doc).toMatchObject({
    code: 404,
    message: 'namespaces "nope" not found',
  });
  expect((await ask('POST', MAPS, { metadata: { name: 'a', namespace: 'other' } })).status).toBe(400);
  const made = await ask('POST', '/api/v1/namespaces', { metadata: { name: 'ns1' } });
  expect(made.doc).toMatchObject({
    metadata: { labels: { 'kubernetes.io/metadata.name': 'ns1' } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
  expect((await ask('DELETE', at('ns1'))).doc).toMatchObject({ status: { phase: 'Terminating' } });
  expect((await ask('POST', `${at('ns1')}/configmaps`, { metadata: { name: 'a' } })).doc).toMatchObject({
    code: 403,
    details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
  });
  expect((await ask('POST', '/api/v1/namespaces', { metadata: { name: 'ns1' } })).status).toBe(409);
  const finalize = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'ns1' },
    spec: { finalizers: [] },
  };
  expect((await ask('PUT', `${at('ns1')}/finalize`, finalize)).status).toBe(200);
  expect((await ask('GET', at('ns1'))).status).toBe(404);
  for (const name of ['default', 'kube-system', 'kube-public'])
    expect((await ask('DELETE', at(name))).status).toBe(403);
  expect((await ask('DELETE', '/api/v1/namespaces')).status).toBe(405);
});
