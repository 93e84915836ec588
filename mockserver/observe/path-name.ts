/** The names of the paths that clients take. */
import { type ClientPath, type Step, stepBefore } from './client-path.js';

export type PathName =
  | 'watch-list'
  | 'watch-list refused, list and watch'
  | 'paginated list'
  | 'resumes from a bookmark'
  | 'lists again after 410'
  | 'relist storm'
  | 'hot loop'
  | 'stale reads';

/** Lists from the beginning within a minute that count as a storm. */
const STORM_LISTS = 5;
const STORM_MS = 60_000;

/** Requests of one kind within a second that count as a loop without a pause. */
const LOOP_REQUESTS = 10;
const LOOP_MS = 1000;

/** What a client did with one resource, by name; in the order of the type. */
export function pathNames(path: ClientPath): PathName[] {
  const { steps } = path;
  const named: readonly (readonly [PathName, boolean])[] = [
    ['watch-list', steps.some((step) => step.request.watchList && step.marked)],
    ['watch-list refused, list and watch', steps.some((step, i) => isFallback(step, steps.slice(0, i)))],
    ['paginated list', steps.some(({ request }) => request.continued)],
    ['resumes from a bookmark', steps.some((step, i) => resumesFromBookmark(step, steps.slice(0, i)))],
    ['lists again after 410', steps.some((step, i) => isList(step) && isExpired(stepBefore(steps, i)))],
    ['relist storm', most(steps.filter(isList), STORM_MS) > STORM_LISTS],
    ['hot loop', hotLoops(path)],
    ['stale reads', readsBackwards(steps)],
  ];
  return named.flatMap(([name, is]) => (is ? [name] : []));
}

const isList = ({ request }: Step): boolean => request.verb === 'list' && !request.continued;

const isExpired = (step: Step | undefined): boolean =>
  step !== undefined && (step.code === 410 || step.errorCode === 410);

const isFallback = (step: Step, before: readonly Step[]): boolean =>
  isList(step) && before.some(({ request, code }) => request.watchList && code >= 400);

function resumesFromBookmark({ request }: Step, before: readonly Step[]): boolean {
  const { verb, resourceVersion = '' } = request;
  return (
    verb === 'watch' &&
    resourceVersion !== '' &&
    before.some(
      ({ lastBookmark, lastVersion }) => lastBookmark === resourceVersion && lastVersion !== resourceVersion,
    )
  );
}

/** Whether a list showed an older state than one that the client had been shown before. */
function readsBackwards(steps: readonly Step[]): boolean {
  let highest = 0;
  for (const { request, listVersion } of steps) {
    if (listVersion === undefined || request.continued) continue;
    const version = Number(listVersion);
    if (version < highest) return true;
    highest = version;
  }
  return false;
}

/** The most steps that began within so many milliseconds. */
function most(steps: readonly Step[], withinMs: number): number {
  let found = 0;
  for (let from = 0, to = 0; to < steps.length; to++) {
    while ((steps[to]?.request.at ?? 0) - (steps[from]?.request.at ?? 0) >= withinMs) from++;
    found = Math.max(found, to - from + 1);
  }
  return found;
}

/** The most lists and watches that began within any second. */
export const densestSecond = ({ steps }: ClientPath): number =>
  most(
    steps.filter((step) => isList(step) || step.request.verb === 'watch'),
    LOOP_MS,
  );

/** Whether the client asked again and again without a pause. */
export const hotLoops = (path: ClientPath, perSecond = LOOP_REQUESTS): boolean =>
  densestSecond(path) > perSecond;
