/** Plays episode after episode on two servers and keeps what differs, each kind of difference once and as short as it can be. */
import { connect } from './connection.mjs';
import { episode } from './generator.mjs';
import { judge } from './judge.mjs';
import { play } from './play.mjs';
import { shrink } from './shrink.mjs';
import { tidy } from './tidy.mjs';

const EPISODE_STEPS = 60;
/** How many kinds of difference are played once more before they count: what time brings does not come again. */
const CONFIRMATIONS = 60;

/**
 * @typedef {object} Options
 * @property {number | string} seed
 * @property {number} steps
 * @property {readonly string[]} areas
 * @property {readonly import('./connection.mjs').Place[]} places the reference first
 * @property {(signature: string) => boolean} accepted
 * @property {number} shrinkings how many kinds of difference are shrunk
 * @property {number} [shrinkMs] for each of them
 * @property {(index: number) => import('./play.mjs').Step[]} [make] other episodes than those of the generator
 * @property {number} [first] the episode to begin with
 * @property {number} [lanes] how many episodes are played at once; their steps must not feel each other
 * @property {number} [patienceMs] as play
 * @property {number} [untilMs] of performance.now(): no episode begins later
 * @property {(text: string) => void} [say]
 */

/**
 * Shape: `areas` counts `{ steps, equal, accepted }` for each; `found` one entry for each new kind of difference, with the steps that show it;
 * `writes` how many were tried and taken; `once` differences that did not come again.
 *
 * @param {Options} options
 */
export async function search(options) {
  const {
    seed,
    steps: wanted,
    areas,
    places,
    accepted,
    shrinkings,
    shrinkMs = 30_000,
    make = (index) => episode({ seed, index, steps: EPISODE_STEPS, areas }),
    first = 0,
    lanes = 1,
    patienceMs,
    untilMs = Infinity,
    say = () => {},
  } = options;
  const servers = places.map(connect);
  const scores = new Map(areas.map((area) => [area, { steps: 0, equal: 0, accepted: 0 }]));
  const found = new Map();
  const writes = { tried: 0, taken: 0 };
  let [once, parted, done, serial, confirmed, shrunk] = [0, 0, 0, 0, 0, 0];

  const playOnce = async (steps) => {
    serial += 1;
    const prefix = `x${serial.toString(36)}q-`;
    try {
      const played = await play(servers, steps, prefix, patienceMs);
      return { ...judge(played, prefix), played, prefix };
    } finally {
      await Promise.all(servers.map((server) => tidy(server, steps, prefix)));
    }
  };
  const showing = (signature) => async (steps) =>
    (await playOnce(steps)).findings.some(({ signatures }) => signatures.includes(signature));

  /** One of two more playings shows it; at once where lives do not feel each other. */
  const comesAgain = async (steps, shows) =>
    lanes > 1
      ? (await Promise.all([shows(steps), shows(steps)])).includes(true)
      : (await shows(steps)) || shows(steps);

  const judged = async (steps, result, index) => {
    if (result.parted !== undefined) parted += 1;
    const differing = new Map();
    for (const finding of result.findings) {
      const news = finding.signatures.filter((one) => !accepted(one));
      const doubtful = new Set();
      for (const signature of news) {
        if (found.has(signature)) {
          found.get(signature).times += 1;
          continue;
        }
        const entry = { signature, times: 1, area: finding.step.area, seed, index, step: finding.step.id };
        const shows = showing(signature);
        const upTo = steps.slice(0, steps.indexOf(finding.step) + 1);
        if (confirmed < CONFIRMATIONS) {
          confirmed += 1;
          if (!(await comesAgain(upTo, shows))) {
            once += 1;
            say(`did not come again: ${signature}`);
            doubtful.add(signature);
            continue;
          }
        }
        if (shrunk < shrinkings) {
          shrunk += 1;
          const least = await shrink(upTo, shows, { deadline: performance.now() + shrinkMs });
          const again = await playOnce(least);
          Object.assign(entry, { steps: least, played: again.played, prefix: again.prefix });
        }
        found.set(signature, entry);
        say(
          `${entry.area}: ${signature}${entry.steps === undefined ? '' : ` (${entry.steps.length} steps)`}`,
        );
      }
      if (news.length === 0) differing.set(finding.step, 'accepted');
      else if (news.some((one) => !doubtful.has(one))) differing.set(finding.step, 'differs');
    }
    for (const step of result.compared) {
      const score = scores.get(step.area);
      if (score === undefined) continue;
      score.steps += 1;
      if (!differing.has(step)) score.equal += 1;
      else if (differing.get(step) === 'accepted') score.accepted += 1;
    }
    for (const { step, answers } of result.played) {
      if (
        step.op !== 'request' ||
        step.method === 'GET' ||
        step.area === 'negotiation' ||
        step.area === 'discovery'
      )
        continue;
      writes.tried += 1;
      if (answers[0].code >= 200 && answers[0].code < 300) writes.taken += 1;
    }
    done += steps.length;
  };

  try {
    for (let index = first; done < wanted && performance.now() < untilMs; index += lanes) {
      const episodes = Array.from({ length: lanes }, (_, lane) => make(index + lane));
      const results = await Promise.all(episodes.map(playOnce));
      for (const [lane, result] of results.entries()) await judged(episodes[lane], result, index + lane);
    }
  } finally {
    for (const server of servers) server.close();
  }
  return { areas: scores, found: [...found.values()], writes, once, parted, steps: done };
}
