/** Objects of built-in kinds, each a recorded one with a few members changed, sent as creates and updates. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { ROOT } from '../programs/server.mjs';

const AT_ONCE = 16;

/** Values that no member expects, and some that most do. */
const VALUES = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e300,
  '',
  'x',
  'X Y',
  'é\u0000',
  '__proto__',
  '1Gi',
  '50%',
  '9'.repeat(40),
  'a'.repeat(300),
  '10.0.0.1',
  '2026-01-01T00:00:00Z',
  [],
  [null],
  ['x', 'x'],
  [[]],
  {},
  { x: 'y' },
  { '': '' },
  { constructor: {}, toString: 1 },
];

const recorded = (file) => JSON.parse(readFileSync(join(ROOT, 'fixtures/recorded', file), 'utf8'));

/** Bodies with the paths that they are sent to. */
function seeds() {
  const writes = [...recorded('validation/writes.json'), ...recorded('admission/writes.json')];
  return writes
    .flatMap(({ given = [], request }) => [...given, request])
    .filter(([method, , body]) => (method === 'POST' || method === 'PUT') && typeof body === 'object')
    .map(([method, path, body]) => ({ method, path: path.split('?')[0], body }));
}

/** Every place in a document, as the keys that lead there. */
function placesIn(value, path = []) {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.keys(value).flatMap((key) => placesIn(value[key], [...path, key]))];
}

/** The document with one place changed. `__proto__` is a member like any other. */
function mutated(document, random, donors) {
  const copy = structuredClone(document);
  const places = placesIn(copy).filter((path) => path.length > 0);
  const path = random.pick(places);
  const owner = path.slice(0, -1).reduce((at, key) => at[key], copy);
  const key = path.at(-1);
  const put = (name, value) =>
    Object.defineProperty(owner, name, { value, enumerable: true, configurable: true, writable: true });
  switch (random.pick(['value', 'value', 'drop', 'name', 'double', 'graft'])) {
    case 'value':
      put(key, structuredClone(random.pick(VALUES)));
      break;
    case 'drop':
      if (Array.isArray(owner)) owner.splice(Number(key), 1);
      else delete owner[key];
      break;
    case 'name':
      if (!Array.isArray(owner)) put(random.pick(['x', '__proto__', 'spec', 'name', '']), owner[key]);
      break;
    case 'double':
      if (Array.isArray(owner)) owner.push(structuredClone(owner[key]));
      else put(`${key}2`, owner[key]);
      break;
    case 'graft':
      put(key, structuredClone(random.pick(donors)));
      break;
  }
  return copy;
}

/**
 * Shape: `statuses`: how often each came; `wrong`: requests that were answered 500 or above, or not at all.
 * One in four is no dry run, so that updates, quotas and defaults of stored objects are reached.
 */
export async function fuzzObjects({ url, count, random }) {
  const all = seeds();
  const donors = all.flatMap(({ body }) => Object.values(body.spec ?? body.metadata ?? {}));
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const statuses = new Map();
  const wrong = [];
  let sent = 0;
  const run = async () => {
    while (sent < count) {
      sent++;
      const { method, path, body } = random.pick(all);
      let document = body;
      for (let left = random.below(3) + 1; left > 0; left--) document = mutated(document, random, donors);
      const query = random.below(4) === 0 ? '' : '?dryRun=All';
      const status = await send(agent, url, { method, path: path + query, body: JSON.stringify(document) });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500 || status === 0) wrong.push({ status, method, path, body: document });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  agent.destroy();
  return { statuses, wrong };
}

/** Shape: the status; 0 when the connection broke. */
function send(agent, url, { method, path, body }) {
  return new Promise((resolve) => {
    const request = http.request(new URL(path, url), {
      method,
      agent,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    request.once('error', () => resolve(0));
    request.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
      response.once('error', () => resolve(0));
    });
    request.end(body);
  });
}
