/** Several clients at once on each server. What comes in which order is each server's own: the guarantees are checked, not equality. */
import { compiledGuarantees } from '../guarantees/compile.mjs';
import { connect } from './connection.mjs';
import { seededRandom } from './random.mjs';
import { tidy } from './tidy.mjs';

/**
 * Plays sessions until there were so many on each server.
 * Shape: `score` as an area of `search` counts; `broken` are sentences that say on which server.
 *
 * @param {object} options
 * @param {number | string} options.seed
 * @param {number} options.sessions
 * @param {readonly (import('./connection.mjs').Place & { stallResume?: boolean })[]} options.places the reference first; stallResume: watches that are behind are not
 *   ended without a word
 * @param {number} [options.untilMs] of performance.now(): no round begins later
 */
export async function searchConcurrency({ seed, sessions, places, untilMs = Infinity }) {
  const { href } = new URL('run-over-http.js', compiledGuarantees());
  const [{ playSessions }, chance] = await Promise.all([
    import(href),
    import(new URL('../../mockserver/ground/random.js', href).href),
  ]);
  const score = { steps: 0, equal: 0, accepted: 0 };
  const broken = [];
  for (let round = 0; score.steps < sessions && performance.now() < untilMs; round += 1) {
    const run = `c${round}`;
    const namespaces = [`${run}-one`, `${run}-two`];
    const played = await Promise.all(
      places.map((place) =>
        playSessions(place, chance.seededRandom(seededRandom(seed, round).below(2 ** 32)), {
          stallResume: place.stallResume === true,
          namespaces,
          run,
        }),
      ),
    );
    const count = Math.max(...played.map(({ endings }) => endings.length));
    const wrong = Math.max(...played.map((one) => one.broken.length));
    score.steps += count;
    score.equal += Math.max(0, count - wrong);
    played.forEach((one, i) =>
      broken.push(...one.broken.map((text) => `${i === 0 ? 'real' : 'ours'}, round ${round}: ${text}`)),
    );
    await Promise.all(places.map((place) => removed(place, namespaces, `${run}-`)));
  }
  return { score, broken };
}

async function removed(place, namespaces, prefix) {
  const server = connect(place);
  const written = namespaces.map((name) => ({
    method: 'POST',
    path: `/api/v1/namespaces/${name}/configmaps`,
  }));
  await tidy(server, written, prefix);
  server.close();
}
