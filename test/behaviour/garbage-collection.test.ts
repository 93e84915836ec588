/** The garbage collector: what goes with its owner, what stays, and who waits for whom. */
import { brief, type Doc } from './documents.js';
import { ownTest, useTarget } from './target.js';

const target = useTarget('collected', { controllers: ['garbage-collector-controller'] });

interface Reference {
  readonly owner: Doc;
  readonly block?: boolean;
}

const owned = (name: string, references: readonly Reference[], more: object = {}): Promise<Doc> =>
  target.configMap(
    name,
    {},
    {
      ownerReferences: references.map(({ owner, block }) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: owner.metadata.name,
        uid: owner.metadata.uid,
        ...(block === undefined ? {} : { blockOwnerDeletion: block }),
      })),
      ...more,
    },
  );

const settled = (): Promise<void> => target.own.server.settled();

const names = async (): Promise<readonly string[]> =>
  (await target.done('GET', target.path('configmaps'))).items.map(({ metadata }) => metadata.name);

/** Events of the ConfigMaps from now on, as `TYPE name`. */
async function recording(): Promise<(count: number) => Promise<readonly string[]>> {
  const { metadata } = await target.done('GET', target.path('configmaps'));
  const watch = await target.watch(
    `${target.path('configmaps')}?watch=1&resourceVersion=${metadata.resourceVersion}`,
  );
  return async (count) => (await watch.take(count)).map(brief);
}

afterEach(async () => {
  await target.done('DELETE', target.path('configmaps'));
  await settled();
});

ownTest('with Background the owner goes at once and its dependents follow', async () => {
  const owner = await target.configMap('owner');
  await owned('a', [{ owner }]);
  await owned('b', [{ owner }]);
  const seen = await recording();
  await target.done('DELETE', target.path('configmaps/owner'));
  await settled();
  expect(await seen(3)).toEqual(['DELETED owner', 'DELETED a', 'DELETED b']);
});

ownTest('with Foreground a chain of blocking owners ends from below', async () => {
  const a = await target.configMap('a');
  const b = await owned('b', [{ owner: a, block: true }]);
  await owned('c', [{ owner: b, block: true }]);
  const seen = await recording();
  await target.done('DELETE', `${target.path('configmaps/a')}?propagationPolicy=Foreground`);
  await settled();
  expect(await seen(5)).toEqual(['MODIFIED a', 'MODIFIED b', 'DELETED c', 'DELETED b', 'DELETED a']);
});

ownTest('a blocking dependent that its own finalizer holds, holds its owner', async () => {
  const owner = await target.configMap('owner');
  await owned('held', [{ owner, block: true }], { finalizers: ['test.example/hold'] });
  await target.done('DELETE', `${target.path('configmaps/owner')}?propagationPolicy=Foreground`);
  await settled();
  expect(await names()).toEqual(['held', 'owner']);
  await target.done('PATCH', target.path('configmaps/held'), { metadata: { finalizers: null } }, MERGE);
  await settled();
  expect(await names()).toEqual([]);
});

ownTest('with Orphan dependents stay and lose the reference', async () => {
  const owner = await target.configMap('owner');
  await owned('left', [{ owner }]);
  await target.done('DELETE', `${target.path('configmaps/owner')}?propagationPolicy=Orphan`);
  await settled();
  const left = await target.done('GET', target.path('configmaps/left'));
  expect(left.metadata).not.toHaveProperty('ownerReferences');
  expect(await names()).toEqual(['left']);
});

ownTest('a dependent of two owners goes with the last', async () => {
  const first = await target.configMap('first');
  const second = await target.configMap('second');
  await owned('shared', [{ owner: first }, { owner: second }]);
  await target.done('DELETE', target.path('configmaps/first'));
  await settled();
  expect((await target.done('GET', target.path('configmaps/shared'))).metadata).toMatchObject({
    ownerReferences: [{ name: 'second' }],
  });
  await target.done('DELETE', target.path('configmaps/second'));
  await settled();
  expect(await names()).toEqual([]);
});

ownTest('an owner that is not there takes its dependent with it', async () => {
  const owner = await target.configMap('owner');
  await target.done('DELETE', target.path('configmaps/owner'));
  await owned('lost', [{ owner }]);
  await settled();
  expect(await names()).toEqual([]);
});

ownTest('an owner of a kind that comes later is looked for then', async () => {
  await target.configMap(
    'early',
    {},
    {
      ownerReferences: [{ apiVersion: 'late.example/v1', kind: 'Late', name: 'l', uid: 'no-such-uid' }],
    },
  );
  await settled();
  expect(await names()).toEqual(['early']);
  await target.define({ group: 'late.example', plural: 'lates', kind: 'Late' });
  await settled();
  expect(await names()).toEqual([]);
});

ownTest('an owner in another namespace counts as absent, and an Event says so', async () => {
  const elsewhere = await target.namespaceNamed('collected-elsewhere');
  const owner = await target.done('POST', `/api/v1/namespaces/${elsewhere}/configmaps`, {
    metadata: { name: 'owner' },
  });
  await owned('stray', [{ owner }]);
  await settled();
  expect(await names()).toEqual([]);
  const events = await target.done('GET', target.path('events'));
  expect(events.items).toEqual([
    expect.objectContaining({
      reason: 'OwnerRefInvalidNamespace',
      type: 'Warning',
      message: `ownerRef [v1/ConfigMap, namespace: collected, name: owner, uid: ${owner.metadata.uid}] does not exist in namespace "collected"`,
    }),
  ]);
});

ownTest('custom resources own and are owned', async () => {
  const api = await target.define({ group: 'collected.example', plural: 'things', kind: 'Thing' });
  const things = `${api}/namespaces/${target.namespace}/things`;
  const make = (name: string, metadata: object = {}): Promise<Doc> =>
    target.done('POST', things, {
      apiVersion: 'collected.example/v1',
      kind: 'Thing',
      metadata: { name, ...metadata },
    });
  const parent = await make('parent');
  const reference = {
    apiVersion: 'collected.example/v1',
    kind: 'Thing',
    name: 'parent',
    uid: parent.metadata.uid,
  };
  await make('child', { ownerReferences: [reference] });
  await target.done('DELETE', `${things}/parent?propagationPolicy=Orphan`);
  await settled();
  expect((await target.done('GET', `${things}/child`)).metadata).not.toHaveProperty('ownerReferences');
});

const MERGE = 'application/merge-patch+json';
