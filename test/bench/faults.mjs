/**
 * What faults and the journal cost, in processor time of the server: four clusters of one server, asked in turn, so that
 * whatever else the machine does falls on all of them.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Connection, ask, endpoint, hammer, median, openStreams, requestBytes } from './load.mjs';
import { MAPS, configMap } from './subjects.mjs';

const PROGRAM = fileURLToPath(new URL('fault-server.mjs', import.meta.url));
const KINDS = ['bare', 'hooks', 'rules', 'journal'];
const CONNECTIONS = 10;
const OBJECT_BYTES = 1200;

/** Shares by which a request, or a delivery, costs more than without. */
export async function faultCosts(options) {
  const child = fork(PROGRAM);
  try {
    const [{ urls }] = await once(child, 'message');
    const cpu = async () => {
      const answer = once(child, 'message');
      child.send('cpu');
      return (await answer)[0].cpuMicroseconds;
    };
    const subjects = Object.fromEntries(KINDS.map((kind) => [kind, clusterAt(urls[kind])]));
    for (const subject of Object.values(subjects)) await furnish(subject);
    const requests = await inTurns(options.quick ? 3 : 30, cpu, (kind) =>
      getMany(subjects[kind], options.quick ? 500 : 2000),
    );
    const watchers = options.quick ? 20 : 100;
    const streams = {};
    for (const kind of KINDS) streams[kind] = await openWatches(subjects[kind], watchers);
    const deliveries = await inTurns(options.quick ? 3 : 80, cpu, (kind) =>
      deliver(subjects[kind], streams[kind], { watchers, writes: options.quick ? 10 : 30 }),
    );
    for (const stream of Object.values(streams)) stream.close();
    return {
      'faults.request.us': median(requests.bare),
      'faults.emptyPlan.requests.cost': costOf(requests, 'hooks', 'bare'),
      'faults.thousandRules.requests.cost': costOf(requests, 'rules', 'bare'),
      'journal.requests.cost': costOf(requests, 'journal', 'hooks'),
      'faults.delivery.us': median(deliveries.bare),
      'faults.emptyPlan.deliveries.cost': costOf(deliveries, 'hooks', 'bare'),
      'faults.thousandRules.deliveries.cost': costOf(deliveries, 'rules', 'bare'),
      'journal.deliveries.cost': costOf(deliveries, 'journal', 'hooks'),
    };
  } finally {
    child.disconnect();
  }
}

/** As `endpoint`, for a cluster below a path. */
function clusterAt(url) {
  return { ...endpoint(url), prefix: new URL(url).pathname };
}

const pathIn = ({ prefix }, path = MAPS) => `${prefix}${path}`;

async function furnish(subject) {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bench' } };
  for (const [path, body] of [
    ['/api/v1/namespaces', namespace],
    [MAPS, configMap('got', OBJECT_BYTES)],
  ]) {
    const { status } = await ask(subject, 'POST', pathIn(subject, path), body);
    if (status !== 201) throw new Error(`${path}: ${status}`);
  }
}

/** Shape: how many requests. */
async function getMany(subject, count) {
  const bytes = requestBytes(subject, 'GET', pathIn(subject, `${MAPS}/got`));
  await hammer(subject, { connections: CONNECTIONS, count, next: () => bytes });
  return count;
}

async function openWatches(subject, count) {
  const version = (await ask(subject, 'GET', pathIn(subject))).json().metadata.resourceVersion;
  return await openStreams(subject, pathIn(subject, `${MAPS}?watch=true&resourceVersion=${version}`), count);
}

/** Shape: how many deliveries. */
async function deliver(subject, stream, { watchers, writes }) {
  const connection = await Connection.open(subject);
  const goal = stream.lines() + watchers * writes;
  for (let i = 0; i < writes; i++) {
    const patch = { data: { serial: `${goal}-${i}` } };
    const path = pathIn(subject, `${MAPS}/got`);
    const { status } = await connection.send(
      requestBytes(subject, 'PATCH', path, patch, 'application/merge-patch+json'),
    );
    if (status !== 200) throw new Error(`write: ${status}`);
  }
  const begun = performance.now();
  while (stream.lines() < goal) {
    if (performance.now() - begun > 60_000) throw new Error(`${goal - stream.lines()} events did not come`);
    await new Promise(setImmediate);
  }
  connection.close();
  return watchers * writes;
}

/** Microseconds of processor time for each piece of work, by kind and round; each round begins with another kind. */
async function inTurns(rounds, cpu, work) {
  const costs = Object.fromEntries(KINDS.map((kind) => [kind, []]));
  for (let round = -2; round < rounds; round++) {
    for (let i = 0; i < KINDS.length; i++) {
      const kind = KINDS[(round + 2 + i) % KINDS.length];
      const before = await cpu();
      const pieces = await work(kind);
      // The first rounds warm up.
      if (round >= 0) costs[kind].push(((await cpu()) - before) / pieces);
    }
  }
  return costs;
}

/** The middle of the rounds' ratios, less one. */
function costOf(costs, kind, than) {
  return median(costs[kind].map((cost, round) => cost / costs[than][round])) - 1;
}
