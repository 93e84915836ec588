/** Lives in real time: what was read before the servers compacted is asked for again afterwards. */
import { seededRandom } from './random.mjs';

/** How often both servers compact. */
export const COMPACTION_INTERVAL = '4s';
/** Two intervals until a version is gone, and fifteen seconds until a real server's snapshots notice. */
const PAUSE_MS = 26_000;
const ROUNDS = 2;
const JSON_TYPE = { 'content-type': 'application/json' };
const FOLDER = '/api/v1/namespaces/{{p}}a/configmaps';

/**
 * The steps of one episode.
 * @param {{ seed: number | string, index: number }} options
 * @returns {import('./play.mjs').Step[]}
 */
export function compactionEpisode({ seed, index }) {
  const random = seededRandom(seed, 'compaction', index);
  const steps = [];
  const push = (area, step) => {
    steps.push({ id: steps.length, area, op: 'request', ...step });
    return steps.length - 1;
  };
  push('create', {
    method: 'POST',
    path: '/api/v1/namespaces',
    headers: JSON_TYPE,
    body: { json: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{{p}}a' } } },
  });
  const names = new Set();
  const versions = [];
  const pages = [];
  const watches = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let i = 0; i < 7; i += 1) versions.push(write(random, push, names));
    for (let i = 0; i < 3; i += 1) {
      const id = push('compaction', { method: 'GET', path: `${FOLDER}?limit=${random.pick([1, 2])}` });
      pages.push(id);
      versions.push(id);
    }
    for (let i = 0; i < 2; i += 1) watches.push(open(random, push, versions));
    for (let i = 0; i < 4; i += 1) read(random, push, versions, pages);
    // Newer than all that is asked for later, as a server may keep its newest version.
    for (let i = 0; i < 2; i += 1) write(random, push, names);
    push('compaction', { op: 'pause', ms: PAUSE_MS });
    for (let i = 0; i < 12; i += 1) {
      if (random.chance(0.25)) watches.push(open(random, push, versions));
      else read(random, push, versions, pages);
    }
    write(random, push, names);
  }
  for (const watch of watches) push('compaction', { op: 'close', watch });
  return steps;
}

function write(random, push, names) {
  const name = random.pick(['a', 'a-b', 'b', 'c', 'd']);
  const body = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: random.pick(['a', 'b']) } },
    data: { k: `${random.below(1000)}` },
  };
  if (!names.has(name)) {
    names.add(name);
    return push('create', { method: 'POST', path: FOLDER, headers: JSON_TYPE, body: { json: body } });
  }
  if (names.size > 2 && random.chance(0.2)) {
    names.delete(name);
    return push('delete', { method: 'DELETE', path: `${FOLDER}/${name}` });
  }
  return push('update', {
    method: 'PUT',
    path: `${FOLDER}/${name}`,
    headers: JSON_TYPE,
    body: { json: body },
  });
}

function read(random, push, versions, pages) {
  const version = `{{rv:${random.pick(versions)}}}`;
  const path = random.choose([
    [4, () => `${FOLDER}?limit=${random.pick([1, 2])}&continue={{continue:${random.pick(pages)}}}`],
    [3, () => `${FOLDER}?resourceVersion=${version}&resourceVersionMatch=Exact`],
    [
      1,
      () => `${FOLDER}?resourceVersion=${version}&resourceVersionMatch=Exact&limit=1&labelSelector=app%3Da`,
    ],
    [1, () => `${FOLDER}?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`],
    [1, () => `${FOLDER}?resourceVersion=${version}`],
    [1, () => `${FOLDER}?resourceVersion=${version}&limit=1`],
    [1, () => `${FOLDER}/a?resourceVersion=${version}`],
    [1, () => `${FOLDER}?limit=1`],
  ]);
  const id = push('compaction', { method: 'GET', path });
  // Also what expires has a token: that of the rest at another version.
  if (path.includes('limit=')) pages.push(id);
}

function open(random, push, versions) {
  const version = `{{rv:${random.pick(versions)}}}`;
  const query = random.choose([
    [4, () => `resourceVersion=${version}`],
    [1, () => `resourceVersion=${version}&labelSelector=app%3Da`],
    [1, () => `resourceVersion=${version}&allowWatchBookmarks=true`],
    [
      1,
      () =>
        `resourceVersion=${version}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    ],
    [1, () => 'resourceVersion=0'],
  ]);
  return push('compaction', { op: 'open', path: `${FOLDER}?watch=1&${query}` });
}
