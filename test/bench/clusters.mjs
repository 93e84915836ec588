// What clusters cost: node --expose-gc test/bench/clusters.mjs
// Each number with its target; nothing here is a timed test.
import { request } from 'node:http';
import { startMockServer } from 'kube-mockserver';

const COUNT = 1000;
const gc = globalThis.gc;
if (gc === undefined) throw new Error('to be run with --expose-gc');
const heap = () => {
  gc();
  gc();
  return process.memoryUsage().heapUsed;
};
const row = (what, value, unit, target) =>
  console.log(`${what.padEnd(52)} ${value.toFixed(2).padStart(9)} ${unit}   target ${target}`);

const server = await startMockServer();
for (let i = 0; i < 50; i++) server.createCluster().delete();
const before = heap();
let began = performance.now();
const clusters = Array.from({ length: COUNT }, () => server.createCluster());
row('create a cluster', (performance.now() - began) / COUNT, 'ms', '1');
row('memory of a cluster', (heap() - before) / COUNT / 1024, 'KB', '50');
for (const cluster of clusters.splice(0)) cluster.delete();
await new Promise((resolve) => setTimeout(resolve, 10));
row('left of a thousand deleted ones', (heap() - before) / 1024, 'KB', '1000');

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
  row(
    `snapshot of ${size} objects`,
    ((performance.now() - began) / rounds) * 1000,
    'µs',
    'the same for all sizes',
  );
  const snapshot = base.snapshot();
  began = performance.now();
  for (let i = 0; i < rounds; i++) base.restore(snapshot);
  row(
    `restore of ${size} objects`,
    ((performance.now() - began) / rounds) * 1000,
    'µs',
    'the same for all sizes',
  );
  began = performance.now();
  for (let i = 0; i < rounds; i++) server.createCluster({ from: snapshot }).delete();
  row(`fork and delete, ${size} objects`, (performance.now() - began) / rounds, 'ms', '1');
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
row(`stop with ${watches.length} open watches`, performance.now() - began, 'ms', '50');
