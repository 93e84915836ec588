/** Expectations on a journal, for `expect.extend` of jest, vitest and their like. */
import { clientPaths } from './client-path.js';
import { type JournalEntry } from './journal-entry.js';
import { densestSecond, type PathName, pathNames } from './path-name.js';
import { type Journal } from './journal.js';
import { JournalView } from './journal-view.js';

export interface MatcherOutcome {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Lists beyond the first one of each client and resource. */
export const relists = (view: JournalView): number =>
  clientPaths(view.entries).reduce((sum, { steps }) => {
    const lists = steps.filter(({ request }) => request.verb === 'list' && !request.continued).length;
    return sum + Math.max(0, lists - 1);
  }, 0);

/** Whether a watch-list was asked for and served. */
export const usedWatchList = (view: JournalView): boolean =>
  clientPaths(view.entries).some(({ steps }) =>
    steps.some(({ request, code }) => request.watchList && request.verb === 'watch' && code === 200),
  );

/** Whether a watch-list was asked for, and a list after it. */
export const fellBackToList = (view: JournalView): boolean =>
  clientPaths(view.entries).some(({ steps }) => {
    const asked = steps.findIndex(({ request }) => request.watchList);
    return asked >= 0 && steps.slice(asked + 1).some(({ request }) => request.verb === 'list');
  });

/** Errors: TypeError for anything but a journal or a part of one. */
function viewOf(received: unknown): JournalView {
  if (received instanceof JournalView) return received;
  const parts =
    typeof received === 'object' && received !== null && 'entries' in received ? received : undefined;
  // A whole journal, or what another copy of this module made (there is one for CommonJS).
  if (Array.isArray(parts?.entries)) return new JournalView(parts.entries as JournalEntry[]);
  throw new TypeError('expected a journal, or a part of one such as journal.client("my-operator*")');
}

const outcome = (pass: boolean, what: string, view: JournalView): MatcherOutcome => ({
  pass,
  message: () => `expected the clients ${pass ? 'not ' : ''}to have ${what}\n\n${view.explain()}`,
});

export const journalMatchers = Object.freeze({
  /** Exactly so many lists beyond the first one of each client and resource. */
  toHaveRelisted(received: unknown, times: number): MatcherOutcome {
    const view = viewOf(received);
    const found = relists(view);
    return outcome(found === times, `listed again ${times} times, not ${found}`, view);
  },
  /** A watch-list was asked for and served. */
  toHaveUsedWatchList(received: unknown): MatcherOutcome {
    const view = viewOf(received);
    return outcome(usedWatchList(view), 'used a watch-list', view);
  },
  /** A watch-list was asked for, and a list after it. */
  toHaveFallenBackToList(received: unknown): MatcherOutcome {
    const view = viewOf(received);
    return outcome(fellBackToList(view), 'fallen back to a list', view);
  },
  /** No client began more than `perSecond` lists and watches of a resource within a second. */
  notToHotLoop(received: unknown, { perSecond = 10 }: { readonly perSecond?: number } = {}): MatcherOutcome {
    const view = viewOf(received);
    const most = Math.max(0, ...clientPaths(view.entries).map(densestSecond));
    return outcome(
      most <= perSecond,
      `begun at most ${perSecond} lists and watches a second, not ${most}`,
      view,
    );
  },
  /** A client took the path of that name: `lists again after 410`, `relist storm`, … */
  toHaveTakenPath(received: unknown, name: PathName): MatcherOutcome {
    const view = viewOf(received);
    const taken = clientPaths(view.entries).some((path) => pathNames(path).includes(name));
    return outcome(taken, `taken the path "${name}"`, view);
  },
  /** No watch was sent a version twice. */
  toHaveNoDuplicates(received: unknown): MatcherOutcome {
    const view = viewOf(received);
    const found = view.duplicates.map(({ resourceVersion }) => resourceVersion);
    return outcome(found.length === 0, `been sent each version once, not twice ${found.join(', ')}`, view);
  },
  /** Each watch was sent every version that was committed while it was open. */
  toHaveMissedNothing(received: unknown): MatcherOutcome {
    const view = viewOf(received);
    const found = view.missed.map(({ resourceVersion }) => resourceVersion);
    return outcome(found.length === 0, `missed nothing, not ${found.join(', ')}`, view);
  },
});

/** The matchers as `expect(journal)` has them: without what is received. */
export type JournalExpectations<Answer> = {
  readonly [K in keyof typeof journalMatchers]: (
    ...given: Tail<Parameters<(typeof journalMatchers)[K]>>
  ) => Answer;
};

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never;

/**
 * The same expectations for test runners without `expect.extend`, such as node:test.
 *
 * Shape: functions that return when it is so. Errors: an Error with the clients' paths when it is not.
 */
export function expectJournal(received: Journal | JournalView): JournalExpectations<void> {
  const checks = Object.entries(journalMatchers).map(([name, matcher]) => [
    name,
    (...given: readonly unknown[]) => {
      // as: the types of what is given are those of the matcher, see JournalExpectations
      const { pass, message } = (matcher as (...all: readonly unknown[]) => MatcherOutcome)(
        received,
        ...given,
      );
      if (!pass) throw new Error(message());
    },
  ]);
  return Object.fromEntries(checks) as JournalExpectations<void>; // as: made of the same names
}
