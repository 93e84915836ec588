/**
 * A client-go 0.36 informer, unmodified, through the scenarios, with watch-list on and off at the same time; what it did
 * is read from the journal.
 */
import { expectJournal, fault, type FaultRule, type JournalView, scenario } from '../../mockserver/index.js';
import { ScenarioRun, sequenceOf, withoutTime } from './scenario-run.js';
import { type Seen } from './seen.js';
import { goInformer, testWith } from './tools.js';

const tool = goInformer();
const goTest = testWith(tool, 'client-go informer');
/** Their time is mostly the clients' backoff: they wait together. */
const together = goTest === test ? test.concurrent : goTest;

/** What the program tells: `ADD a`, `SYNCED`, `DELETE a (unknown)` for one whose deletion was not seen. */
function readLine(line: string): string {
  // The program is ours: its lines have these members.
  const {
    event,
    name = '',
    unknown,
  } = JSON.parse(line) as { event: string; name?: string; unknown?: boolean };
  return `${event} ${name}${unknown === true ? ' (unknown)' : ''}`.trim();
}

function startInformer(run: ScenarioRun, watchList: boolean, resource = 'configmaps'): Seen<string> {
  if (!('path' in tool)) throw new Error(tool.missing);
  return run.start(tool.path, ['-kubeconfig', run.kubeconfig, '-resource', resource], {
    env: { KUBE_FEATURE_WatchListClient: String(watchList) },
    read: readLine,
  });
}

const informer = (run: ScenarioRun, resource = 'configmaps'): JournalView =>
  run.seenOf(/^informer/, resource);
const sequence = (run: ScenarioRun): string[] => sequenceOf(informer(run));

/** Resolves when the informer has sent so many requests of a verb. */
const asked = async (run: ScenarioRun, verb: string, count: number): Promise<void> => {
  await run.server.journal.first(
    `${verb} ${count}`,
    () => informer(run).where({ verb, kind: 'request' }).entries.length >= count,
  );
};

const synced = (told: Seen<string>): Promise<string> =>
  told.first('it is synchronised', (text) => text === 'SYNCED');
const seen = (told: Seen<string>, what: string): Promise<string> => told.first(what, (text) => text === what);

/** What is done once an informer has been started, and what it does about it. */
interface Case {
  readonly name: string;
  /** In force before those of the scenario. @default none */
  readonly rules?: readonly FaultRule[];
  /** Objects that are there from the start. @default a */
  readonly before?: readonly string[];
  readonly act?: (run: ScenarioRun, told: Seen<string>, watchList: boolean) => Promise<void>;
  /** What it asked for until it was told of what was written last: with watch-list on, and off. */
  readonly on: readonly string[];
  readonly off: readonly string[];
}

/** client-go takes a watch that ends within a second, without an event, for very short: its next step is another one then. */
const VERY_SHORT_MS = 1000;

/** Resolves when the informer's watch has been open for longer than a very short one. */
async function watching(run: ScenarioRun, told: Seen<string>): Promise<void> {
  await synced(told);
  const { control, journal } = run.server;
  await journal.first('an open watch', () => control.watches().length > 0);
  await new Promise((resolve) => setTimeout(resolve, VERY_SHORT_MS + 200));
}

/** A watch-list goes on as the watch: it ends in good order, so that a watch without initial events is asked for. */
async function watchAgain(run: ScenarioRun, told: Seen<string>, watchList: boolean): Promise<void> {
  if (!watchList) return;
  await watching(run, told);
  run.server.control.endWatches();
}

const CASES: readonly Case[] = [
  { name: 'watch-list-refused', on: ['watch-list 422', 'list', 'watch'], off: ['list', 'watch'] },
  { name: 'failure-mid-stream', on: ['watch-list ERROR 500', 'list', 'watch'], off: ['list', 'watch'] },
  {
    name: 'connection-refused',
    on: ['watch-list reset', 'watch-list'],
    off: ['list', 'watch reset', 'watch'],
  },
  { name: 'connection-reset', on: ['watch-list reset', 'watch-list'], off: ['list', 'watch reset', 'watch'] },
  {
    name: 'internal-error',
    on: ['watch-list 500', 'list', 'watch 500', 'watch-list'],
    off: ['list', 'watch 500', 'list', 'watch 500', 'list', 'watch'],
  },
  { name: 'too-many-requests', on: ['watch-list 429', 'watch-list'], off: ['list', 'watch 429', 'watch'] },
  {
    name: 'unexpected-eof',
    act: async (run, told) => {
      await watching(run, told);
      await run.create('b');
    },
    on: ['watch-list', 'watch'],
    off: ['list', 'watch', 'watch'],
  },
  {
    name: 'watch-410-in-stream',
    act: watchAgain,
    on: ['watch-list', 'watch ERROR 410', 'watch-list'],
    off: ['list', 'watch ERROR 410', 'list', 'watch'],
  },
  {
    name: 'watch-410-http',
    act: watchAgain,
    on: ['watch-list', 'watch 410', 'watch-list'],
    off: ['list', 'watch 410', 'list', 'watch'],
  },
  {
    name: 'version-too-large',
    act: watchAgain,
    on: ['watch-list', 'watch 504', 'watch-list'],
    off: ['list', 'watch 504', 'list', 'watch'],
  },
  { name: 'utf8-split', on: ['watch-list'], off: ['list', 'watch'] },
  {
    name: 'first-list-paginated',
    before: ['a', 'b', 'c'],
    on: ['watch-list'],
    off: ['list', 'page', 'watch'],
  },
  {
    name: 'continue-410',
    rules: [{ ...fault.pageSize({ verb: 'list' }, 2), times: 1 }],
    before: ['a', 'b', 'c'],
    on: ['watch-list'],
    off: ['list', 'page 410', 'list', 'watch'],
  },
  {
    name: 'stalled-and-resumed',
    act: (run) => run.writeWhileStalled(),
    on: ['watch-list'],
    off: ['list', 'watch'],
  },
  {
    name: 'stalled-beyond-window',
    act: (run) => run.writeWhileStalled(),
    on: ['watch-list ERROR 410', 'watch-list'],
    off: ['list', 'watch ERROR 410', 'list', 'watch'],
  },
  {
    name: 'unobserved-delete',
    act: async (run, told) => {
      await synced(told);
      await run.remove('a');
      await run.create('b');
      await seen(told, 'DELETE a (unknown)');
    },
    on: ['watch-list ERROR 410', 'watch-list'],
    off: ['list', 'watch ERROR 410', 'list', 'watch'],
  },
];

const BOTH = [true, false] as const;

/** The same with watch-list on and off, at the same time. */
const forBoth = (work: (watchList: boolean) => Promise<void>): Promise<unknown> =>
  Promise.all(BOTH.map((watchList) => work(watchList)));

together.each(CASES)(
  '$name: it is told of all that is there, once, and asks for it as expected',
  ({ name, rules = [], before = ['a'], act, on, off }) =>
    forBoth((watchList) =>
      ScenarioRun.of([...rules, ...withoutTime(scenario(name).rules)], async (run) => {
        for (const one of before) await run.create(one);
        const told = startInformer(run, watchList);
        await act?.(run, told, watchList);
        await synced(told);
        await run.createWhenBack('z');
        await seen(told, 'ADD z');
        const expected = watchList ? on : off;
        await run.server.journal.first('as many requests', () => sequence(run).length >= expected.length);
        expect(sequence(run)).toEqual(expected);
        for (const one of [...before, 'z'])
          expect(told.all.filter((text) => text === `ADD ${one}`)).toHaveLength(1);
        expectJournal(informer(run)).notToHotLoop();
      }),
    ),
  60_000,
);

const NEVER_SYNCED: readonly Omit<Case, 'off'>[] = [
  { name: 'marker-withheld', on: ['watch-list'] },
  { name: 'watch-list-ignored', on: ['watch-list'] },
  { name: 'clean-end-before-marker', on: ['watch-list', 'watch-list', 'watch-list', 'watch-list'] },
];

together.each(NEVER_SYNCED)(
  '$name: with watch-list it is sent its objects, delivers nothing and does not list; without it notices nothing',
  ({ name, on }) =>
    forBoth((watchList) =>
      ScenarioRun.of(scenario(name).rules, async (run) => {
        await run.create('a');
        const told = startInformer(run, watchList);
        if (watchList) {
          await asked(run, 'watch', on.length);
          await run.create('b');
          await run.server.journal.first(
            'b is sent',
            (entry) => entry.kind === 'event' && entry.name === 'b',
          );
          expect(sequence(run).slice(0, on.length)).toEqual(on);
          expect(informer(run).lists).toEqual([]);
          expect(told.all).toEqual([]);
        } else {
          await synced(told);
          await run.create('z');
          await seen(told, 'ADD z');
          expect(sequence(run)).toEqual(['list', 'watch']);
        }
      }),
    ),
  60_000,
);

together(
  'timeouts-and-jitter: a watch that ends soon and without an event counts as very short, and begins a new cycle',
  () =>
    forBoth((watchList) =>
      ScenarioRun.of(scenario('timeouts-and-jitter').rules, async (run) => {
        await run.create('a');
        const told = startInformer(run, watchList);
        await asked(run, 'watch', 2);
        await run.create('z');
        await seen(told, 'ADD z');
        // Where the machine is slow, a watch may have been open for longer: then the next step is another watch.
        const cycle = watchList ? ['watch-list', 'watch'] : ['list', 'watch'];
        expect(sequence(run)[0]).toBe(cycle[0]);
        expect(sequence(run).filter((one) => !cycle.includes(one))).toEqual([]);
        expectJournal(informer(run)).notToHotLoop();
      }),
    ),
  60_000,
);

together(
  'thundering-herd: each of three informers is cut off, is told 410 and asks for all of it again, once',
  () =>
    forBoth((watchList) =>
      ScenarioRun.of(scenario('thundering-herd').rules, async (run) => {
        await run.create('a');
        const herd = [1, 2, 3].map(() => startInformer(run, watchList));
        await Promise.all(herd.map((told) => watching(run, told)));
        await run.create('other', { path: '/api/v1/namespaces/default/secrets' });
        run.server.faults.signal('herd');
        await expect(run.create('lost')).rejects.toThrow('fetch failed');
        await run.createWhenBack('z');
        await Promise.all(herd.map((told) => seen(told, 'ADD z')));
        const each = watchList
          ? ['watch-list', 'watch ERROR 410', 'watch-list']
          : ['list', 'watch', 'watch ERROR 410', 'list', 'watch'];
        await run.server.journal.first('as many requests', () => sequence(run).length >= 3 * each.length);
        expect(sequence(run).sort()).toEqual([...each, ...each, ...each].sort());
      }),
    ),
  60_000,
);

describe('time-travel', () => {
  const before = ['a', 'b', 'c', 'd'];

  together(
    'an informer that starts anew begins in the past, and is told the rest by its watch',
    () =>
      ScenarioRun.of(scenario('time-travel').rules, async (run) => {
        for (const one of before) await run.create(one);
        run.server.faults.signal('travel');
        const told = startInformer(run, false);
        await seen(told, 'ADD d');
        expect(sequence(run)).toEqual(['list', 'watch']);
        expect(informer(run).events.map(({ name }) => name)).toEqual(['b', 'c', 'd']);
      }),
    60_000,
  );

  together(
    'an informer that lists again asks for nothing older than it has seen, and takes nothing for deleted',
    () =>
      ScenarioRun.of(
        [
          ...scenario('time-travel').rules,
          { ...fault.errorInWatch({ resource: 'configmaps' }, 410), signal: 'travel', times: 1 },
        ],
        async (run) => {
          for (const one of before) await run.create(one);
          const told = startInformer(run, false);
          await watching(run, told);
          run.server.faults.signal('travel');
          run.server.control.endWatches();
          await run.server.journal.first(
            'a refusal',
            (entry) => entry.kind === 'response' && entry.code === 504,
          );
          run.server.faults.signal('back');
          await run.create('z');
          await seen(told, 'ADD z');
          await asked(run, 'watch', 3);
          expect(sequence(run)).toEqual(['list', 'watch', 'watch ERROR 410', 'list 504', 'list', 'watch']);
          expect(told.all.filter((text) => text.startsWith('DELETE'))).toEqual([]);
        },
      ),
    60_000,
  );
});

together(
  'restored-backup: it watches from a version of the future, and does not hear of what the backup did not hold',
  () =>
    forBoth((watchList) =>
      ScenarioRun.of(scenario('restored-backup').rules, async (run) => {
        for (const one of ['a', 'b', 'c', 'd']) await run.create(one);
        const told = startInformer(run, watchList);
        await watching(run, told);
        const before = [...told.all];
        run.server.faults.signal('restore');
        // b, c and d are gone, and three writes come to the version that it has seen.
        for (let i = 1; i <= 4; i++) await run.create(`e-${i}`);
        await seen(told, 'ADD e-4');
        expect(told.all).toEqual([...before, 'ADD e-4']);
        expect(sequence(run)).toEqual(watchList ? ['watch-list', 'watch'] : ['list', 'watch', 'watch']);
      }),
    ),
  60_000,
);

together(
  'events-silently-closed: a watch that ends at once without a word begins a new cycle, with a pause',
  () =>
    forBoth((watchList) =>
      ScenarioRun.of(scenario('events-silently-closed').rules, async (run) => {
        const events = (): JournalView => informer(run, 'events');
        const told = startInformer(run, watchList, 'events');
        await watching(run, told);
        for (const one of ['a', 'b']) await run.create(one);
        run.server.control.compact();
        run.server.control.endWatches();
        const begins = watchList ? 'watch-list' : 'list';
        const cycles = (): string[] => sequenceOf(events()).filter((one) => one === begins);
        await run.server.journal.first('a new cycle', () => cycles().length === 2);
        // Where the machine is slow, the silent watch may seem longer than a very short one: it is asked for again then.
        expect(sequenceOf(events()).slice(1, -1)).toContain('watch');
        expect(new Set(sequenceOf(events()))).toEqual(new Set([begins, 'watch']));
        expect(
          events()
            .faults.map(({ rule }) => rule)
            .slice(0, 2),
        ).toEqual(['compacted', 'events-silently-closed']);
        expectJournal(events()).notToHotLoop();
      }),
    ),
  60_000,
);

together(
  'lost-answer: a leader whose renewal was stored and not answered reads the lease, and goes on to lead',
  () =>
    ScenarioRun.of(scenario('lost-answer').rules, async (run) => {
      if (!('path' in tool)) throw new Error(tool.missing);
      const lease = ['-kubeconfig', run.kubeconfig, '-lease', 'lead'];
      const told = run.start(tool.path, lease, { read: readLine });
      const leases = (): JournalView => run.seenOf(/^informer/, 'leases');
      const expected = ['get 404', 'create', 'update reset', 'get', 'update', 'update'];
      await run.server.journal.first('renewals', () => sequenceOf(leases()).length > expected.length);
      expect(sequenceOf(leases()).slice(0, expected.length)).toEqual(expected);
      const [lost] = leases().entries.filter(
        (entry) => entry.kind === 'response' && entry.lost !== undefined,
      );
      expect(lost).toMatchObject({ committed: true });
      expect(told.all).toEqual(['LEADS lead']);
    }),
  60_000,
);
