/** A client-go 0.36 informer, unmodified, with watch-list on and off. */
import { type ChildProcess } from 'node:child_process';
import { PatchStrategy, type KubernetesObject } from '@kubernetes/client-node';
import { startClient } from './client-program.js';
import { type Seen, until } from './seen.js';
import { OWN_SERVER, stopProgram, TARGET_VARIABLE } from './server.js';
import { goInformer, testWith } from './tools.js';
import { useWorkspace, type ConfigMap } from './workspace.js';

/** One line of the program in go/main.go. */
interface Told {
  readonly event: 'ADD' | 'UPDATE' | 'DELETE' | 'SYNCED' | 'END';
  readonly name?: string;
  readonly resourceVersion?: string;
  readonly initial?: boolean;
  readonly unknown?: boolean;
  readonly stored: number;
}

interface Running {
  readonly told: Seen<Told>;
  readonly log: Seen<string>;
  /** Closes the program's input and waits for its last line. */
  readonly end: () => Promise<Told>;
}

/** Source: client-go v0.36.3 tools/cache/reflector.go, handleAnyWatch. */
const END_OF_INITIAL_EVENTS =
  'Exiting watch because received the bookmark that marks the end of initial events stream';
/** Source: the same file, ListAndWatchWithContext. */
const FALLS_BACK = "Data couldn't be fetched in watchlist mode";

const tool = goInformer();
const goTest = testWith(tool, 'client-go informer');

const space = useWorkspace('client-go');
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) await stopProgram(child);
});

function startInformer(resource: string, watchList: boolean): Running {
  if (!('path' in tool)) throw new Error(tool.missing);
  const { kubeconfig } = space().server;
  const { child, told, log } = startClient(
    tool.path,
    ['-kubeconfig', kubeconfig, '-resource', resource, '-namespace', space().namespace, '-v=6'],
    {
      env: { KUBE_FEATURE_WatchListClient: String(watchList) },
      // The program is ours: its lines have the shape of Told.
      read: (line) => JSON.parse(line) as Told,
    },
  );
  children.push(child);
  return {
    told,
    log,
    end: () => {
      child.stdin?.end();
      return told.first('END', ({ event }) => event === 'END');
    },
  };
}

const requests = (log: Seen<string>, part: string): readonly string[] =>
  log.all.filter((line) => line.includes('"Response"') && line.includes(part));

const RESOURCES = [
  {
    resource: 'configmaps',
    argument: () => 'configmaps',
    make: (name: string, level: number): KubernetesObject =>
      space().configMap(name, { level: String(level) }),
  },
  {
    resource: 'a custom resource',
    argument: () => `gauges.v1.${space().group}`,
    make: (name: string, level: number): KubernetesObject => space().gauge(name, level),
  },
];

describe.each(RESOURCES)('an informer on $resource', ({ argument, make }) => {
  goTest.each([{ watchList: true }, { watchList: false }])(
    'with watch-list $watchList syncs and is told of each change',
    async ({ watchList }) => {
      await space().api.create(make('there-before', 1));
      const { told, log, end } = startInformer(argument(), watchList);
      await told.first(
        'the add of what was there',
        ({ event, name }) => event === 'ADD' && name === 'there-before',
      );
      const synced = await told.first('SYNCED', ({ event }) => event === 'SYNCED');
      expect(Number(synced.resourceVersion)).toBeGreaterThan(0);
      expect(told.all.find(({ name }) => name === 'there-before')?.initial).toBe(true);

      const made = await space().api.create(make('made-later', 1));
      const added = await told.first('ADD', ({ event, name }) => event === 'ADD' && name === 'made-later');
      expect(added).toMatchObject({ resourceVersion: made.metadata?.resourceVersion });
      expect(added.initial).toBeUndefined();

      const patched = await space().api.patch(
        make('made-later', 2),
        undefined,
        undefined,
        undefined,
        undefined,
        PatchStrategy.MergePatch,
      );
      const updated = await told.first(
        'UPDATE',
        ({ event, name }) => event === 'UPDATE' && name === 'made-later',
      );
      expect(updated.resourceVersion).toBe(patched.metadata?.resourceVersion);

      await space().api.delete(make('made-later', 2));
      await space().api.delete(make('there-before', 1));
      await told.first('DELETE', ({ event, name }) => event === 'DELETE' && name === 'made-later');
      const last = await told.first(
        'DELETE',
        ({ event, name }) => event === 'DELETE' && name === 'there-before',
      );
      expect(Number(last.resourceVersion)).toBeGreaterThan(Number(updated.resourceVersion));
      expect((await end()).resourceVersion).toBe(last.resourceVersion);

      const ends = log.all.filter((line) => line.includes(END_OF_INITIAL_EVENTS));
      expect(ends).toHaveLength(watchList ? 1 : 0);
      expect(log.all.filter((line) => line.includes(FALLS_BACK))).toEqual([]);
      expect(requests(log, 'limit=500&resourceVersion=0')).toHaveLength(watchList ? 0 : 1);
      expect(requests(log, 'sendInitialEvents=true').length > 0).toBe(watchList);
    },
    90_000,
  );
});

const restartTest = OWN_SERVER
  ? goTest
  : testWith(
      { missing: `${TARGET_VARIABLE} names a cluster of somebody else's` },
      'client-go across a restart',
    );

restartTest.each([{ watchList: true }, { watchList: false }])(
  'an informer with watch-list $watchList follows a server that restarts empty on the same port',
  async ({ watchList }) => {
    await space().api.create(space().gauge('before-restart', 1));
    const { told, log } = startInformer(`gauges.v1.${space().group}`, watchList);
    await told.first('the first add', ({ event, name }) => event === 'ADD' && name === 'before-restart');
    const last = Number((await told.first('SYNCED', ({ event }) => event === 'SYNCED')).resourceVersion);

    await space().server.restart();
    // The new server's revisions begin anew. It is brought past the informer's, so that the informer meets a state
    // newer than its own; what it does with a version from the future is another matter.
    let newest = 0;
    for (let i = 0; newest <= last; i++) {
      const filler: ConfigMap = { ...space().configMap(`filler-${i}`, {}) };
      if (filler.metadata !== undefined) filler.metadata.namespace = 'default';
      newest = Number((await space().api.create(filler)).metadata?.resourceVersion);
    }
    await space().furnish();
    await space().api.create(space().gauge('after-restart', 1));

    const gone = await told.first(
      'DELETE',
      ({ event, name }) => event === 'DELETE' && name === 'before-restart',
    );
    expect(gone.unknown).toBe(true);
    await told.first('ADD', ({ event, name }) => event === 'ADD' && name === 'after-restart');
    await space().api.create(space().gauge('live-again', 1));
    await told.first('ADD', ({ event, name }) => event === 'ADD' && name === 'live-again');
    await until('the end of the second initial events is logged', () =>
      Promise.resolve(
        log.all.filter((line) => line.includes(END_OF_INITIAL_EVENTS)).length >= (watchList ? 2 : 0),
      ),
    );
    // How it learns of the end depends on how long the server was away and how long the watch had been open.
    const ends = ['connection refused', 'Watch close', 'watch ended with error'];
    expect(log.all.some((line) => ends.some((end) => line.includes(end)))).toBe(true);
  },
  120_000,
);
