/**
 * Unmodified clients that stop reading while far more is written than sockets hold: their whole process is stopped.
 * With stall and resume they are sent the rest on the same watch; without, the server ends the watch meanwhile.
 */
import { type ChildProcess } from 'node:child_process';
import { KubeConfig, KubernetesObjectApi } from '@kubernetes/client-node';
import { fileURLToPath } from 'node:url';
import { startClient } from './client-program.js';
import { type Seen, until } from './seen.js';
import { OWN_SERVER, serverUrl, startTarget, stopProgram, type TargetServer } from './server.js';
import { goInformer, testWith } from './tools.js';

/** Together 20 MB. */
const WRITES = 200;
const LARGE = 'x'.repeat(100_000);
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const NODE_WATCH = fileURLToPath(new URL('node-watch.mjs', import.meta.url));

let server: TargetServer | undefined;
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGCONT');
    await stopProgram(child);
  }
  await server?.stop();
});

interface Stalled {
  /** Names in the order in which the client was told of them. */
  readonly names: () => readonly string[];
  readonly child: ChildProcess;
  readonly told: Seen<{ readonly name: string; readonly ended: boolean }>;
}

function run(
  command: string,
  args: readonly string[],
  read: (line: string) => Stalled['told']['all'][number] | undefined,
): Stalled {
  const { child, told } = startClient(command, args, { read });
  children.push(child);
  return {
    child,
    told,
    names: () => told.all.map(({ name }) => name).filter((name) => name.startsWith('slow-')),
  };
}

interface Line {
  readonly type?: string;
  readonly event?: string;
  readonly name?: string;
}

const CLIENTS = [
  {
    client: 'client-node’s watch',
    tool: { path: process.execPath },
    /** Whether it opens a new watch by itself when one ends. */
    comesBack: false,
    start: async (kubeconfig: string): Promise<Stalled> => {
      const { metadata } = (await (await fetch(serverUrl(kubeconfig) + CONFIG_MAPS)).json()) as {
        metadata: { resourceVersion: string };
      }; // a list
      const running = run(
        process.execPath,
        [NODE_WATCH, kubeconfig, CONFIG_MAPS, metadata.resourceVersion],
        (line) => {
          const { type, name = '' } = JSON.parse(line) as Line; // our own program's
          return { name: type === 'OPEN' ? 'open' : name, ended: type === 'END' };
        },
      );
      await running.told.first('the watch is open', ({ name }) => name === 'open');
      return running;
    },
  },
  {
    client: 'a client-go reflector',
    tool: goInformer(),
    comesBack: true,
    start: async (kubeconfig: string): Promise<Stalled> => {
      const tool = goInformer();
      if (!('path' in tool)) throw new Error(tool.missing);
      const running = run(
        tool.path,
        ['-kubeconfig', kubeconfig, '-resource', 'configmaps', '-namespace', 'default'],
        (line) => {
          const { event, name = '' } = JSON.parse(line) as Line; // our own program's
          return { name: event === 'SYNCED' ? 'open' : name, ended: event === 'END' };
        },
      );
      await running.told.first('it has synced', ({ name }) => name === 'open');
      return running;
    },
  },
];

describe.each(CLIENTS)('$client', ({ client, tool, comesBack, start }) => {
  const own = OWN_SERVER ? testWith(tool, client) : test.skip;

  own(
    'is sent all of it in order on the same watch, with stall and resume',
    async () => {
      server = await startTarget();
      const { stalled, url } = await stallWhileWritten(server, start);
      expect(await terminated(url)).toBe(0);
      const watches = await watchRequests(url);
      stalled.child.kill('SIGCONT');
      await stalled.told.first('the last event', ({ name }) => name === `slow-${WRITES - 1}`);
      expect(stalled.names()).toEqual(Array.from({ length: WRITES }, (_, i) => `slow-${i}`));
      expect(await openWatches(url)).toBe(1);
      expect(await watchRequests(url)).toBe(watches);
    },
    60_000,
  );

  own(
    'has its watch ended while it does not read, without',
    async () => {
      server = await startTarget(['--feature-gates', 'WatchCacheStallResume=false']);
      const { stalled, url } = await stallWhileWritten(server, start);
      expect(await terminated(url)).toBe(1);
      stalled.child.kill('SIGCONT');
      if (comesBack) {
        await stalled.told.first('the last event', ({ name }) => name === `slow-${WRITES - 1}`);
        expect(await watchRequests(url)).toBeGreaterThan(1);
      } else {
        await stalled.told.first('the end', ({ ended }) => ended);
        expect(stalled.names().length).toBeLessThan(WRITES);
      }
    },
    60_000,
  );
});

async function stallWhileWritten(
  target: TargetServer,
  start: (kubeconfig: string) => Promise<Stalled>,
): Promise<{ stalled: Stalled; url: string }> {
  const url = serverUrl(target.kubeconfig);
  const config = new KubeConfig();
  config.loadFromFile(target.kubeconfig);
  const api = KubernetesObjectApi.makeApiClient(config);
  const stalled = await start(target.kubeconfig);
  await until('the watch is open', async () => (await openWatches(url)) === 1);
  stalled.child.kill('SIGSTOP');
  for (let i = 0; i < WRITES; i++) {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `slow-${i}`, namespace: 'default' },
      data: { LARGE },
    };
    await api.create(object);
  }
  return { stalled, url };
}

/** The sum of a family's series on ConfigMaps that have this text in their labels. */
async function metric(url: string, name: string, label = ''): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text
    .split('\n')
    .filter(
      (line) => line.startsWith(`${name}{`) && line.includes('resource="configmaps"') && line.includes(label),
    )
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const terminated = (url: string): Promise<number> => metric(url, 'apiserver_terminated_watchers_total');
const openWatches = (url: string): Promise<number> => metric(url, 'apiserver_longrunning_requests');
const watchRequests = (url: string): Promise<number> =>
  metric(url, 'apiserver_request_total', 'verb="WATCH"');
