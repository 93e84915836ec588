/** The Python client's list and watch, unmodified, through the scenarios that mean something to it. */
import { type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { fault, type FaultRule, type JournalView, scenario } from '../../mockserver/index.js';
import { startClient } from './client-program.js';
import { ScenarioRun, sequenceOf, withoutTime } from './scenario-run.js';
import { Seen } from './seen.js';
import { stopProgram } from './server.js';
import { pythonClient, testWith } from './tools.js';

const PROGRAM = fileURLToPath(new URL('python_loop.py', import.meta.url));
const tool = pythonClient();
const pythonTest = testWith(tool, 'Python client');
/** Their time is mostly spent waiting: they wait together. */
const together = pythonTest === test ? test.concurrent : pythonTest;

/** One program for all: importing the client takes longer than what is tested. */
let program: ChildProcess | undefined;
const told = new Map<string, Seen<string>>();

beforeAll(() => {
  if (!('path' in tool)) return;
  const client = startClient(tool.path, ['-W', 'ignore', PROGRAM], {
    read: (line) => {
      const { id, event, name } = JSON.parse(line) as { id: string; event: string; name: string }; // it is ours
      told.get(id)?.add(`${event} ${name}`.trim());
      return undefined;
    },
  });
  program = client.child;
  program.once('close', () => {
    for (const one of told.values()) one.end(`the program ended: ${client.log.all.join('\n').slice(-4000)}`);
  });
});
afterAll(async () => {
  if (program !== undefined) await stopProgram(program);
});

/** On a server under a scenario and `further` rules. `said`: what the program tells, `ADDED a`, `REFUSED 410`, `BROKEN ProtocolError`. */
function withProgram(
  name: string,
  work: 'follow' | 'lead',
  test: (run: ScenarioRun, said: Seen<string>) => Promise<void>,
  further: readonly FaultRule[] = [],
): Promise<void> {
  const ask = (job: object): void => void program?.stdin?.write(`${JSON.stringify({ id: name, ...job })}\n`);
  return ScenarioRun.of([...withoutTime(scenario(name).rules), ...further], async (run) => {
    await run.create('a');
    const said = new Seen<string>();
    told.set(name, said);
    ask({ kubeconfig: run.kubeconfig, work });
    try {
      await test(run, said);
    } finally {
      ask({ work: 'stop' });
    }
  });
}

const follower = (run: ScenarioRun): JournalView => run.seenOf(/python/, 'configmaps');
const sequence = (run: ScenarioRun): string[] => sequenceOf(follower(run));

/** What is done once it watches, and what it does about it until it is told of what is written last. */
interface Case {
  readonly name: string;
  readonly act?: (run: ScenarioRun) => Promise<void>;
  /** Errors that the program meets, each once. @default none */
  readonly errors?: readonly string[];
  readonly asks: readonly string[];
}

const CASES: readonly Case[] = [
  // It goes back to the version that it was refused once by itself.
  { name: 'watch-410-in-stream', asks: ['list', 'watch ERROR 410', 'watch'] },
  { name: 'watch-410-http', errors: ['REFUSED 410'], asks: ['list', 'watch 410', 'list', 'watch'] },
  { name: 'too-many-requests', asks: ['list', 'watch 429', 'watch'] },
  {
    name: 'internal-error',
    errors: ['REFUSED 500'],
    asks: ['list', 'watch 500', 'watch 500', 'watch'],
  },
  { name: 'version-too-large', errors: ['REFUSED 504'], asks: ['list', 'watch 504', 'watch'] },
  { name: 'connection-reset', asks: ['list', 'watch reset', 'watch'] },
  {
    name: 'connection-refused',
    errors: ['BROKEN MaxRetryError'],
    asks: ['list', 'watch reset', 'watch'],
  },
  {
    name: 'unexpected-eof',
    act: (run) => run.create('b'),
    errors: ['BROKEN ProtocolError'],
    asks: ['list', 'watch', 'watch'],
  },
  { name: 'utf8-split', asks: ['list', 'watch'] },
  { name: 'stalled-and-resumed', act: (run) => run.writeWhileStalled(), asks: ['list', 'watch'] },
  {
    name: 'stalled-beyond-window',
    act: (run) => run.writeWhileStalled(),
    errors: ['REFUSED 410'],
    asks: ['list', 'watch ERROR 410', 'watch ERROR 410', 'list', 'watch'],
  },
  {
    name: 'unobserved-delete',
    act: async (run) => {
      await run.remove('a');
      await run.create('b');
    },
    asks: ['list', 'watch ERROR 410', 'watch'],
  },
];

const LAST = 'žluťoučký 🐎';

together.each(CASES)(
  '$name: the program is told of what is written, and asks for it as expected',
  ({ name, act, errors = [], asks }) =>
    withProgram(name, 'follow', async (run, said) => {
      await said.first('the list', (text) => text === 'LISTED a');
      await run.server.journal.first('the watch', () => follower(run).watches.length > 0);
      await act?.(run);
      await run.server.journal.first('as many requests', () => sequence(run).length >= asks.length);
      await run.createWhenBack('z', { text: LAST });
      await said.first('z', (text) => text === `ADDED z${LAST}`);
      expect(sequence(run)).toEqual(asks);
      const met = said.all.filter((text) => /^(REFUSED|BROKEN)/.test(text));
      expect([...new Set(met)]).toEqual(errors);
    }),
  60_000,
);

together(
  'lost-answer: the client repeats the write by itself, and is told of a conflict with itself',
  () =>
    withProgram('lost-answer', 'lead', async (run, said) => {
      await said.first('the end', (text) => text.startsWith('STORED'));
      expect(said.all).toEqual(['REFUSED 409', 'STORED 7']);
      expect(sequenceOf(run.seenOf(/python/, 'leases'))).toEqual([
        'create',
        'update reset',
        'update 409',
        'get',
      ]);
    }),
  60_000,
);

together(
  'timeouts-and-jitter: it watches again where a watch ends, and does not list',
  () =>
    withProgram('timeouts-and-jitter', 'follow', async (run, said) => {
      await run.server.journal.first('watches', () => follower(run).watches.length >= 3);
      await run.create('z');
      await said.first('z', (text) => text === 'ADDED z');
      expect(said.all).toEqual(['LISTED a', 'ADDED z']);
      expect(sequence(run)[0]).toBe('list');
      expect(new Set(sequence(run).slice(1))).toEqual(new Set(['watch']));
    }),
  60_000,
);

together(
  'restored-backup: it watches from a version of the future, and does not hear of what the backup did not hold',
  () =>
    withProgram('restored-backup', 'follow', async (run, said) => {
      await said.first('the list', (text) => text === 'LISTED a');
      await run.server.journal.first('the watch', () => follower(run).watches.length > 0);
      for (const one of ['b', 'c', 'd']) await run.create(one);
      await said.first('d', (text) => text === 'ADDED d');
      run.server.faults.signal('restore');
      // b, c and d are gone, and three writes come to the version that it has seen.
      for (let i = 1; i <= 4; i++) await run.create(`e-${i}`);
      await said.first('e-4', (text) => text === 'ADDED e-4');
      expect(said.all.filter((text) => !text.startsWith('BROKEN'))).toEqual([
        'LISTED a',
        'ADDED b',
        'ADDED c',
        'ADDED d',
        'ADDED e-4',
      ]);
      expect(sequence(run).filter((one) => one === 'list')).toEqual(['list']);
    }),
  60_000,
);

together(
  'thundering-herd: it is cut off, is told 410 and lists again, once',
  () =>
    withProgram('thundering-herd', 'follow', async (run, said) => {
      await said.first('the list', (text) => text === 'LISTED a');
      await run.server.journal.first('the watch', () => follower(run).watches.length > 0);
      await run.create('other', { path: '/api/v1/namespaces/default/secrets' });
      run.server.faults.signal('herd');
      await expect(run.create('lost')).rejects.toThrow('fetch failed');
      await run.createWhenBack('z');
      await said.first('z', (text) => /^(LISTED|ADDED) z$/.test(text));
      expect(said.all).toContain('REFUSED 410');
      expect(sequence(run).filter((one) => one === 'list')).toEqual(['list', 'list']);
    }),
  60_000,
);

together(
  'time-travel: it lists without a version, for which a replica of the past waits in vain and reads the store: it is shown nothing old',
  () =>
    withProgram(
      'time-travel',
      'follow',
      async (run, said) => {
        await said.first('the list', (text) => text === 'LISTED a');
        await run.server.journal.first('the watch', () => follower(run).watches.length > 0);
        for (const one of ['b', 'c', 'd']) await run.create(one);
        await said.first('d', (text) => text === 'ADDED d');
        run.server.faults.signal('travel');
        run.server.control.endWatches();
        await run.server.journal.first('as many requests', () => sequence(run).length >= 6);
        await run.create('z');
        await said.first('z', (text) => text === 'ADDED z');
        const again = said.all.slice(said.all.indexOf('REFUSED 410') + 1);
        expect(again).toEqual(['LISTED a', 'LISTED b', 'LISTED c', 'LISTED d', 'ADDED z']);
        expect(sequence(run)).toEqual([
          'list',
          'watch',
          'watch ERROR 410',
          'watch ERROR 410',
          'list',
          'watch',
        ]);
      },
      // The client goes back to the version that it was refused once by itself.
      [{ ...fault.errorInWatch({ resource: 'configmaps' }, 410), signal: 'travel', times: 2 }],
    ),
  60_000,
);
