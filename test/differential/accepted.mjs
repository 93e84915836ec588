/** Differences that are known and stay: each has a pattern, a reason and a date, and is of no use once nothing matches it. */
import { readFileSync } from 'node:fs';

const FILE = new URL('accepted.json', import.meta.url);

/**
 * @typedef {object} Accepted
 * @property {string} pattern a regular expression on a difference's signature
 * @property {string} reason
 * @property {string} since
 * @property {string[]} areas where it can appear; a run without these does not miss it
 */

/** Shape: `of(signature)` says whether it is accepted; `unused(areas)` are the entries that matched nothing. */
export function acceptedDifferences() {
  /** @type {Accepted[]} */
  const entries = JSON.parse(readFileSync(FILE, 'utf8')).map((entry) => ({
    ...entry,
    expression: new RegExp(entry.pattern),
  }));
  const used = new Set();
  return {
    of(signature) {
      const entry = entries.find(({ expression }) => expression.test(signature));
      if (entry !== undefined) used.add(entry);
      return entry !== undefined;
    },
    unused: (areas) =>
      entries.filter((entry) => !used.has(entry) && entry.areas.some((area) => areas.includes(area))),
  };
}
