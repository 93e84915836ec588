/** The parts of the simulator: its thread, its counts, its plan of runs, its scenario files. */
import { readdirSync, readFileSync } from 'node:fs';
import { readChecked } from '../../../mockserver/ground/checked-document.js';
import { VirtualClock } from '../../../mockserver/ground/clock.js';
import { seededRandom } from '../../../mockserver/ground/random.js';
import { Histogram } from '../../../mockserver/simulator/histogram.js';
import { ObjectLoad } from '../../../mockserver/simulator/object-load.js';
import { cacheOptions, planRuns } from '../../../mockserver/simulator/run-plan.js';
import { SCENARIO } from '../../../mockserver/simulator/scenario-schema.js';
import { ServerLoop } from '../../../mockserver/simulator/server-loop.js';
import { type Change } from '../../../mockserver/store/change.js';
import { PREFIX } from '../../../mockserver/simulator/object-load.js';

describe("a server's one thread", () => {
  const begin = (): {
    clock: VirtualClock;
    loop: ServerLoop;
    seen: string[];
    say: (what: string) => void;
  } => {
    const clock = new VirtualClock(0);
    const loop = new ServerLoop(clock, new Histogram());
    const seen: string[] = [];
    return { clock, loop, seen, say: (what) => seen.push(`${what}@${loop.now()}`) };
  };

  test('does what falls due while it works afterwards, in order, and its work is time', () => {
    const { clock, loop, seen, say } = begin();
    for (const name of ['a', 'b', 'c']) {
      loop.after(1, () => {
        say(name);
        loop.work(5000);
        say(`${name} done`);
      });
    }
    clock.advance(100);
    expect(seen).toEqual(['a@1', 'a done@6', 'b@6', 'b done@11', 'c@11', 'c done@16']);
    expect(loop.busyMs).toBe(15);
  });

  test('does what was put off to the end of the turn before anything else', () => {
    const { clock, loop, seen, say } = begin();
    loop.soon(() => {
      loop.atEndOfTurn(() => {
        say('last');
        loop.atEndOfTurn(() => say('very last'));
      });
      loop.soon(() => say('next turn'));
      loop.work(1000);
      say('first');
    });
    clock.advance(10);
    expect(seen).toEqual(['first@1', 'last@1', 'very last@1', 'next turn@1']);
  });

  test('does not do what is cancelled while it waits', () => {
    const { clock, loop, seen, say } = begin();
    loop.soon(() => loop.work(5000));
    const waiting = loop.after(1, () => say('waiting'));
    loop.after(2, () => say('other'));
    clock.advance(3);
    waiting.cancel();
    clock.advance(10);
    expect(seen).toEqual(['other@5']);
  });
});

describe('a histogram', () => {
  test('tells quantiles, 2 % too high at the most', () => {
    const histogram = new Histogram();
    for (let i = 1; i <= 10_000; i++) histogram.add(i / 100);
    for (const share of [0.5, 0.9, 0.99, 1]) {
      expect(histogram.quantile(share)).toBeGreaterThanOrEqual(100 * share - 1e-9);
      expect(histogram.quantile(share)).toBeLessThanOrEqual(100 * share * 1.02);
    }
    expect(histogram).toMatchObject({ count: 10_000, max: 100 });
    expect(histogram.mean).toBeCloseTo(50.005);
    expect(histogram.buckets.reduce((sum, [, count]) => sum + count, 0)).toBe(10_000);
  });

  test('of nothing is 0', () => {
    expect(new Histogram().quantile(0.99)).toBe(0);
  });
});

describe('writes', () => {
  const keysOf = (zipf: number): Map<string, number> => {
    const load = new ObjectLoad({ count: 100, namespaces: 4, zipf }, seededRandom(3));
    const seen = new Map<string, number>();
    load.store.subscribe(PREFIX, ({ key }: Change) => seen.set(key, (seen.get(key) ?? 0) + 1));
    for (let i = 0; i < 10_000; i++) load.update();
    return seen;
  };

  test('fall on all objects alike without an exponent', () => {
    const seen = keysOf(0);
    expect(seen.size).toBe(100);
    expect(Math.max(...seen.values())).toBeLessThan(200);
  });

  test("fall by Zipf's law with one", () => {
    const seen = [...keysOf(1).values()].sort((a, b) => b - a);
    // 1 / (1 + 1/2 + … + 1/100) of 10,000.
    expect(seen[0]).toBeGreaterThan(1800);
    expect(seen[0]).toBeLessThan(2050);
  });
});

describe('the runs of a scenario', () => {
  const TEXT = `
seconds: 1
writes: { updates: { perSecond: 1 } }
watchers: { healthy: {}, stalled: { count: 2 } }
`;
  const plan = (text: string): ReturnType<typeof planRuns> =>
    planRuns(readChecked(text, 'a.yaml', SCENARIO), 'a.yaml');

  test('are one for each of the three servers where nothing is said', () => {
    expect(plan(TEXT).map(({ variant }) => variant)).toEqual(['target', 'alpha', 'gate off']);
  });

  test('are all combinations of cases, values and servers', () => {
    const runs = plan(`${TEXT}
cases: { few: {}, many: { watchers.stalled.count: 9 } }
sweep: { writes.updates.perSecond: [1, 2], server.budgets.pushes: [10, 20, 30] }
variants: { gate on: {}, gate off: { stallResume: false } }
`);
    expect(runs).toHaveLength(2 * 2 * 3 * 2);
    expect(runs.at(-1)).toMatchObject({
      labels: { case: 'many', 'writes.updates.perSecond': 2, 'server.budgets.pushes': 30 },
      variant: 'gate off',
      server: { stallResume: false, budgets: { pushes: 30 } },
    });
    expect(runs.at(-1)?.scenario.watchers['stalled']?.count).toBe(9);
  });

  test('are refused where a change makes no sense, with its path', () => {
    expect(() => plan(`${TEXT}sweep: { watchers.stalled.counts: [1] }`)).toThrow(
      'a.yaml:1: watchers.stalled.counts: is not known here; known are count,',
    );
  });

  test('have the options of their server', () => {
    const options = cacheOptions({ design: 'alpha', budgets: { members: 7 }, channel: { most: 20 } });
    expect(options).toMatchObject({ minChannel: 10, maxChannel: 20, maxChannelByTrigger: 20 });
    expect(options.stallResume).toMatchObject({ passesIn: 'dispatcher', resyncAt: 'history' });
    expect(options.stallResume.budgets).toMatchObject({ members: 7, pushes: 2000 });
  });
});

test('a mistake in a scenario file is told with file, line and path', () => {
  const text = 'seconds: 1\nwrites: {}\nwatchers:\n  healthy:\n    reads:\n      perSecond: fast\n';
  expect(() => readChecked(text, 'a.yaml', SCENARIO)).toThrow(
    'a.yaml:6: watchers.healthy.reads.perSecond: must be a number, at least 0.001, not "fast"',
  );
});

const FOLDER = new URL('../../../fixtures/simulations/', import.meta.url);

test.each(readdirSync(FOLDER))('the shipped scenario %s can be used', (name) => {
  const text = readFileSync(new URL(name, FOLDER), 'utf8');
  const scenario = readChecked(text, name, SCENARIO);
  expect(scenario.description).toBeTruthy();
  expect(planRuns(scenario, name).length).toBeGreaterThan(0);
});
