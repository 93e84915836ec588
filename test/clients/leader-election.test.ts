/** Two contenders of one client, unmodified, in real time: one leads, and when it is gone the other takes over. */
import { type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CoordinationV1Api, KubeConfig, type V1Lease } from '@kubernetes/client-node';
import { LeaderElector } from '../../examples/operator-jest/src/leader-election.js';
import { startMockServer } from '../../mockserver/index.js';
import { startClient } from './client-program.js';
import { Seen, until } from './seen.js';
import { stopProgram } from './server.js';
import { goTyped, pythonClient, testWith, type Tool } from './tools.js';
import { useWorkspace } from './workspace.js';

interface Told {
  readonly event: 'CONTENDS' | 'LEADS' | 'STOPPED';
}

/** What every contender is told. */
const LEASE_MS = 3000;

/** A contender that has begun. */
interface Contender {
  readonly told: Seen<Told>;
  /** Ends it without a word to the server. */
  readonly kill: () => void;
}

interface Client {
  /** Of its Lease. */
  readonly name: string;
  readonly tool: Tool;
  readonly contend: (identity: string) => Contender;
}

const HERE: Tool = { path: process.execPath };
const GO = goTyped();
const PYTHON = pythonClient();
const CLIENTS: readonly Client[] = [
  { name: 'node', tool: HERE, contend: contendHere },
  {
    name: 'go',
    tool: GO,
    contend: (identity) =>
      contendIn(GO, [
        '-program=leader',
        `-kubeconfig=${space().server.kubeconfig}`,
        `-namespace=${space().namespace}`,
        `-identity=${identity}`,
      ]),
  },
  {
    name: 'python',
    tool: PYTHON,
    contend: (identity) => {
      const program = fileURLToPath(new URL('python_leader.py', import.meta.url));
      const { server, namespace } = space();
      return contendIn(PYTHON, ['-W', 'ignore', program, server.kubeconfig, namespace, identity]);
    },
  },
];

const space = useWorkspace('leader');
const children: ChildProcess[] = [];
const electors: LeaderElector[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) await stopProgram(child);
  for (const elector of electors.splice(0)) elector.abandon();
});

function contendIn(tool: Tool, args: readonly string[]): Contender {
  if (!('path' in tool)) throw new Error(tool.missing);
  // The programs are ours: their lines have the shape of Told.
  const { child, told } = startClient(tool.path, args, { read: (line) => JSON.parse(line) as Told });
  children.push(child);
  return { told, kill: () => child.kill('SIGKILL') };
}

/** Here, by the elector of the example operator. */
function contendHere(identity: string): Contender {
  const told = new Seen<Told>();
  const elector = new LeaderElector(space().config, {
    namespace: space().namespace,
    name: 'node',
    identity,
    leaseSeconds: LEASE_MS / 1000,
    retryMs: 500,
    onStarted: () => told.add({ event: 'LEADS' }),
    onStopped: () => told.add({ event: 'STOPPED' }),
  });
  electors.push(elector);
  elector.start();
  told.add({ event: 'CONTENDS' });
  return { told, kill: () => elector.abandon() };
}

const leads = ({ event }: Told): boolean => event === 'LEADS';
const contends = ({ event }: Told): boolean => event === 'CONTENDS';

async function lease(name: string): Promise<V1Lease> {
  const api = space().config.makeApiClient(CoordinationV1Api);
  return api.readNamespacedLease({ namespace: space().namespace, name });
}

const renewedAt = ({ spec }: V1Lease): number => Date.parse(String(spec?.renewTime));

describe.each(CLIENTS)('contenders of $name', (client) => {
  testWith(client.tool, `leader election of ${client.name}`)(
    'one leads as long as it is there, then the other takes over when its lease has run out',
    async () => {
      const first = client.contend('first');
      await first.told.first('the first leads', leads);
      const second = client.contend('second');
      await second.told.first('the second contends', contends);
      // It is renewed for longer than it lasts without being renewed.
      const began = renewedAt(await lease(client.name));
      await until(
        'a whole lease has been renewed',
        async () => renewedAt(await lease(client.name)) > began + LEASE_MS,
      );
      expect(second.told.all).toEqual([{ event: 'CONTENDS' }]);
      first.kill();
      const last = renewedAt(await lease(client.name));
      await second.told.first('the second leads', leads);
      const taken = await lease(client.name);
      expect(taken.spec?.holderIdentity).toBe('second');
      expect(renewedAt(taken)).toBeGreaterThan(last);
      expect(first.told.all).toEqual([{ event: 'CONTENDS' }, { event: 'LEADS' }]);
    },
    90_000,
  );
});

test('on a clock that is moved, the other takes over when the lease has run out, and not before', async () => {
  await using server = await startMockServer({ frozenAt: '2026-01-01T00:00:00Z' });
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  const election = { namespace: 'default', name: 'moved', leaseSeconds: 15, retryMs: 2000 };
  const leading: string[] = [];
  const contender = (identity: string): LeaderElector => {
    const onStarted = (): number => leading.push(identity);
    return new LeaderElector(config, { ...election, identity, clock: server.clock, onStarted });
  };
  const first = contender('first');
  const second = contender('second');
  // Each round asks the server, which takes no time on this clock: it is waited for before the clock moves on.
  const pass = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i++) {
      await server.clock.advance(1000);
      await Promise.all([first.atRest, second.atRest]);
    }
  };
  first.start();
  await first.atRest;
  second.start();
  await second.atRest;
  await pass(60);
  expect(leading).toEqual(['first']);
  first.abandon();
  await pass(13);
  expect(leading).toEqual(['first']);
  // Two rounds lie between a renewal and the round in which the other finds the lease run out.
  await pass(6);
  expect(leading).toEqual(['first', 'second']);
  const { spec } = await config.makeApiClient(CoordinationV1Api).readNamespacedLease(election);
  expect(spec).toMatchObject({ holderIdentity: 'second', leaseTransitions: 1 });
  second.abandon();
});
