/** Deleting much at once, in this program: how long it takes, and how long everybody else has to wait at the most. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../programs/server.mjs';
import { ask, endpoint, hammer, requestBytes } from './load.mjs';
import { MAPS, configMap } from './subjects.mjs';

const OBJECT_BYTES = 600;
const NAMESPACE = '/api/v1/namespaces/bench';
/** A real controller waits so long before it empties a namespace. */
const NAMESPACE_DELAY_MS = 5000;

export async function deletionCosts(options) {
  const count = options.quick ? 1000 : 10_000;
  return {
    'deletion.objects': count,
    ...(await collection(count)),
    ...(await background(count)),
    ...(await orphaned(count)),
    ...(await namespace(count)),
    ...(await definition(count)),
    ...(await pods(Math.min(count, 2000))),
  };
}

/** One deletecollection without controllers, up to its answer. */
const collection = (count) =>
  withServer([], async ({ subject }) => {
    await fill(subject, count);
    return figures('deletion.collection', await watched(() => done(subject, 'DELETE', MAPS)));
  });

/** From the delete of an owner to the end of the last of its dependents. */
const background = (count) =>
  withServer(['garbage-collector-controller'], async ({ server, subject }) => {
    const owner = await ownerOf(subject, count);
    await server.settled();
    const took = await watched(async () => {
      await done(subject, 'DELETE', owner, { propagationPolicy: 'Background' });
      await server.settled();
    });
    await expectLeft(subject, 0);
    return figures('deletion.background', took);
  });

/** From the delete of an owner to the last of its dependents that lets go of it. */
const orphaned = (count) =>
  withServer(['garbage-collector-controller'], async ({ server, subject }) => {
    const owner = await ownerOf(subject, count);
    await server.settled();
    const took = await watched(async () => {
      await done(subject, 'DELETE', owner, { propagationPolicy: 'Orphan' });
      await server.settled();
    });
    await expectLeft(subject, count);
    return figures('deletion.orphan', took);
  });

/** From the time at which the controller begins to the end of the namespace. */
const namespace = (count) =>
  withServer(['namespace-controller', 'garbage-collector-controller'], async ({ server, subject }) => {
    await fill(subject, count);
    await server.settled();
    await done(subject, 'DELETE', NAMESPACE);
    await server.clock.advance(NAMESPACE_DELAY_MS - 1);
    const took = await watched(() => server.clock.advance(60_000));
    const { status } = await ask(subject, 'GET', NAMESPACE);
    if (status !== 404) throw new Error(`the namespace is still there: ${status}`);
    return figures('deletion.namespace', took);
  });

/** From the delete of a definition to its end, with that many objects of it. */
const definition = (count) =>
  withServer([], async ({ subject }) => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
    await done(subject, 'POST', path, {
      metadata: { name: 'widgets.bench.example' },
      spec: {
        group: 'bench.example',
        scope: 'Namespaced',
        names,
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    });
    const widgets = '/apis/bench.example/v1/namespaces/bench/widgets';
    await hammer(subject, {
      connections: 10,
      count,
      next: (i) =>
        requestBytes(subject, 'POST', widgets, {
          apiVersion: 'bench.example/v1',
          kind: 'Widget',
          metadata: { name: `widget-${i}` },
        }),
    });
    const took = await watched(async () => {
      await done(subject, 'DELETE', `${path}/widgets.bench.example`);
      while ((await ask(subject, 'GET', `${path}/widgets.bench.example`)).status !== 404) continue;
    });
    return figures('deletion.definition', took);
  });

/** A ReplicaSet that makes so many pods, and one that takes them away again. */
const pods = (count) =>
  withServer(['replicaset-controller'], async ({ server, subject }) => {
    const sets = '/apis/apps/v1/namespaces/bench/replicasets';
    const labels = { app: 'bench' };
    const took = await watched(async () => {
      await done(subject, 'POST', sets, {
        metadata: { name: 'set' },
        spec: {
          replicas: count,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: 'main', image: 'registry.example/main:1' }] },
          },
        },
      });
      await server.settled();
      await done(subject, 'PATCH', `${sets}/set`, { spec: { replicas: 0 } }, 'application/merge-patch+json');
      await server.settled();
    });
    return { 'deletion.pods': count, ...figures('deletion.replicaSet', took) };
  });

const figures = (name, { ms, cpuMs, longestPauseMs }) => ({
  [`${name}.ms`]: ms,
  [`${name}.cpuMs`]: cpuMs,
  [`${name}.pauseMs`]: longestPauseMs,
});

/** A server in this program whose clock stands still, with the namespace `bench`. */
async function withServer(controllers, work) {
  const library = pathToFileURL(join(ROOT, 'dist/mockserver/index.js')).href;
  const { startMockServer } = await import(library);
  const server = await startMockServer({ controllers, frozenAt: '2026-01-01T00:00:00Z' });
  try {
    const subject = endpoint(server.url);
    await done(subject, 'POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'bench' },
    });
    return await work({ server, subject });
  } finally {
    await server.stop();
  }
}

async function ownerOf(subject, count) {
  const owner = await done(subject, 'POST', MAPS, configMap('owner', 100));
  const { name, uid } = owner.json().metadata;
  await fill(subject, count, [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }]);
  return `${MAPS}/${name}`;
}

const fill = (subject, count, ownerReferences) =>
  hammer(subject, {
    connections: 10,
    count,
    next: (i) => {
      const map = configMap(`object-${i}`, OBJECT_BYTES);
      return requestBytes(subject, 'POST', MAPS, { ...map, metadata: { ...map.metadata, ownerReferences } });
    },
  });

async function expectLeft(subject, count) {
  const { items } = (await ask(subject, 'GET', MAPS)).json();
  if (items.length !== count) throw new Error(`${items.length} objects are left instead of ${count}`);
}

async function done(subject, method, path, body, contentType) {
  const answer = await ask(subject, method, path, body, contentType);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.bytes.toString()}`);
  return answer;
}

/**
 * How long the work takes, what of that this program computes, and the longest time in which nothing else had its turn:
 * of the clock and of the processor the smaller one, so that what other programs take does not count.
 */
async function watched(work) {
  let last = now();
  let longestPauseMs = 0;
  let open = true;
  const look = () => {
    const next = now();
    longestPauseMs = Math.max(longestPauseMs, Math.min(next.ms - last.ms, next.cpuMs - last.cpuMs));
    last = next;
    if (open) setImmediate(look);
  };
  setImmediate(look);
  const begun = now();
  await work();
  const ended = now();
  open = false;
  return { ms: ended.ms - begun.ms, cpuMs: ended.cpuMs - begun.cpuMs, longestPauseMs };
}

function now() {
  const { user, system } = process.cpuUsage();
  return { ms: performance.now(), cpuMs: (user + system) / 1000 };
}
