/** The texts of the health endpoints. */
import { type DocumentAnswer, type Query, pathNotServed, textAnswer } from './document-answer.js';

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

export const isHealthEndpoint = (name: string | undefined): name is HealthEndpoint =>
  name === 'healthz' || name === 'livez' || name === 'readyz';

/**
 * Answers a health endpoint of a server whose checks all pass: `ok`, or with `verbose` a line for each check.
 * `exclude` names checks to skip; unknown ones are warned of.
 *
 * @param check the path below the endpoint, `''` for the endpoint itself: `poststarthook/crd-informer-synced`.
 * Source: apiserver healthz/healthz.go, handleRootHealth.
 */
export function answerHealth(
  endpoint: HealthEndpoint,
  check: string,
  checks: readonly string[],
  query: Query,
): DocumentAnswer {
  if (check !== '') return checks.includes(check) ? textAnswer(200, 'ok') : pathNotServed();
  if (!query.has('verbose')) return textAnswer(200, 'ok');
  const excluded = new Set(query.getAll('exclude'));
  const lines = checks.map((name) => (excluded.delete(name) ? `[+]${name} excluded: ok` : `[+]${name} ok`));
  if (excluded.size > 0) {
    const unknown = [...excluded].sort().map((name) => `"${name}"`);
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(',')}`);
  }
  lines.push(`${endpoint} check passed`, '');
  return textAnswer(200, lines.join('\n'));
}
