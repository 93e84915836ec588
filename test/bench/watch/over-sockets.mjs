/** Watches over HTTP: what stalled ones cost a healthy one, and what an idle one costs. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../programs/server.mjs';
import { ask, Connection, endpoint, openStreams, requestBytes } from '../load.mjs';
import { residentBytes } from '../memory.mjs';
import { configMap, MAPS, withSubject } from '../subjects.mjs';
import { pause, quantile } from './bed.mjs';

const STALLED = 1000;
const ROUNDS = 5;
/** Large ones fill the sockets, so that watchers stall; then small ones are timed. */
const FILLING = { events: 60, bytes: 20_000 };

/** p99 from write to the healthy client, beside none and beside 1000 clients that have stopped reading; the gate on and off. */
export async function socketNeighbours({ seconds }) {
  const kinds = [true, false].flatMap((gate) => [0, STALLED].map((count) => ({ gate, count, found: [] })));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { gate, count, found } of kinds) {
      const args = ['--feature-gates', `WatchCacheStallResume=${gate}`];
      found.push(await withSubject({ args }, (subject) => run(subject, count, seconds)));
    }
  }
  const middle = ({ found }, name) =>
    quantile(
      found.map((one) => one[name]),
      0.5,
    );
  const best = ({ found }) => Math.min(...found.map(({ p99 }) => p99));
  return kinds.map((kind) => {
    const none = kinds.find(({ gate, count }) => gate === kind.gate && count === 0);
    return {
      gate: kind.gate ? 'on' : 'off',
      'stalled clients': kind.count,
      'unsynced on the server': middle(kind, 'unsynced'),
      'p50 ms': middle(kind, 'p50'),
      'p99 ms': middle(kind, 'p99'),
      'p99 ms, best round': best(kind),
      'to none': middle(kind, 'p99') / middle(none, 'p99'),
      'to none, best rounds': best(kind) / best(none),
      terminated: kind.found.reduce((sum, one) => sum + one.terminated, 0),
    };
  });
}

async function run(subject, count, seconds) {
  const version = (await ask(subject, 'GET', MAPS)).json().metadata.resourceVersion;
  const path = `${MAPS}?watch=true&resourceVersion=${version}`;
  const stalled = await openSilent(subject, path, count);
  const writer = await Connection.open(subject);
  for (let i = 0; i < FILLING.events; i++)
    await writer.send(requestBytes(subject, 'POST', MAPS, configMap(`filling-${i}`, FILLING.bytes)));
  await pause(500);
  const healthy = await openStreams(subject, `${MAPS}?watch=true`, 1);
  const latencies = [];
  const begun = performance.now();
  for (let i = 0; performance.now() - begun < 1000 * seconds; i++) {
    const goal = healthy.lines() + 1;
    const sent = performance.now();
    const answered = writer.send(requestBytes(subject, 'POST', MAPS, configMap(`small-${i}`, 1000)));
    while (healthy.lines() < goal) await new Promise(setImmediate);
    latencies.push(performance.now() - sent);
    await answered;
  }
  const metrics = (await ask(subject, 'GET', '/metrics')).bytes.toString();
  const value = (name) =>
    metrics
      .split('\n')
      .filter((line) => line.startsWith(name) && line.includes('"configmaps"'))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  const terminated = value('apiserver_terminated_watchers_total{');
  const unsynced = value('apiserver_watch_cache_stalled_watchers{');
  stalled.close();
  healthy.close();
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), terminated, unsynced };
}

/** Watches whose clients never read and have small receive buffers, which only Python can ask for. */
async function openSilent(subject, path, count) {
  if (count === 0) return { close: () => undefined };
  const program = fileURLToPath(new URL('silent-clients.py', import.meta.url));
  const { host, port } = subject;
  const child = spawn('python3', [program, host, String(port), path, String(count)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', () => reject(new Error('the silent clients did not start')));
  });
  await pause(300);
  return { close: () => child.stdin.end() };
}

/** Resident memory per idle watch beside that of an answer that node:http keeps open. */
export async function memory({ watches }) {
  const bare = await startBare();
  const bareBytes = await bytesEach({ ...endpoint(bare.url), pid: bare.pid }, '/', watches);
  bare.stop();
  const server = await startServer();
  const subject = { ...endpoint(server.url), pid: server.pid };
  const ours = await bytesEach(
    subject,
    '/api/v1/configmaps?watch=1&resourceVersion=1&allowWatchBookmarks=1&timeoutSeconds=3600',
    watches,
    async () => {
      const status = (
        await ask(subject, 'POST', '/api/v1/namespaces/default/configmaps', configMapIn('default'))
      ).status;
      if (status !== 201) throw new Error(`write: ${status}`);
    },
  );
  await server.stop();
  return [
    {
      watches,
      'KB each, node:http alone': bareBytes.each / 1024,
      'KB each, a watch': ours.each / 1024,
      'KB beside': (ours.each - bareBytes.each) / 1024,
      'all were sent the next event': ours.delivered,
    },
  ];
}

const configMapIn = (namespace) => {
  const object = configMap('told', 500);
  return { ...object, metadata: { ...object.metadata, namespace } };
};

async function bytesEach(subject, path, count, write) {
  const warm = await openStreams(subject, path, 200);
  warm.close();
  await pause(500);
  const before = residentBytes(subject.pid);
  const streams = await openStreams(subject, path, count);
  await pause(1500);
  const each = (residentBytes(subject.pid) - before) / count;
  let delivered = '';
  if (write !== undefined) {
    const goal = streams.lines() + count;
    await write();
    for (let i = 0; i < 500 && streams.lines() < goal; i++) await pause(20);
    delivered = streams.lines() === goal ? 'yes' : `NO: ${streams.lines()} of ${goal}`;
  }
  streams.close();
  return { each, delivered };
}

/** node:http with answers that are begun and kept open, in a process of its own. */
async function startBare() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'bare'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  return { url, pid: child.pid, stop: () => child.stdin.end() };
}

if (process.argv[2] === 'bare' && process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.flushHeaders();
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
  process.stdin.on('end', () => process.exit(0)).resume();
}
