/** What ownership costs, in this very program: the verbs of the built server without HTTP around them. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../programs/server.mjs';
import { median } from './load.mjs';

const built = (path) => import(pathToFileURL(join(ROOT, 'dist', path)).href);
const MANAGERS = ['alpha', 'beta', 'delta', 'gamma', 'omega'];

const container = (name, image) => ({
  name,
  image,
  ports: [{ containerPort: 8080, name: 'web' }],
  env: [
    { name: 'LOG', value: 'info' },
    { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
  ],
  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
  readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5 },
  volumeMounts: [{ name: 'config', mountPath: '/etc/app' }],
});

/** @param note tells one version from the next; every manager has an annotation, a label and a container of its own */
function partOf(manager, note) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'owned',
      labels: { [`of-${manager}`]: 'x' },
      annotations: { [`bench/${manager}`]: note },
    },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: {
          containers: [container(manager, `registry.example/${manager}:${note}`)],
          volumes: [{ name: 'config', configMap: { name: 'config' } }],
        },
      },
    },
  };
}

/** A cluster of its own with one Deployment that five managers have applied, and what writes it. */
async function ownedDeployment() {
  const { MemoryStore } = await built('mockserver/store/memory-store.js');
  const { Cluster } = await built('mockserver/registry/cluster.js');
  const { DEFAULT_CLUSTER } = await built('mockserver/registry/cluster-options.js');
  const { seededRandom } = await built('mockserver/ground/random.js');
  const { realClock } = await built('mockserver/ground/clock.js');
  const { loadBuiltInApi } = await built('openapi/built-in-api.js');
  const { Blueprint } = await built('mockserver/registry/blueprint.js');
  const { applyPatch } = await built('mockserver/registry/apply.js');
  const { readJson } = await built('mockserver/ground/json-read.js');
  const { decodeBody } = await built('mockserver/registry/body.js');
  const { update } = await built('mockserver/registry/update.js');
  const { create } = await built('mockserver/registry/create.js');

  const cluster = new Cluster({
    store: new MemoryStore(),
    blueprint: new Blueprint(loadBuiltInApi()),
    clock: realClock,
    random: seededRandom(1),
    options: DEFAULT_CLUSTER,
  });
  const callOf = (resource, namespace, name, writer) => ({
    cluster,
    resource,
    subresource: '',
    namespace,
    name,
    largest: 0,
    writer,
    warn() {},
  });
  const namespaces = cluster.resources.find('', 'v1', 'namespaces');
  create(
    callOf(namespaces, '', '', 'bench'),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } },
    false,
  );
  const resource = cluster.resources.find('apps', 'v1', 'deployments');
  const apply = (manager, note) =>
    applyPatch(callOf(resource, 'default', 'owned', manager), {
      text: JSON.stringify(partOf(manager, note)),
      force: true,
      fieldValidation: 'Warn',
      dryRun: false,
    }).object.object;
  const put = (text) => {
    const call = callOf(resource, 'default', 'owned', 'updater');
    const reading = readJson(Buffer.from(text), { onDuplicate: 'merge' });
    const body = {
      ...reading,
      warnings: [],
      text: () => text,
      shown: () => text,
    };
    const sent = { object: decodeBody(call, body, 'Warn'), owners: 'tracked' };
    return update(call, { sent, next: () => sent, dryRun: false }).object.object;
  };
  for (const manager of MANAGERS) apply(manager, '1');
  return { cluster, apply, put };
}

/**
 * Microseconds of one turn of each piece of work, pieces in turn so that all meet the same machine; medians.
 * A piece is `{ given, work }`: what `given` answers is made outside the time that counts.
 */
function timesOf(options, pieces) {
  const names = Object.keys(pieces);
  const found = Object.fromEntries(names.map((name) => [name, []]));
  const turns = options.quick ? 100 : 400;
  for (let round = 0; round < (options.quick ? 6 : 16); round++) {
    for (const name of names) {
      const { given, work } = pieces[name];
      let spent = 0;
      for (let i = 0; i < turns; i++) {
        const input = given(i);
        const begun = performance.now();
        work(input);
        spent += performance.now() - begun;
      }
      found[name].push((spent * 1000) / turns);
    }
  }
  // The first rounds are the compiler's.
  return Object.fromEntries(names.map((name) => [name, median(found[name].slice(3))]));
}

/** An apply beside reading and writing the object's JSON; an update beside one that keeps no account of owners. */
export async function ownershipCosts(options) {
  const { cluster, apply, put } = await ownedDeployment();
  const { ownership } = cluster;
  let now = apply('alpha', '1');
  const text = JSON.stringify(now);
  const unowned = { tracked: (_writing, { next }) => next };
  const keeping = (owners) =>
    Object.defineProperty(cluster, 'ownership', { value: owners, configurable: true });
  /** As most clients do: what was read, with a change. */
  const changed = (owners) => (i) => {
    keeping(owners);
    return JSON.stringify({ ...now, spec: { ...now.spec, minReadySeconds: i % 2 } });
  };
  const written = (text) => (now = put(text));
  const times = timesOf(options, {
    json: { given: () => text, work: (text) => JSON.stringify(JSON.parse(text)) },
    apply: { given: (i) => (keeping(ownership), `${i % 2}`), work: (note) => (now = apply('alpha', note)) },
    update: { given: changed(ownership), work: written },
    unowned: { given: changed(unowned), work: written },
  });
  return {
    'ownership.objectKb': text.length / 1024,
    'ownership.applyUs': times.apply,
    'ownership.apply.timeRatio': times.apply / times.json,
    'ownership.updateUs': times.update,
    'ownership.update.timeRatio': times.update / times.unowned,
  };
}
