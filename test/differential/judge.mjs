/** Judges a playing: which steps are equal, which differ and how. */
import { compareAnswers, newBindings } from './compare.mjs';

/**
 * What the second server did otherwise than the first.
 *
 * Shape: `compared` counts steps by area; `findings` in the order of the steps, one for each differing step, with its first difference that is no
 * consequence of an earlier one. After a write that only one of them took the lives have parted: `parted` is its step, and nothing after it is compared.
 *
 * @param {{ step: import('./play.mjs').Step, answers: any[] }[]} played
 * @param {string} prefix
 * @param {number} [laterMs] as newBindings
 */
export function judge(played, prefix, laterMs = 0) {
  const bindings = newBindings(laterMs);
  const compared = [];
  const findings = [];
  for (const { step, answers } of played) {
    const [real, ours] = answers;
    const differences = compareAnswers(step, real, ours, bindings).filter(
      ({ inherited }) => inherited === undefined,
    );
    compared.push(step);
    if (differences.length > 0)
      findings.push({
        step,
        answers,
        differences,
        signatures: differences.map((one) => signature(step, one, prefix)),
      });
    const taken = (answer) => answer.code >= 200 && answer.code < 300;
    if (step.op === 'request' && step.method !== 'GET' && taken(real) !== taken(ours))
      return { compared, findings, parted: step };
  }
  return { compared, findings, parted: undefined };
}

/** What two differences of the same cause have in common: verb, place and texts, without names and numbers of one playing. */
export function signature(step, difference, prefix) {
  const plain = (value) =>
    (JSON.stringify(value) ?? 'absent')
      .replaceAll(prefix, '{p}')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{uid}')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '{time}')
      .replace(/\b\d{2,}\b/g, '{n}');
  const [real, ours] = nearDifference(plain(difference.real), plain(difference.ours));
  const verb =
    step.op === 'request'
      ? `${step.method} ${(step.headers?.['content-type'] ?? '').replace(/^application\//, '')}`
      : 'WATCH';
  return `${verb.trim()} ${resourceOf(step)}${difference.path.replace(/f:[^.]+/g, 'f:x')}: ${real} <> ${ours}`;
}

const LONG = 240;
/** How much that is equal stands before the first difference of long texts. */
const BEFORE = 100;

function nearDifference(real, ours) {
  let at = 0;
  while (at < real.length && real[at] === ours[at]) at += 1;
  const start = at < LONG - BEFORE ? 0 : at - BEFORE;
  return [real, ours].map((text) => `${start > 0 ? '…' : ''}${text.slice(start, start + LONG)}`);
}

const resourceOf = ({ path }) => {
  const found = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/(?:namespaces\/[^/]+\/)?([a-z]+)/.exec(path ?? '');
  return found === null ? '' : `${found[1]} `;
};
