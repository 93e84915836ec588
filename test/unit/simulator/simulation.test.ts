import { type RunResult } from '../../../mockserver/simulator/result.js';
import { populationOf, runsOf } from './scenarios.js';

const STALLED = `
seconds: 5
writes: { creates: { perSecond: 100, what: create } }
objects: { count: 0 }
watchers:
  healthy: {}
  stalled:
    link: { socketBytes: 0 }
    reads: { stall: { fromMs: 0 } }
    reconnect: { everyMs: 500, from: now }
`;

const runOf = (runs: readonly RunResult[], variant: string): RunResult | undefined =>
  runs.find((run) => run.variant === variant);

describe('a stalled watcher that reconnects every 500 ms', () => {
  const runs = runsOf(STALLED);

  test.each(['target', 'alpha'])(
    'costs a healthy one nothing in the %s design, and is not ended',
    (variant) => {
      const run = runOf(runs, variant);
      expect(populationOf(run, 'healthy').latency).toMatchObject({ count: 499 });
      expect(populationOf(run, 'healthy').latency.p99).toBeLessThan(0.1);
      expect(populationOf(run, 'stalled').ended).toEqual({});
    },
  );

  test('delays a healthy one by the allowance with the gate off, and is ended each time', () => {
    const run = runOf(runs, 'gate off');
    expect(populationOf(run, 'healthy').latency.p99).toBeGreaterThan(10);
    expect(populationOf(run, 'healthy').latency.max).toBeLessThan(100);
    expect(populationOf(run, 'stalled').ended).toEqual({ unresponsive: 10 });
    expect(run?.terminations[0]).toMatchObject({ population: 'stalled', client: 0, reason: 'unresponsive' });
  });
});

test('the same scenario gives the same result', () => {
  expect(runsOf(STALLED)).toEqual(runsOf(STALLED));
});

const reader = (writes: number, reads: number): string => `
seconds: 120
writes: { updates: { perSecond: ${writes} } }
watchers:
  healthy: {}
  reader:
    link: { socketBytes: 2000 }
    reads: { perSecond: ${reads}, stall: { fromMs: 1000, forMs: 10000 } }
server: { window: { minCapacity: 2000, maxCapacity: 2000 } }
variants: { gate on: {} }
`;

describe('a watcher that has stopped reading for ten seconds', () => {
  test.each([
    { writes: 50, reads: 100 },
    { writes: 50, reads: 200 },
    { writes: 100, reads: 300 },
  ])('is synced after lag / ($reads - $writes)', ({ writes, reads }) => {
    const [run] = runsOf(reader(writes, reads));
    const { resync, ended } = populationOf(run, 'reader');
    const seconds = (10 * writes) / (reads - writes);
    expect(ended).toEqual({});
    expect(resync.count).toBe(1);
    expect(resync.max / 1000).toBeGreaterThan(seconds * 0.75);
    expect(resync.max / 1000).toBeLessThan(seconds * 1.25 + 10);
  });

  test('is told 410 and reads anew when it reads slower than others write', () => {
    const [run] = runsOf(reader(100, 50));
    const { ended, relists, resync } = populationOf(run, 'reader');
    expect(Object.keys(ended)).toEqual(['resource_expired']);
    expect(relists).toBeGreaterThan(0);
    expect(resync.count).toBe(0);
  });
});

test('who catches up together shares one encoding of each event, and gets every event once', () => {
  const [run] = runsOf(`
seconds: 10
writes: { updates: { perSecond: 50, untilMs: 9000 } }
watchers:
  healthy: {}
  laggards: { count: 100, link: { socketBytes: 3000 }, reads: { stall: { fromMs: 500, forMs: 4000 } } }
server: { window: { minCapacity: 1000 } }
variants: { gate on: {} }
`);
  expect(run?.totals).toMatchObject({ encodingsPerEvent: 1, skipped: 0, stalls: 100, catchUps: 100 });
  expect(populationOf(run, 'laggards').latency.count).toBe(100 * populationOf(run, 'healthy').latency.count);
  expect(run?.totals.passesBetweenServices).toBeLessThanOrEqual(run?.totals.passesBetweenServicesBound ?? 0);
});

test('a thread that pauses delays everybody', () => {
  const [even, paused] = runsOf(`
seconds: 5
writes: { updates: { perSecond: 100 } }
watchers: { healthy: {} }
variants: { even: {}, paused: { pauses: { everyMs: 1000, forMs: 300 } } }
`);
  expect(even?.totals.loopDelay.max).toBeLessThan(1);
  expect(paused?.totals.loopDelay.max).toBeGreaterThan(250);
  expect(paused?.totals.busy).toBeGreaterThan(0.2);
});

test('a long line delays its own client alone, and a scope leaves out what is not its own', () => {
  const [run] = runsOf(`
seconds: 4
objects: { count: 100, namespaces: 10, fieldValues: 20 }
writes: { updates: { perSecond: 100 }, burst: { burst: { everyMs: 1000, writes: 50 } } }
watchers:
  healthy: {}
  far: { link: { latencyMs: 80 } }
  ofNamespace: { count: 10, scope: namespace }
  ofField: { count: 20, scope: field }
  ofName: { count: 100, scope: name }
variants: { gate on: {} }
`);
  const all = populationOf(run, 'healthy').latency.count;
  expect(all).toBe(599);
  expect(populationOf(run, 'far').latency.p50).toBeGreaterThan(79);
  expect(populationOf(run, 'healthy').latency.p50).toBeLessThan(1);
  for (const name of ['ofNamespace', 'ofField', 'ofName'])
    expect(populationOf(run, name).latency.count).toBe(all);
});

test('what joins later and begins with the state is counted from its joining', () => {
  const [run] = runsOf(`
seconds: 2
writes: { updates: { perSecond: 100 } }
watchers:
  healthy: {}
  late: { count: 10, start: state, join: { atMs: 1000, overMs: 500 } }
variants: { gate on: {} }
`);
  const { latency } = populationOf(run, 'late');
  expect(latency.count).toBeGreaterThan(500);
  expect(latency.count).toBeLessThan(1000);
});
