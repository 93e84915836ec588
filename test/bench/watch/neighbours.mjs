/** What so many stalled watchers cost a healthy one, in process. */
import { atRate, loopDelay, pause, quantile, watchBed } from './bed.mjs';

const RATE = 500;
const COUNTS = [0, 1, 10, 100, 1000, 10_000];
const ROUNDS = 3;
const RECONNECT_MS = 500;

export async function neighbours({ seconds, stallResume }) {
  const rows = [];
  const found = new Map(COUNTS.map((count) => [count, []]));
  // In turn, so that whatever else the machine does falls on all.
  for (let round = 0; round < ROUNDS; round++) {
    for (const count of COUNTS) found.get(count).push(await run(count, stallResume, seconds / ROUNDS));
  }
  const middle = (count, name) =>
    quantile(
      found.get(count).map((one) => one[name]),
      0.5,
    );
  const base = middle(0, 'p99');
  for (const count of COUNTS) {
    rows.push({
      gate: stallResume ? 'on' : 'off',
      stalled: count,
      'p50 ms': middle(count, 'p50'),
      'p99 ms': middle(count, 'p99'),
      'to none': middle(count, 'p99') / base,
      closed: found.get(count).reduce((sum, one) => sum + one.closed, 0),
      'passes % of time': 100 * middle(count, 'passShare'),
      'loop delay p99 ms': middle(count, 'delay'),
    });
  }
  return rows;
}

async function run(count, stallResume, seconds) {
  // A window that holds all of it: nobody is to expire.
  const bed = watchBed({ stallResume });
  const { latencies } = bed.witness();
  const stalled = Array.from({ length: count }, () => bed.open());
  // They stall at once, and are stalled when measuring begins.
  for (let i = 0; i < 12; i++) bed.write(`before${i}`);
  await pause(300);
  latencies.length = 0;
  const passMs = bed.counts.passMs;
  let ms = 0;
  // Who is closed comes back, as clients do.
  const timer = setInterval(() => {
    for (const [i, { state }] of stalled.entries()) if (state.kind === 'closed') stalled[i] = bed.open();
  }, RECONNECT_MS);
  const delay = await loopDelay(async () => {
    ms = await atRate(RATE, seconds, (i) => bed.write(`w${i}`));
  });
  await pause(200);
  clearInterval(timer);
  const passShare = (bed.counts.passMs - passMs) / ms;
  const closed = bed.counts.terminated;
  bed.close();
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), closed, passShare, delay };
}
