// What clusters and starts cost: node --expose-gc test/bench/clusters.mjs
// Each number with its target; with --strict it ends with code 1 when one is missed. Of what a busy machine makes slow, the best
// of a few rounds counts.
import { execFileSync, spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { startMockServer } from 'kube-mockserver';

const COUNT = 1000;
const gc = globalThis.gc;
if (gc === undefined) throw new Error('to be run with --expose-gc');
const heap = () => {
  gc();
  gc();
  return process.memoryUsage().heapUsed;
};
const counts = { met: 0, missed: 0 };
/** @param target undefined: told for comparison */
const row = (what, value, unit, target) => {
  const met = target === undefined || value <= target;
  if (target !== undefined) counts[met ? 'met' : 'missed']++;
  const told = target === undefined ? '' : `   target ${target}${met ? '' : ': missed'}`;
  console.log(`${what.padEnd(60)} ${value.toFixed(2).padStart(9)} ${unit}${told}`);
};
const best = (rounds, measure) => Math.min(...Array.from({ length: rounds }, measure));
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

row(
  'a cold program: import, start, first test',
  best(5, () => Number(execFileSync(process.execPath, [here('cold.mjs')], { encoding: 'utf8' }))),
  'ms',
  500,
);

/** Milliseconds of a run of jest from outside, its start and its server's included. */
const suite = (name) => {
  const began = performance.now();
  const jest = here('../../node_modules/jest/bin/jest.js');
  const args = [jest, '--config', here('suite/suite.config.cjs'), '--runInBand', '--silent'];
  const ran = spawnSync(process.execPath, args, {
    env: { ...process.env, BENCH_SUITE: name },
    encoding: 'utf8',
  });
  if (ran.status !== 0) throw new Error(ran.stderr);
  return performance.now() - began;
};
const TESTS = 200;
const without = best(3, () => suite('none'));
row(`${TESTS} tests of jest without a server call`, without, 'ms');
const forked = best(3, () => suite('forks'));
row('the same, each with a fork of 3 definitions and 100 objects', forked, 'ms', 2 * without + 2 * TESTS);

const server = await startMockServer();
for (let i = 0; i < 50; i++) server.createCluster().delete();
const before = heap();
let began = performance.now();
const clusters = Array.from({ length: COUNT }, () => server.createCluster());
row('create a cluster', (performance.now() - began) / COUNT, 'ms', 1);
row('memory of a cluster', (heap() - before) / COUNT / 1024, 'KB', 50);
for (const cluster of clusters.splice(0)) cluster.delete();
await new Promise((resolve) => setTimeout(resolve, 10));
row('left of a thousand deleted ones', (heap() - before) / 1024, 'KB', 1000);

const base = server.createCluster();
const body = (i) => JSON.stringify({ metadata: { name: `m-${i}` }, data: { i: String(i) } });
const create = (i) =>
  fetch(`${base.url}/api/v1/namespaces/default/configmaps`, {
    method: 'POST',
    body: body(i),
    headers: { 'content-type': 'application/json' },
  }).then((answer) => answer.text());
for (const size of [100, 10_000]) {
  const { length: there } = base.journal.requests.filter(({ verb }) => verb === 'create');
  for (let i = there; i < size; i++) await create(i);
  const rounds = 500;
  began = performance.now();
  for (let i = 0; i < rounds; i++) base.snapshot();
  row(`snapshot of ${size} objects`, ((performance.now() - began) / rounds) * 1000, 'µs');
  const snapshot = base.snapshot();
  began = performance.now();
  for (let i = 0; i < rounds; i++) base.restore(snapshot);
  row(`restore of ${size} objects`, ((performance.now() - began) / rounds) * 1000, 'µs');
  began = performance.now();
  for (let i = 0; i < rounds; i++) server.createCluster({ from: snapshot }).delete();
  row(`fork and delete, ${size} objects`, (performance.now() - began) / rounds, 'ms', 1);
}

const watches = await Promise.all(
  Array.from(
    { length: 100 },
    () =>
      new Promise((resolve) =>
        request(`${server.url}/api/v1/pods?watch=1`, { agent: false }, (answer) =>
          resolve(answer.resume()),
        ).end(),
      ),
  ),
);
began = performance.now();
await server.stop();
row(`stop with ${watches.length} open watches`, performance.now() - began, 'ms', 50);
console.log(`bench: ${counts.met} rows at or under their target, ${counts.missed} above`);
process.exitCode = process.argv.includes('--strict') && counts.missed > 0 ? 1 : 0;
