/** @kubernetes/client-node, unmodified, through each named scenario; what it did is read from the journal. */
import {
  CoordinationV1Api,
  CoreV1Api,
  KubeConfig,
  Watch,
  makeInformer,
  type Informer,
  type KubernetesObject,
  V1ConfigMap,
  V1Lease,
  V1LeaseSpec,
  V1ObjectMeta,
} from '@kubernetes/client-node';
import {
  type JournalEntry,
  journalMatchers,
  type MockServer,
  scenario,
  scenarioNames,
  startMockServer,
  type JournalView,
  type PathName,
} from '../../mockserver/index.js';
import { fellBackToList, relists, usedWatchList } from '../../mockserver/observe/journal-matchers.js';
import { withoutTime } from './scenario-run.js';
import { Seen, until } from './seen.js';

const PATH = '/api/v1/namespaces/default/configmaps';

let server: MockServer;
let config: KubeConfig;
let api: CoreV1Api;
const toStop: (() => Promise<void> | void)[] = [];
const tried = new Set<string>();

afterEach(async () => {
  for (const stop of toStop.splice(0)) await stop();
  await server.stop();
});

async function startWith(name: string): Promise<void> {
  tried.add(name);
  server = await startMockServer({ faults: withoutTime(scenario(name).rules) });
  config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  api = config.makeApiClient(CoreV1Api);
}

const named = (name: string): V1ConfigMap =>
  Object.assign(new V1ConfigMap(), { metadata: Object.assign(new V1ObjectMeta(), { name }) });

const create = (name: string): Promise<V1ConfigMap> =>
  api.createNamespacedConfigMap({ namespace: 'default', body: named(name) });

interface Running {
  readonly informer: Informer<V1ConfigMap>;
  /** `add a`, `error …` */
  readonly told: Seen<string>;
}

async function startInformer(): Promise<Running> {
  const running = makeRunning();
  await running.informer.start();
  return running;
}

function makeRunning(): Running {
  const informer = makeInformer<V1ConfigMap>(config, PATH, () =>
    api.listNamespacedConfigMap({ namespace: 'default' }),
  );
  const told = new Seen<string>();
  for (const verb of ['add', 'update', 'delete'] as const)
    informer.on(verb, (object) => told.add(`${verb} ${object.metadata?.name ?? ''}`));
  informer.on('error', (error: unknown) => told.add(`error ${String(error)}`));
  toStop.push(() => informer.stop());
  return { informer, told };
}

/** Requests for ConfigMaps, and what belongs to them. */
const maps = (): JournalView => server.journal.all.where({ resource: 'configmaps' });
const verbs = (): string[] =>
  maps()
    .requests.filter(({ verb }) => verb === 'list' || verb === 'watch')
    .map(({ verb }) => verb);
const sent = (type: string, name: string) => (entry: JournalEntry) =>
  entry.kind === 'event' && entry.type === type && entry.name === name;

/** A watch-list as the client's own Watch asks for it: its informer never does. */
async function watchList(): Promise<{ phases: Seen<string>; abort: () => void }> {
  const phases = new Seen<string>();
  const controller = await new Watch(config).watch(
    PATH,
    { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true },
    (phase, object: KubernetesObject) => phases.add(`${phase} ${object.metadata?.name ?? ''}`.trim()),
    (error: unknown) =>
      phases.add(error === null ? 'end' : `failed ${error instanceof Error ? error.message : ''}`),
  );
  return { phases, abort: () => controller.abort() };
}

test('watch-list-refused: a watch-list is answered 422; the informer, which lists, notices nothing', async () => {
  await startWith('watch-list-refused');
  await create('a');
  const { phases } = await watchList();
  expect(await phases.first('failure', (text) => text.startsWith('failed'))).toMatch(/Unprocessable/);
  const { told } = await startInformer();
  await told.first('add', (text) => text === 'add a');
  await create('b');
  await told.first('add', (text) => text === 'add b');
  expect(maps().faults.map(({ rule }) => rule)).toEqual(['watch-list-refused']);
  // The journal cannot tell the client's Watch from its informer: they have one user agent.
  expect(fellBackToList(maps())).toBe(true);
  expect(usedWatchList(maps())).toBe(false);
}, 60_000);

test('marker-withheld: a watch-list gets its objects and what follows, and no marker', async () => {
  await startWith('marker-withheld');
  await create('a');
  const { phases, abort } = await watchList();
  await phases.first('initial event', (text) => text === 'ADDED a');
  await create('b');
  await phases.first('live event', (text) => text === 'ADDED b');
  expect(phases.all).toEqual(['ADDED a', 'ADDED b']);
  expect(maps().explain()).toContain('no marker yet');
  abort();
  const { told } = await startInformer();
  await told.first('add', (text) => text === 'add b');
}, 60_000);

test('clean-end-before-marker: a watch-list ends in good order behind its objects', async () => {
  await startWith('clean-end-before-marker');
  await create('a');
  const { phases } = await watchList();
  await phases.first('end', (text) => text === 'end');
  expect(phases.all).toEqual(['ADDED a', 'end']);
  expect(maps().events.map(({ type }) => type)).toEqual(['ADDED']);
  const { told } = await startInformer();
  await told.first('add', (text) => text === 'add a');
  expect(maps().faults).toHaveLength(1);
}, 60_000);

describe.each(['watch-410-in-stream', 'watch-410-http'])('%s', (name) => {
  test('the informer lists again, once, and goes on', async () => {
    await startWith(name);
    await create('a');
    const { told } = await startInformer();
    await server.journal.first('second list', () => maps().lists.length === 2);
    await server.journal.first('second watch', () => maps().watches.length === 2);
    await create('b');
    await told.first('add', (text) => text === 'add b');
    expect(verbs()).toEqual(['list', 'watch', 'list', 'watch']);
    expect(relists(maps())).toBe(1);
    expect(journalMatchers.notToHotLoop(server.journal).pass).toBe(true);
    expect(told.all).toEqual(['add a', 'add b']);
  }, 60_000);
});

test('stalled-and-resumed: the informer gets every event once, on the same watch', async () => {
  await startWith('stalled-and-resumed');
  const { told } = await startInformer();
  await server.journal.first('the stall', (entry) => entry.kind === 'fault');
  const names = Array.from({ length: 150 }, (_, i) => `w-${i}`);
  for (const one of names) await create(one);
  server.control.resume();
  await server.journal.first('the last event', sent('ADDED', 'w-149'));
  await told.first('the last add', (text) => text === 'add w-149');
  expect(told.all).toEqual(names.map((one) => `add ${one}`));
  expect(verbs()).toEqual(['list', 'watch']);
  expect(relists(maps())).toBe(0);
}, 60_000);

test('too-many-requests: the informer reports the error and watches again once it is started', async () => {
  await startWith('too-many-requests');
  await create('a');
  const { informer, told } = await startInformer();
  await told.first('error', (text) => text.startsWith('error'));
  expect(verbs()).toEqual(['list', 'watch']);
  await informer.start();
  await server.journal.first('an open watch', () => maps().watches.length === 2);
  await create('b');
  await told.first('add', (text) => text === 'add b');
}, 60_000);

test('continue-410: a page that goes on with a list fails with a token for the rest', async () => {
  await startWith('continue-410');
  for (const one of ['a', 'b', 'c']) await create(one);
  const first = await api.listNamespacedConfigMap({ namespace: 'default', limit: 1 });
  const next = api.listNamespacedConfigMap({
    namespace: 'default',
    limit: 1,
    _continue: first.metadata?._continue ?? '',
  });
  await expect(next).rejects.toMatchObject({ code: 410 });
  const again = await api.listNamespacedConfigMap({ namespace: 'default' });
  expect(again.items.map(({ metadata }) => metadata?.name)).toEqual(['a', 'b', 'c']);
  const { told } = await startInformer();
  await told.first('add', (text) => text === 'add c');
  expect(maps().lists).toHaveLength(3);
}, 60_000);

/** An informer that is started again whenever it reports an error, as its documentation advises. */
async function startPersistent(): Promise<Running> {
  const { informer, told } = makeRunning();
  let stopped = false;
  toStop.push(() => {
    stopped = true;
  });
  const again = (): void => {
    setTimeout(() => {
      if (!stopped) informer.start().catch(again);
    }, 100);
  };
  informer.on('error', again);
  await informer.start().catch(again);
  return { informer, told };
}

const signal = (name: string): void => server.faults.signal(name);

test.each<{ name: string; run: (told: Seen<string>) => Promise<void>; says?: PathName }>([
  { name: 'watch-list-ignored', run: () => create('b').then(() => undefined) },
  { name: 'failure-mid-stream', run: () => create('b').then(() => undefined) },
  { name: 'version-too-large', run: () => create('b').then(() => undefined) },
  { name: 'connection-refused', run: () => whenBack('b') },
  { name: 'connection-reset', run: () => create('b').then(() => undefined) },
  { name: 'unexpected-eof', run: () => create('b').then(() => undefined) },
  { name: 'internal-error', run: () => create('b').then(() => undefined) },
  { name: 'timeouts-and-jitter', run: () => create('b').then(() => undefined) },
  { name: 'utf8-split', run: () => create('b').then(() => undefined) },
  {
    name: 'thundering-herd',
    run: async () => {
      await server.journal.first('the watch', () => maps().watches.length > 0);
      signal('herd');
      await create('gone').catch(() => undefined);
      await whenBack('b');
    },
  },
  {
    name: 'stalled-beyond-window',
    run: async () => {
      await server.journal.first('the stall', ({ kind }) => kind === 'fault');
      for (let i = 0; i < 150; i++) await create(`w-${i}`);
      server.control.resume();
      await create('b');
    },
    says: 'lists again after 410',
  },
  {
    name: 'unobserved-delete',
    run: async (told) => {
      await told.first('a', (text) => text === 'add a');
      await server.journal.first('the watch', () => maps().watches.length > 0);
      await api.deleteNamespacedConfigMap({ namespace: 'default', name: 'a' });
      await create('b');
      await told.first('the deletion', (text) => text === 'delete a');
    },
    says: 'lists again after 410',
  },
])(
  '$name: the informer is told of what is written in the end',
  async ({ name, run, says }) => {
    await startWith(name);
    await whenBack('a');
    const { told } = await startPersistent();
    await run(told);
    await told.first('b', (text) => text === 'add b');
    if (says !== undefined) expect(journalMatchers.toHaveTakenPath(server.journal, says).pass).toBe(true);
  },
  60_000,
);

/** Creates an object, as often as it takes while connections are refused. */
async function whenBack(name: string): Promise<void> {
  await until(`${name} is written`, async () => (await create(name)).metadata?.name === name);
}

test('first-list-paginated: a list of version 0 comes in pages', async () => {
  await startWith('first-list-paginated');
  for (const one of ['a', 'b', 'c']) await create(one);
  const first = await api.listNamespacedConfigMap({ namespace: 'default', resourceVersion: '0' });
  expect(first.items).toHaveLength(2);
  expect(first.metadata?._continue).not.toBe('');
}, 60_000);

test('events-silently-closed: a watch of events ends without a word', async () => {
  await startWith('events-silently-closed');
  await create('a');
  await create('b');
  const ended = new Seen<string>();
  await new Watch(config).watch(
    '/api/v1/events',
    { resourceVersion: '1' },
    (phase) => ended.add(phase),
    () => ended.add('end'),
  );
  await ended.first('the end', (text) => text === 'end');
  expect(ended.all).toEqual(['end']);
}, 60_000);

test('lost-answer: the update is stored, and conflicts when it is sent again', async () => {
  await startWith('lost-answer');
  const leases = config.makeApiClient(CoordinationV1Api);
  const lead = (holderIdentity: string, resourceVersion?: string): V1Lease =>
    Object.assign(new V1Lease(), {
      metadata: Object.assign(new V1ObjectMeta(), { name: 'lead', resourceVersion }),
      spec: Object.assign(new V1LeaseSpec(), { holderIdentity }),
    });
  const made = await leases.createNamespacedLease({ namespace: 'default', body: lead('A') });
  const body = lead('B', made.metadata?.resourceVersion);
  const renew = (): Promise<V1Lease> =>
    leases.replaceNamespacedLease({ namespace: 'default', name: 'lead', body });
  await expect(renew()).rejects.toThrow();
  await expect(renew()).rejects.toMatchObject({ code: 409 });
  expect(server.journal.all.where({ resource: 'leases', kind: 'response' }).entries).toMatchObject([
    { code: 201, committed: true },
    { code: 0, lost: 'reset', committed: true },
    { code: 409 },
  ]);
}, 60_000);

test('time-travel: a list shows an older state, and the journal says so', async () => {
  await startWith('time-travel');
  for (const one of ['a', 'b', 'c', 'd']) await create(one);
  await api.listNamespacedConfigMap({ namespace: 'default' });
  signal('travel');
  const old = await api.listNamespacedConfigMap({ namespace: 'default', resourceVersion: '0' });
  expect(old.items.map(({ metadata }) => metadata?.name)).toEqual(['a']);
  expect(journalMatchers.toHaveTakenPath(server.journal, 'stale reads').pass).toBe(true);
}, 60_000);

test('restored-backup: what was written since is gone, and revisions are given anew', async () => {
  await startWith('restored-backup');
  const { told } = await startPersistent();
  for (const one of ['a', 'b', 'c', 'd']) await create(one);
  await told.first('d', (text) => text === 'add d');
  signal('restore');
  await create('e');
  const list = await api.listNamespacedConfigMap({ namespace: 'default' });
  expect(list.items.map(({ metadata }) => metadata?.name)).toEqual(['a', 'e']);
}, 60_000);

test('every scenario has been tried', async () => {
  server = await startMockServer();
  expect([...tried].sort()).toEqual(scenarioNames());
});
