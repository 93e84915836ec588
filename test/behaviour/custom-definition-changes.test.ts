/** What a change of a definition means for its objects, its versions and its names; as asked of kube-apiserver 1.36. */
import { names, type Doc } from './documents.js';
import { until, useTarget } from './target.js';

const target = useTarget('definition-changes');
const group = `${target.unique('changes')}.example.com`;
const definition = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/turns.${group}`;
const objects = (version: string): string => `/apis/${group}/${version}/namespaces/${target.namespace}/turns`;
const MERGE = 'application/merge-patch+json';

const version = (name: string, more: object = {}, a: object = {}): object => ({
  name,
  served: true,
  storage: true,
  selectableFields: [{ jsonPath: '.spec.a' }],
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { a: { type: 'string', ...a }, n: { type: 'integer' } } },
      },
    },
  },
  ...more,
});
const patch = (path: string, body: object) => target.send('PATCH', path, { body, type: MERGE });
const withVersions = (...versions: readonly object[]): Promise<Doc> =>
  target.done('PATCH', definition, { spec: { versions } }, MERGE);
const storedVersions = (doc: Doc): unknown => (doc.status as { storedVersions?: unknown }).storedVersions;

beforeAll(async () => {
  await target.define({ group, plural: 'turns', kind: 'Turn' });
  await withVersions(version('v1'));
  await until(async () => (await target.get(`${objects('v1')}?fieldSelector=spec.a%3Dx`)).status === 200);
  for (const [name, a] of [
    ['long', 'toolong'],
    ['short', 'x'],
  ]) {
    await target.done('POST', objects('v1'), {
      apiVersion: `${group}/v1`,
      kind: 'Turn',
      metadata: { name },
      spec: { a, n: 1 },
    });
  }
}, 60_000);

test('selectable fields select, others are refused', async () => {
  const selected = (selector: string) => target.get(`${objects('v1')}?fieldSelector=${selector}`);
  expect(names((await selected('spec.a%3Dx')).doc)).toEqual(['short']);
  expect(names((await selected('spec.a!%3Dx')).doc)).toEqual(['long']);
  const refused = await selected('spec.n%3D1');
  expect([refused.status, refused.doc.message]).toEqual([400, 'field label not supported: spec.n']);
});

test('a value that a new schema refuses may stay, and may not come back', async () => {
  await withVersions(version('v1', {}, { maxLength: 3 }));
  const long = `${objects('v1')}/long`;
  const tooLong = async (): Promise<boolean> => (await patch(long, { spec: { a: 'longer' } })).status === 422;
  await until(tooLong);
  expect((await patch(long, { spec: { n: 2 } })).status).toBe(200);
  expect((await patch(long, { spec: { a: 'ok' } })).status).toBe(200);
  expect((await patch(long, { spec: { a: 'toolong' } })).doc.message).toBe(
    `Turn.${group} "long" is invalid: spec.a: Too long: may not be more than 3 bytes`,
  );
}, 30_000);

test('storage versions add up, and none may go while objects may be stored in it', async () => {
  expect(storedVersions(await withVersions(version('v1', { storage: false }), version('v2')))).toEqual([
    'v1',
    'v2',
  ]);
  await until(async () => (await target.get(`${objects('v2')}/short`)).status === 200);
  await withVersions(version('v1', { storage: false, served: false }), version('v2'));
  await until(async () => (await target.get(objects('v1'))).text === '404 page not found\n');
  const refused = await patch(definition, { spec: { versions: [version('v2')] } });
  expect(refused.status).toBe(422);
  expect(refused.doc.message).toContain(
    'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version',
  );
}, 30_000);

test.each([
  ['scope', { scope: 'Cluster' }, 'spec.scope: Invalid value: "Cluster": field is immutable'],
  ['kind', { names: { kind: 'Other' } }, 'spec.names.kind: Invalid value: "Other": field is immutable'],
])('the %s of an established definition stays', async (_what, spec, message) => {
  const refused = await patch(`${definition}?dryRun=All`, { spec });
  expect(refused.doc.message).toBe(
    `CustomResourceDefinition.apiextensions.k8s.io "turns.${group}" is invalid: ${message}`,
  );
});

test('a definition that goes takes no new objects and waits for those that are held', async () => {
  const held = `${objects('v2')}/long`;
  await until(
    async () => (await patch(held, { metadata: { finalizers: ['example.com/hold'] } })).status === 200,
  );
  const { doc } = await target.send('DELETE', definition);
  expect(doc.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
  await until(async () => names(await target.done('GET', objects('v2'))).join() === 'long');
  const refused = await target.send('POST', objects('v2'), {
    body: { apiVersion: `${group}/v2`, kind: 'Turn', metadata: { name: 'new' } },
  });
  expect([refused.status, refused.doc.message]).toEqual([
    403,
    `turns.${group} "new" is forbidden: create not allowed while custom resource definition is terminating`,
  ]);
  expect((await patch(held, { spec: { n: 5 } })).status).toBe(200);
  expect((await patch(held, { metadata: { finalizers: null } })).status).toBe(200);
  await until(async () => (await target.get(definition)).status === 404);
  expect((await target.get(objects('v2'))).text).toBe('404 page not found\n');
}, 60_000);
