/** @kubernetes/client-node, unmodified, against the server in another process. */
import {
  ApiException,
  PatchStrategy,
  V1ListMeta,
  Watch,
  makeInformer,
  type Informer,
  type KubernetesListObject,
  type KubernetesObject,
  type ObjectCache,
} from '@kubernetes/client-node';
import { Seen } from './seen.js';
import { useWorkspace, type ConfigMap, type Gauge } from './workspace.js';

interface Call {
  readonly verb: 'add' | 'update' | 'delete' | 'error' | 'connect';
  readonly name: string;
  readonly object?: KubernetesObject;
}

/** An informer that writes down what its callbacks are told. */
function watchCalls<T extends KubernetesObject>(informer: Informer<T> & ObjectCache<T>): Seen<Call> {
  const seen = new Seen<Call>();
  for (const verb of ['add', 'update', 'delete'] as const) {
    informer.on(verb, (object) => {
      seen.add({ verb, name: object.metadata?.name ?? '', object });
    });
  }
  informer.on('connect', () => {
    seen.add({ verb: 'connect', name: '' });
  });
  informer.on('error', (error: unknown) => {
    seen.add({ verb: 'error', name: String(error) });
  });
  return seen;
}

const space = useWorkspace('client-node');
const toStop: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of toStop.splice(0)) await stop();
});

const RESOURCES = [
  {
    resource: 'ConfigMaps',
    path: () => `/api/v1/namespaces/${space().namespace}/configmaps`,
    list: () => space().api.list<KubernetesObject>('v1', 'ConfigMap', space().namespace),
    make: (name: string, level: number): KubernetesObject =>
      space().configMap(name, { level: String(level) }),
  },
  {
    resource: 'a custom resource',
    path: () => `/apis/${space().group}/v1/namespaces/${space().namespace}/gauges`,
    list: () => space().api.list<KubernetesObject>(`${space().group}/v1`, 'Gauge', space().namespace),
    make: (name: string, level: number): KubernetesObject => space().gauge(name, level),
  },
];

describe.each(RESOURCES)('an informer on $resource', ({ path, list, make }) => {
  const start = async (listFn: () => Promise<KubernetesListObject<KubernetesObject>>) => {
    const informer = makeInformer(space().config, path(), listFn);
    const seen = watchCalls(informer);
    toStop.push(() => informer.stop());
    await informer.start();
    return { informer, seen };
  };

  test('is told of each add, update and delete once', async () => {
    await space().api.create(make('there-before', 1));
    const { informer, seen } = await start(list);
    await seen.first('add of what was there', ({ verb, name }) => verb === 'add' && name === 'there-before');

    const made = await space().api.create(make('made-later', 1));
    const added = await seen.first('add', ({ verb, name }) => verb === 'add' && name === 'made-later');
    expect(added.object?.metadata?.uid).toBe(made.metadata?.uid);

    const changed = await space().api.patch(
      make('made-later', 2),
      undefined,
      undefined,
      undefined,
      undefined,
      PatchStrategy.MergePatch,
    );
    const updated = await seen.first(
      'update',
      ({ verb, name }) => verb === 'update' && name === 'made-later',
    );
    expect(updated.object?.metadata?.resourceVersion).toBe(changed.metadata?.resourceVersion);

    await space().api.delete(make('made-later', 2));
    await space().api.delete(make('there-before', 1));
    await seen.first('delete', ({ verb, name }) => verb === 'delete' && name === 'made-later');
    await seen.first('delete', ({ verb, name }) => verb === 'delete' && name === 'there-before');

    const calls = seen.all
      .filter(({ verb }) => verb !== 'connect')
      .map(({ verb, name }) => `${verb} ${name}`);
    const built = 'kube-root-ca.crt'; // a real cluster may add it to every namespace
    expect(calls.filter((call) => !call.endsWith(built))).toEqual([
      'add there-before',
      'add made-later',
      'update made-later',
      'delete made-later',
      'delete there-before',
    ]);
    expect(informer.get('made-later', space().namespace)).toBeUndefined();
  }, 60_000);
});

test('an informer whose version is older than the history lists again and goes on', async () => {
  const path = `/apis/${space().group}/v1/namespaces/${space().namespace}/gauges`;
  let lists = 0;
  const firstRevision = Object.assign(new V1ListMeta(), { resourceVersion: '1' });
  // The first list is as old as the first revision: the watch that starts from it is answered 200 and one ERROR 410.
  const listFn = async (): Promise<KubernetesListObject<Gauge>> => {
    lists++;
    if (lists === 1) return { metadata: firstRevision, items: [space().gauge('long-gone', 0)] };
    return space().api.list<Gauge>(`${space().group}/v1`, 'Gauge', space().namespace);
  };
  await space().api.create(space().gauge('survivor', 1));
  const informer = makeInformer(space().config, path, listFn);
  const seen = watchCalls(informer);
  toStop.push(() => informer.stop());
  await informer.start();
  await seen.first('add of the stale list', ({ verb, name }) => verb === 'add' && name === 'long-gone');
  await seen.first(
    'delete by the second list',
    ({ verb, name }) => verb === 'delete' && name === 'long-gone',
  );
  await seen.first('add by the second list', ({ verb, name }) => verb === 'add' && name === 'survivor');
  await space().api.create(space().gauge('after', 1));
  await seen.first('add by the second watch', ({ verb, name }) => verb === 'add' && name === 'after');
  expect(lists).toBe(2);
  expect(seen.all.filter(({ verb }) => verb === 'error')).toEqual([]);
  await space().api.delete(space().gauge('survivor', 1));
  await space().api.delete(space().gauge('after', 1));
}, 60_000);

test('a watch ends when its time is over, with every event before', async () => {
  const seen = new Seen<{ phase: string; name?: string | undefined; error?: unknown }>();
  const before = await space().api.list<ConfigMap>('v1', 'ConfigMap', space().namespace);
  await new Watch(space().config).watch(
    `/api/v1/namespaces/${space().namespace}/configmaps`,
    { timeoutSeconds: 2, resourceVersion: before.metadata?.resourceVersion },
    (phase, object: KubernetesObject) => {
      seen.add({ phase, name: object.metadata?.name });
    },
    (error: unknown) => {
      seen.add({ phase: 'done', error });
    },
  );
  await space().api.create(space().configMap('in-time', { a: '1' }));
  await space().api.delete(space().configMap('in-time', {}));
  await seen.first('the end', ({ phase }) => phase === 'done');
  expect(seen.all).toEqual([
    { phase: 'ADDED', name: 'in-time' },
    { phase: 'DELETED', name: 'in-time' },
    { phase: 'done', error: null },
  ]);
}, 60_000);

test('an object is created, read, listed, patched, replaced and deleted', async () => {
  const { api } = space();
  const created = await api.create(space().configMap('whole-life', { a: '1' }));
  expect(created.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/);

  const head = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'whole-life', namespace: space().namespace },
  };
  const read = await api.read<ConfigMap>(head);
  expect(read).toMatchObject({
    kind: 'ConfigMap',
    metadata: { uid: created.metadata?.uid },
    data: { a: '1' },
  });

  const list = await api.list<ConfigMap>(
    'v1',
    'ConfigMap',
    space().namespace,
    undefined,
    undefined,
    undefined,
    'metadata.name=whole-life',
  );
  expect(list.items.map(({ metadata }) => metadata?.name)).toEqual(['whole-life']);

  const patched = await api.patch<ConfigMap>(
    space().configMap('whole-life', { b: '2' }),
    undefined,
    undefined,
    undefined,
    undefined,
    PatchStrategy.MergePatch,
  );
  expect(patched.data).toEqual({ a: '1', b: '2' });

  const replaced = await api.replace<ConfigMap>({ ...patched, data: { c: '3' } });
  expect(replaced.data).toEqual({ c: '3' });
  expect(Number(replaced.metadata?.resourceVersion)).toBeGreaterThan(
    Number(created.metadata?.resourceVersion),
  );

  const stale = api.replace<ConfigMap>({ ...patched, data: { d: '4' } });
  await expect(stale).rejects.toBeInstanceOf(ApiException);
  await expect(stale).rejects.toMatchObject({ code: 409 });

  const gone = await api.delete(head);
  expect(gone).toMatchObject({
    kind: 'Status',
    status: 'Success',
    details: { name: 'whole-life', uid: created.metadata?.uid },
  });
  await expect(api.read(head)).rejects.toMatchObject({ code: 404 });
}, 60_000);

test('an object is applied on the server, and what somebody else owns is refused unless it is forced', async () => {
  const { api } = space();
  const apply = (writer: string, data: Readonly<Record<string, string>>, force = false): Promise<ConfigMap> =>
    api.patch<ConfigMap>(
      space().configMap('applied', data),
      undefined,
      undefined,
      writer,
      force,
      PatchStrategy.ServerSideApply,
    );
  const made = await apply('one', { a: '1', b: '1' });
  expect(await apply('one', { a: '1', b: '1' })).toEqual(made);
  await expect(apply('two', { a: '2' })).rejects.toMatchObject({ code: 409 });
  expect((await apply('two', { a: '2' }, true)).data).toEqual({ a: '2', b: '1' });
  const left = await apply('one', { b: '1' });
  expect(left.data).toEqual({ a: '2', b: '1' });
  expect(left.metadata?.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual([
    'one Apply',
    'two Apply',
  ]);
}, 60_000);

test('a strategic merge patch merges the containers of a pod by name', async () => {
  const { api, namespace } = space();
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'merged', namespace },
    spec: {
      containers: [
        { name: 'a', image: 'a:1' },
        { name: 'b', image: 'b:1' },
      ],
    },
  };
  await api.create(pod);
  const patched = await api.patch<typeof pod>({
    ...pod,
    spec: { containers: [{ name: 'b', image: 'b:2' }] },
  });
  expect(patched.spec.containers.map(({ image }) => image)).toEqual(['a:1', 'b:2']);
}, 60_000);
