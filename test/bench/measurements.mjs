/** One function per figure or two; each answers `{ figure: value }`. Rates are per second, times in ms, memory in MB. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, startServer } from '../programs/server.mjs';
import { Connection, ask, endpoint, hammer, inTurn, median, openStreams, requestBytes } from './load.mjs';
import { customCosts } from './custom.mjs';
import { faultCosts } from './faults.mjs';
import { deletionCosts } from './deletions.mjs';
import { peakExtraBytes, residentBytes } from './memory.mjs';
import { ownershipCosts } from './ownership.mjs';
import { protobufAgainstJson } from './protobuf.mjs';
import { validationCosts } from './validation.mjs';
import { MAPS, configMap, oracleIsThere, withLimit, withOracle, withSubject } from './subjects.mjs';

const CONNECTIONS = 10;
const OBJECT_BYTES = 1200;
const mb = (bytes) => bytes / (1024 * 1024);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function store(subject, count, bytes, prefix = 'object') {
  return await hammer(subject, {
    connections: CONNECTIONS,
    count,
    next: (i) => requestBytes(subject, 'POST', MAPS, configMap(`${prefix}-${i}`, bytes)),
  });
}

/** GET of one object at ten connections, against a server that writes the same bytes. */
export function get(options) {
  return withLimit((limit) =>
    withSubject(options, async (ours) => {
      await store(ours, 1, OBJECT_BYTES, 'got');
      const path = `${MAPS}/got-0`;
      const { bytes } = await ask(ours, 'GET', path);
      await ask(limit, 'PUT', '/bytes/object', bytes.toString());
      const rate = (target, request) => async () =>
        (
          await hammer(target, {
            connections: CONNECTIONS,
            ms: options.quick ? 300 : 1500,
            next: () => request,
          })
        ).perSecond;
      const found = await inTurn(options.quick ? 3 : 5, {
        limit: rate(limit, requestBytes(limit, 'GET', '/bytes/object')),
        ours: rate(ours, requestBytes(ours, 'GET', path)),
      });
      return {
        'get.perSecond': found.ours,
        'get.limitPerSecond': found.limit,
        'get.ratio': found.ours / found.limit,
      };
    }),
  );
}

/** POST at ten connections, against a server that parses, gives a uid, a version and a time, and answers. */
export function create(options) {
  return withLimit((limit) =>
    withSubject(options, async (ours) => {
      let round = 0;
      const rate = (target, path) => async () => {
        const prefix = `made-${round++}`;
        const next = (i) => requestBytes(target, 'POST', path, configMap(`${prefix}-${i}`, OBJECT_BYTES));
        return (await hammer(target, { connections: CONNECTIONS, ms: options.quick ? 300 : 1500, next }))
          .perSecond;
      };
      const found = await inTurn(options.quick ? 3 : 5, {
        limit: rate(limit, '/objects'),
        ours: rate(ours, MAPS),
      });
      return {
        'create.perSecond': found.ours,
        'create.limitPerSecond': found.limit,
        'create.ratio': found.ours / found.limit,
      };
    }),
  );
}

/** LIST of everything, against a server that writes the same bytes. */
export function list(options) {
  return withLimit((limit) =>
    withSubject(options, async (ours) => {
      const count = options.quick ? 1000 : 10_000;
      await store(ours, count, OBJECT_BYTES);
      const { bytes } = await ask(ours, 'GET', MAPS);
      await ask(limit, 'PUT', '/bytes/list', bytes.toString());
      const time = (connection, request) => async () => {
        const begun = performance.now();
        const { status } = await connection.send(request);
        if (status !== 200) throw new Error(`list: ${status}`);
        return performance.now() - begun;
      };
      const connections = [await Connection.open(limit), await Connection.open(ours)];
      const request = requestBytes(ours, 'GET', MAPS);
      const found = await inTurn(options.quick ? 5 : 9, {
        limit: time(connections[0], requestBytes(limit, 'GET', '/bytes/list')),
        ours: time(connections[1], request),
      });
      const extra =
        ours.pid === undefined ? undefined : await peakExtraBytes(ours.pid, time(connections[1], request));
      for (const connection of connections) connection.close();
      return {
        'list.objects': count,
        'list.bytesMb': mb(bytes.length),
        'list.ms': found.ours,
        'list.limitMs': found.limit,
        'list.timeRatio': found.ours / found.limit,
        ...(extra === undefined
          ? {}
          : { 'list.peakExtraMb': mb(extra), 'list.peakExtraShare': extra / bytes.length }),
      };
    }),
  );
}

export const protobuf = protobufAgainstJson;

/** Pods as a table, as kubectl asks for them, against their plain list. */
export function table(options) {
  return withSubject(options, async (ours) => {
    const count = options.quick ? 1000 : 5000;
    const path = '/api/v1/namespaces/bench/pods';
    const pod = (i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `pod-${i}`, labels: { app: 'bench', number: `${i}` } },
      spec: { containers: [{ name: 'main', image: 'registry.example/main:1' }] },
    });
    await hammer(ours, {
      connections: CONNECTIONS,
      count,
      next: (i) => requestBytes(ours, 'POST', path, pod(i)),
    });
    const connection = await Connection.open(ours);
    const time = (request) => async () => {
      const begun = performance.now();
      const { status } = await connection.send(request);
      if (status !== 200) throw new Error(`list: ${status}`);
      return performance.now() - begun;
    };
    const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
    const found = await inTurn(options.quick ? 5 : 9, {
      limit: time(requestBytes(ours, 'GET', path)),
      ours: time(requestBytes(ours, 'GET', path, undefined, undefined, asTable)),
    });
    connection.close();
    return {
      'table.pods': count,
      'table.ms': found.ours,
      'table.plainListMs': found.limit,
      'table.timeRatio': found.ours / found.limit,
    };
  });
}

/** One writer, many watchers, against a server that writes the same frames to as many open answers. */
export function watchers(options) {
  return withLimit((limit) =>
    withSubject(options, async (ours) => {
      const count = options.quick ? 100 : 1000;
      const writes = options.quick ? 20 : 50;
      const version = (await ask(ours, 'GET', MAPS)).json().metadata.resourceVersion;
      const streams = {
        limit: await openStreams(limit, '/stream', count),
        ours: await openStreams(ours, `${MAPS}?watch=true&resourceVersion=${version}`, count),
      };
      const first = await ask(ours, 'POST', MAPS, configMap('written', OBJECT_BYTES));
      const frame = `{"type":"MODIFIED","object":${first.bytes.toString().trimEnd()}}\n`;
      const rate = (target, stream, bytes) => async () => {
        const connection = await Connection.open(target);
        await settled(stream);
        const goal = stream.lines() + count * writes;
        const begun = performance.now();
        for (let i = 0; i < writes; i++) {
          const { status } = await connection.send(bytes(i));
          if (status !== 200) throw new Error(`write: ${status}`);
        }
        while (stream.lines() < goal) {
          if (performance.now() - begun > 60_000)
            throw new Error(`${goal - stream.lines()} events did not come`);
          await new Promise(setImmediate);
        }
        const took = performance.now() - begun;
        connection.close();
        return (1000 * count * writes) / took;
      };
      const frameBytes = requestBytes(limit, 'POST', '/frames', frame);
      let serial = 0;
      const found = await inTurn(3, {
        limit: rate(limit, streams.limit, () => frameBytes),
        ours: rate(ours, streams.ours, () =>
          requestBytes(
            ours,
            'PATCH',
            `${MAPS}/written`,
            { data: { serial: `${serial++}` } },
            'application/merge-patch+json',
          ),
        ),
      });
      streams.limit.close();
      streams.ours.close();
      return {
        'watchers.count': count,
        'watchers.perSecond': found.ours,
        'watchers.limitPerSecond': found.limit,
        'watchers.ratio': found.ours / found.limit,
      };
    }),
  );
}

/** Waits until no line has come for 100 ms. */
async function settled(stream) {
  for (let before = -1; before !== stream.lines();) {
    before = stream.lines();
    await pause(100);
  }
}

/** Server-side apply and updates with owners, in this program. */
export const ownership = ownershipCosts;
export const validation = validationCosts;
export const custom = customCosts;
export const faults = faultCosts;
export const deletions = deletionCosts;

/** From the start of the process to the first answered LIST. */
export async function start(options) {
  const times = [];
  for (let round = 0; round < (options.quick ? 3 : 7); round++) {
    const begun = performance.now();
    const server = await startServer();
    const { status } = await ask(endpoint(server.url), 'GET', '/api/v1/namespaces/default/configmaps');
    times.push(performance.now() - begun);
    await server.stop();
    if (status !== 200) throw new Error(`list: ${status}`);
  }
  return { 'start.firstListMs': median(times) };
}

/** `startMockServer()` in a program that has imported the library. */
async function importAndStart(options) {
  const library = pathToFileURL(join(ROOT, 'dist/mockserver/bundle/index.js')).href;
  const program = `const { startMockServer } = await import(${JSON.stringify(library)});
    const begun = performance.now();
    const server = await startMockServer();
    const took = performance.now() - begun;
    await server.stop();
    console.log(took);`;
  const times = [];
  for (let round = 0; round < (options.quick ? 3 : 7); round++) {
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 30_000,
    });
    if (run.status !== 0) throw new Error(run.stderr);
    times.push(Number(run.stdout));
  }
  return { 'import.startMs': median(times) };
}
export { importAndStart as import };

/** Resident memory of a server that nobody has asked anything but a LIST. */
export async function idle() {
  const server = await startServer();
  try {
    await ask(endpoint(server.url), 'GET', '/api/v1/namespaces/default/configmaps');
    await pause(1000);
    return { 'idle.rssMb': mb(residentBytes(server.pid)) };
  } finally {
    await server.stop();
  }
}

/** Resident memory with many objects of 1 KB. */
export function objects(options) {
  return withSubject(options, async (ours) => {
    const count = options.quick ? 10_000 : 100_000;
    const before = ours.pid === undefined ? 0 : residentBytes(ours.pid);
    const { perSecond } = await store(ours, count, 1024);
    await pause(1000);
    if (ours.pid === undefined) return { 'objects.count': count, 'objects.createsPerSecond': perSecond };
    const after = residentBytes(ours.pid);
    return {
      'objects.count': count,
      'objects.createsPerSecond': perSecond,
      'objects.rssMb': mb(after),
      'objects.bytesEach': (after - before) / count,
    };
  });
}

/** The same client on ours and on a real API server (over TLS, with etcd on the same machine). */
export async function oracle(options) {
  if (!oracleIsThere()) return {};
  const ours = await withSubject(options, (subject) => beside(options, subject));
  const real = await withOracle((subject) => beside(options, subject));
  return {
    ...rates('beside.creates', ours.createsPerSecond, real.createsPerSecond),
    ...rates('beside.gets', ours.getsPerSecond, real.getsPerSecond),
    ...times('beside.list', ours.listMs, real.listMs),
    ...times('beside.watchList', ours.watchListMs, real.watchListMs),
  };
}

const rates = (name, ours, real) => ({
  [`${name}.perSecond`]: ours,
  [`${name}.realPerSecond`]: real,
  [`${name}.ratio`]: ours / real,
});
const times = (name, ours, real) => ({
  [`${name}.ms`]: ours,
  [`${name}.realMs`]: real,
  [`${name}.timeRatio`]: ours / real,
});

async function beside(options, subject) {
  const count = options.quick ? 500 : 5000;
  const made = await store(subject, count, OBJECT_BYTES);
  const request = requestBytes(subject, 'GET', `${MAPS}/object-0`);
  const got = await hammer(subject, {
    connections: CONNECTIONS,
    ms: options.quick ? 500 : 3000,
    next: () => request,
  });
  const connection = await Connection.open(subject);
  const lists = [];
  for (let round = 0; round < 5; round++) {
    const begun = performance.now();
    await connection.send(requestBytes(subject, 'GET', MAPS));
    lists.push(performance.now() - begun);
  }
  connection.close();
  const watchLists = [];
  for (let round = 0; round < 5; round++) {
    const begun = performance.now();
    const stream = await openStreams(
      subject,
      `${MAPS}?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
      1,
      'k8s.io/initial-events-end',
    );
    while (stream.marked() === 0) {
      if (performance.now() - begun > 30_000) throw new Error('the initial events did not end');
      await new Promise(setImmediate);
    }
    watchLists.push(performance.now() - begun);
    stream.close();
  }
  return {
    createsPerSecond: made.perSecond,
    getsPerSecond: got.perSecond,
    listMs: median(lists),
    watchListMs: median(watchLists),
  };
}
