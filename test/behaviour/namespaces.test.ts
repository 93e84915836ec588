/** Namespaces: what they ask of their content, and how they end. */
import { brief, type Doc } from './documents.js';
import { useTarget } from './target.js';

const target = useTarget('namespaces');
const NAMESPACES = '/api/v1/namespaces';
const unique = (name: string): string => target.unique(`namespaces-${name}`);
const configMaps = (namespace: string): string => `${NAMESPACES}/${namespace}/configmaps`;
const finalize = (name: string): Promise<Doc> =>
  target.done('PUT', `${NAMESPACES}/${name}/finalize`, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
    spec: { finalizers: [] },
  });

test('a namespace is created active, labelled with its name and held by its finalizer', async () => {
  const name = await target.namespaceNamed(unique('born'));
  expect(await target.done('GET', `${NAMESPACES}/${name}`)).toMatchObject({
    kind: 'Namespace',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
});

test.each(['default', 'kube-system', 'kube-public', 'kube-node-lease'])(
  '%s is there from the start',
  async (name) => {
    expect((await target.get(`${NAMESPACES}/${name}`)).status).toBe(200);
  },
);

test.each(['', '?dryRun=All'])(
  'an object in a namespace that is not there is a NotFound %s',
  async (query) => {
    const { status, doc } = await target.send('POST', configMaps('absent') + query, {
      body: { metadata: { name: 'a' } },
    });
    expect(status).toBe(404);
    expect(doc).toMatchObject({
      reason: 'NotFound',
      message: 'namespaces "absent" not found',
      details: { name: 'absent', kind: 'namespaces' },
    });
  },
);

test('a namespace that is deleted says so, refuses new content, and ends when it is finalized', async () => {
  const name = unique('ending');
  const made = await target.done('POST', NAMESPACES, { metadata: { name } });
  await target.done('POST', configMaps(name), { metadata: { name: 'old' } });
  const watch = await target.watch(
    `${NAMESPACES}?watch=1&fieldSelector=metadata.name%3D${name}&resourceVersion=${made.metadata.resourceVersion}`,
  );

  const deleted = await target.send('DELETE', `${NAMESPACES}/${name}`);
  expect(deleted.status).toBe(200);
  expect(deleted.doc).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
  expect(deleted.doc.metadata.deletionTimestamp).toBeTruthy();
  expect(deleted.doc.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
  expect(await watch.next()).toEqual({ type: 'MODIFIED', object: deleted.doc });

  const refused = await target.send('POST', configMaps(name), { body: { metadata: { name: 'new' } } });
  expect(refused.status).toBe(403);
  expect(refused.doc).toMatchObject({
    reason: 'Forbidden',
    message: `configmaps "new" is forbidden: unable to create new content in namespace ${name} because it is being terminated`,
    details: {
      name: 'new',
      kind: 'configmaps',
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${name} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  });
  const changed = await target.send('PUT', `${configMaps(name)}/old`, {
    body: { metadata: { name: 'old' }, data: { k: '1' } },
  });
  expect(changed.status).toBe(200);
  expect((await target.send('DELETE', `${configMaps(name)}/old`)).status).toBe(200);

  const again = await target.send('POST', NAMESPACES, { body: { metadata: { name } } });
  expect(again.status).toBe(409);
  expect(again.doc.message).toBe(`object is being deleted: namespaces "${name}" already exists`);

  await finalize(name);
  expect(brief(await watch.next())).toBe(`DELETED ${name}`);
  expect((await target.get(`${NAMESPACES}/${name}`)).status).toBe(404);

  await target.namespaceNamed(name);
  const reborn = await target.done('GET', `${NAMESPACES}/${name}`);
  expect(reborn.metadata.uid).not.toBe(made.metadata.uid);
  watch.close();
});

test('a second DELETE changes nothing', async () => {
  const name = unique('twice');
  await target.namespaceNamed(name);
  const first = await target.done('DELETE', `${NAMESPACES}/${name}`);
  expect(await target.done('DELETE', `${NAMESPACES}/${name}`)).toEqual(first);
});

test.each(['default', 'kube-system', 'kube-public'])('%s may not be deleted', async (name) => {
  const { status, doc } = await target.send('DELETE', `${NAMESPACES}/${name}`);
  expect(status).toBe(403);
  expect(doc).toMatchObject({
    reason: 'Forbidden',
    message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
  });
});

test('namespaces cannot be deleted as a collection', async () => {
  const { status, doc } = await target.send('DELETE', NAMESPACES);
  expect(status).toBe(405);
  expect(doc).toMatchObject({
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
});

test.each([
  ['uid', 'UID', 'zz'],
  ['resourceVersion', 'ResourceVersion', '1'],
])('a precondition of another %s keeps the namespace', async (member, what, wanted) => {
  const name = await target.namespaceNamed(unique(`guarded-${member.toLowerCase()}`));
  const { metadata } = await target.done('GET', `${NAMESPACES}/${name}`);
  const found = member === 'uid' ? metadata.uid : metadata.resourceVersion;
  const { status, doc } = await target.send('DELETE', `${NAMESPACES}/${name}`, {
    body: { preconditions: { [member]: wanted } },
  });
  expect(status).toBe(409);
  expect(doc).toMatchObject({
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on namespaces "${name}": Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`,
    details: { name, kind: 'namespaces' },
  });
});

test('the phase is not for clients to set', async () => {
  const name = unique('phase');
  const made = await target.done('POST', NAMESPACES, {
    metadata: { name },
    status: { phase: 'Terminating' },
  });
  expect(made.status).toEqual({ phase: 'Active' });
  const { status, doc } = await target.send('PATCH', `${NAMESPACES}/${name}/status`, {
    type: 'application/merge-patch+json',
    body: { status: { phase: 'Terminating' } },
  });
  expect(status).toBe(422);
  expect(doc.message).toContain(
    'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
  );
  await target.done('DELETE', `${NAMESPACES}/${name}`);
  await finalize(name);
});

test('an update of a namespace leaves its finalizers alone', async () => {
  const name = await target.namespaceNamed(unique('kept'));
  const { status, doc } = await target.send('PUT', `${NAMESPACES}/${name}`, {
    body: { metadata: { name, labels: { l: '1' } }, spec: { finalizers: [] } },
  });
  expect(status).toBe(200);
  expect(doc.spec).toEqual({ finalizers: ['kubernetes'] });
});
