/** Objects of built-in kinds, each a recorded one with a few members changed, sent as creates and updates. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../programs/server.mjs';
import { mutatedTimes } from './mutated.mjs';
import { sending } from './sending.mjs';

const recorded = (file) => JSON.parse(readFileSync(join(ROOT, 'fixtures/recorded', file), 'utf8'));

/** Objects of built-in kinds with the paths that they are sent to. Shape: `{ method, path, body }`. */
export function recordedWrites() {
  const writes = [...recorded('validation/writes.json'), ...recorded('admission/writes.json')];
  return writes
    .flatMap(({ given = [], request }) => [...given, request])
    .filter(([method, , body]) => (method === 'POST' || method === 'PUT') && typeof body === 'object')
    .map(([method, path, body]) => ({ method, path: path.split('?')[0], body }));
}

/** One in four is no dry run, so that updates, quotas and defaults of stored objects are reached. Shape: as sending. */
export function fuzzObjects({ url, count, random }) {
  const all = recordedWrites();
  const donors = all.flatMap(({ body }) => Object.values(body.spec ?? body.metadata ?? {}));
  return sending({
    url,
    count,
    async one(ask) {
      const { method, path, body } = random.pick(all);
      const document = mutatedTimes(random.below(3) + 1, body, random, donors);
      await ask(method, path + (random.below(4) === 0 ? '' : '?dryRun=All'), document);
    },
  });
}
