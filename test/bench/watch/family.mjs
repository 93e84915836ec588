/** The benchmark family of kubernetes/kubernetes#141475 and #141450: what one slow companion costs a healthy watcher. */
import { atRate, pause, quantile, reading, watchBed } from './bed.mjs';

const RECONNECT_MS = 500;

const SCENARIOS = [
  { name: 'baseline', rate: 100 },
  { name: 'draining-companion', rate: 100, companion: 'draining' },
  { name: 'stalled-once', rate: 100, companion: 'stalled' },
  { name: 'stalled-reconnecting', rate: 100, companion: 'stalled', reconnects: true },
  { name: 'baseline-1000', rate: 1000 },
  { name: 'stalled-reconnecting-1000', rate: 1000, companion: 'stalled', reconnects: true },
];

/** Upstream's own figures, apiserver 0.38.0-beta.0 repeated on two busy cores, gate off. */
const UPSTREAM_MS = {
  baseline: 0.7,
  'draining-companion': 1.1,
  'stalled-once': 4.2,
  'stalled-reconnecting': 20.2,
};

/** Short rounds, all scenarios in turn: whatever else the machine does falls on all. */
const ROUNDS = 10;

export async function family({ seconds }) {
  return [...(await withGate(true, seconds)), ...(await withGate(false, seconds))];
}

async function withGate(stallResume, seconds) {
  const found = new Map(SCENARIOS.map((scenario) => [scenario, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const scenario of SCENARIOS)
      found.get(scenario).push(await run(scenario, stallResume, seconds / ROUNDS));
  }
  const middle = (scenario, name) =>
    quantile(
      found.get(scenario).map((one) => one[name]),
      0.5,
    );
  let baseline;
  return SCENARIOS.map((scenario) => {
    if (scenario.companion === undefined) baseline = scenario;
    const rounds = found.get(scenario);
    return {
      gate: stallResume ? 'on' : 'off',
      scenario: scenario.name,
      'p50 ms': middle(scenario, 'p50'),
      'p99 ms': middle(scenario, 'p99'),
      'p99 ms, best round': Math.min(...rounds.map(({ p99 }) => p99)),
      'max ms': Math.max(...rounds.map(({ max }) => max)),
      'to baseline': middle(scenario, 'p99') / middle(baseline, 'p99'),
      closed: rounds.reduce((sum, { closed }) => sum + closed, 0),
      'upstream p99 ms, off': stallResume ? '' : (UPSTREAM_MS[scenario.name] ?? ''),
    };
  });
}

async function run({ rate, companion, reconnects }, stallResume, seconds) {
  const bed = watchBed({ stallResume });
  const { latencies } = bed.witness();
  let other;
  const join = () => {
    other?.close('client');
    other = bed.open();
    if (companion === 'draining') reading(other, () => undefined, bed.counts);
  };
  if (companion !== undefined) join();
  const timer = companion === 'draining' || reconnects === true ? setInterval(join, RECONNECT_MS) : undefined;
  await pause(50);
  await atRate(rate, seconds, (i) => bed.write(`w${i}`));
  await pause(200);
  clearInterval(timer);
  const closed = bed.counts.terminated;
  bed.close();
  return {
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    max: quantile(latencies, 1),
    closed,
  };
}
