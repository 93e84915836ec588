/** Versions move forward in one sequence, and stale writes are refused. */
import { versionOf } from './documents.js';
import { useTarget } from './target.js';

const target = useTarget('versions');

test('one sequence counts the writes of all resources and all namespaces', async () => {
  const other = await target.namespaceNamed(target.unique('versions-other'));
  const first = await target.configMap('seq');
  const secret = await target.done('POST', `/api/v1/namespaces/${other}/secrets`, {
    metadata: { name: 's' },
  });
  const second = await target.configMap('seq-2');
  expect(versionOf(secret)).toBeGreaterThan(versionOf(first));
  expect(versionOf(second)).toBeGreaterThan(versionOf(secret));
});

test('a list is at least as new as its newest item', async () => {
  const made = await target.configMap('newest');
  const list = await target.done('GET', target.path('configmaps'));
  expect(versionOf(list)).toBeGreaterThanOrEqual(versionOf(made));
});

test('a write with the latest version moves it; the same write again is a Conflict and changes nothing', async () => {
  const made = await target.configMap('locked', { k: '1' });
  const path = target.path('configmaps/locked');
  const put = (k: string) => target.send('PUT', path, { body: { metadata: made.metadata, data: { k } } });

  const written = await put('2');
  expect(written.status).toBe(200);
  expect(versionOf(written.doc)).toBeGreaterThan(versionOf(made));
  expect(written.doc.metadata.uid).toBe(made.metadata.uid);

  const stale = await put('3');
  expect(stale.status).toBe(409);
  expect(stale.doc).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message:
      'Operation cannot be fulfilled on configmaps "locked": the object has been modified; please apply your changes to the latest version and try again',
    reason: 'Conflict',
    details: { name: 'locked', kind: 'configmaps' },
    code: 409,
  });
  expect(await target.done('GET', path)).toEqual(written.doc);
});

test('of two writers with the same version one wins', async () => {
  const made = await target.configMap('raced', { k: '0' });
  const answers = await Promise.all(
    ['1', '2', '3', '4'].map((k) =>
      target.send('PUT', target.path('configmaps/raced'), { body: { metadata: made.metadata, data: { k } } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

test('an update without a version overwrites where the kind allows it', async () => {
  await target.configMap('open', { k: '1' });
  const { status, doc } = await target.send('PUT', target.path('configmaps/open'), {
    body: { metadata: { name: 'open' }, data: { k: '4' } },
  });
  expect(status).toBe(200);
  expect(doc.data).toEqual({ k: '4' });
});

test('an update without a version is refused where the kind wants one', async () => {
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${target.namespace}/leases`;
  await target.done('POST', leases, { metadata: { name: 'l' }, spec: {} });
  const { status, doc } = await target.send('PUT', `${leases}/l`, {
    body: { metadata: { name: 'l' }, spec: {} },
  });
  expect(status).toBe(422);
  expect(doc.message).toBe(
    'leases.coordination.k8s.io "l" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  );
  expect(doc.details).toMatchObject({ group: 'coordination.k8s.io', kind: 'leases' });
});

test('an update that means another incarnation is a Conflict', async () => {
  const made = await target.configMap('reborn');
  const { status, doc } = await target.send('PUT', target.path('configmaps/reborn'), {
    body: { metadata: { ...made.metadata, uid: 'zzz' }, data: { k: 'lost' } },
  });
  expect(status).toBe(409);
  expect(doc.message).toBe(
    `Operation cannot be fulfilled on configmaps "reborn": StorageError: invalid object, Code: 4, Key: /registry/configmaps/${target.namespace}/reborn, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: zzz, UID in object meta: ${made.metadata.uid}`,
  );
  expect(await target.done('GET', target.path('configmaps/reborn'))).toEqual(made);
});

test('the event of a write carries the version that the writer was told', async () => {
  const before = await target.configMap('told', { k: '1' });
  const watch = await target.watch(
    target.path(
      `configmaps?watch=1&fieldSelector=metadata.name%3Dtold&resourceVersion=${before.metadata.resourceVersion}`,
    ),
  );
  const after = await target.done('PUT', target.path('configmaps/told'), {
    metadata: { name: 'told' },
    data: { k: '2' },
  });
  expect(await watch.next()).toEqual({ type: 'MODIFIED', object: after });
  watch.close();
});
