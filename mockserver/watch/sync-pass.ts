/**
 * One bounded round of catching up: unsynced watchers are served from the window, those that can share one read of it
 * together.
 *
 * Source: KEP-6268, "sync pass"; etcd mvcc/watchable_store.go has the same shape.
 */
import { type Revision } from '../ground/revision.js';
import { ScopeIndex } from './scope.js';
import { type Watcher } from './watcher.js';
import { type Window } from './window.js';

/** How much one pass may do, over all its cohorts. */
export interface PassBudgets {
  /** @default 512 */
  readonly members: number;
  /** Units: an entry read is one, opening an interval is `intervalOpen`. @default 2000 */
  readonly scan: number;
  /** @default 64 */
  readonly intervalOpen: number;
  /** @default 2000 */
  readonly pushes: number;
  /** Rounds in which what was owed is offered again. @default 2 */
  readonly retryRounds: number;
}

export const DEFAULT_PASS_BUDGETS: PassBudgets = Object.freeze({
  members: 512,
  scan: 2000,
  intervalOpen: 64,
  pushes: 2000,
  retryRounds: 2,
});

export interface PassInput {
  readonly unsynced: Iterable<Watcher>;
  readonly window: Window;
  /** A member that has been offered everything up to it becomes synced: the last dispatched revision. */
  readonly resyncPoint: Revision;
  /** Where the rotation goes on. */
  readonly cursor: Revision;
  readonly budgets: PassBudgets;
}

export interface PassOutcome {
  readonly served: number;
  readonly scanned: number;
  readonly pushed: number;
  readonly cohorts: number;
  /** Members that have been offered everything: the caller makes them synced within this turn. */
  readonly caughtUp: readonly Watcher[];
  /** Members whose channel was full before everything was offered. */
  readonly owed: readonly Watcher[];
  readonly pushBudgetSpent: boolean;
  readonly cursor: Revision;
}

/**
 * Who is served, in order: emptiest channel first, then who fell behind or drained since it was last served, then the
 * rotation from the cursor upwards. Three keys, so that nobody starves: each watcher with room comes to the front.
 */
export function candidates(
  unsynced: Iterable<Watcher>,
  cursor: Revision,
  members: number,
): readonly Watcher[] {
  const ready: Watcher[] = [];
  for (const watcher of unsynced) if (watcher.live && watcher.room > 0) ready.push(watcher);
  const waits = (watcher: Watcher): number =>
    watcher.state.kind === 'unsynced' && (watcher.state.fresh || watcher.state.drained) ? 0 : 1;
  const turn = (watcher: Watcher): number => (watcher.position >= cursor ? 0 : 1);
  ready.sort(
    (a, b) => b.room - a.room || waits(a) - waits(b) || turn(a) - turn(b) || a.position - b.position,
  );
  return ready.slice(0, members);
}

/** Runs one pass. Synchronous: nothing is committed meanwhile, so the window and the resync point stand still. */
export function runPass(input: PassInput): PassOutcome {
  const { window, budgets, resyncPoint } = input;
  const waiting = new Set(candidates(input.unsynced, input.cursor, budgets.members));
  const run = { scan: budgets.scan, pushes: budgets.pushes, served: 0, scanned: 0, pushed: 0, cohorts: 0 };
  const caughtUp: Watcher[] = [];
  const owed: Watcher[] = [];
  let { cursor } = input;
  let spent = false;

  while (!spent) {
    const [lead] = waiting;
    if (lead === undefined || run.scan < budgets.intervalOpen) break;
    run.scan -= budgets.intervalOpen;
    const from = lead.position;
    const { entries, more } = window.slice(from, run.scan);
    run.scan -= entries.length;
    run.scanned += entries.length;
    let lastScanned = more ? (entries.at(-1)?.revision ?? from) : resyncPoint;

    // Never below the lead: what lies below was not read. A member at the very end has nothing to be offered but may
    // still be synced.
    const cohort = [...waiting].filter(
      ({ position }) => position >= from && (position < lastScanned || (!more && position === lastScanned)),
    );
    run.cohorts++;
    run.served += cohort.length;
    const index = new ScopeIndex<Watcher>();
    const pushes = new Map<Watcher, number>();
    for (const member of cohort) {
      waiting.delete(member);
      index.add(member.scope, member);
      pushes.set(member, 0);
    }
    waiting.delete(lead);

    const stopped = new Set<Watcher>();
    for (const entry of entries) {
      if (run.pushes <= 0) {
        spent = true;
        lastScanned = (entry.revision - 1) as Revision; // everything below this entry has been offered
        break;
      }
      index.forEachCovering(entry.namespace, entry.name, (member) => {
        if (entry.revision <= member.position || stopped.has(member)) return;
        const queued = entry.eventFor(member.matches) !== undefined;
        if (member.offer(entry)) {
          if (!queued) return;
          run.pushes--;
          run.pushed++;
          pushes.set(member, (pushes.get(member) ?? 0) + 1);
        } else {
          stopped.add(member);
          member.advance((entry.revision - 1) as Revision); // all below the entry that found no room
        }
      });
    }
    for (const member of cohort) {
      if (!isUnsynced(member)) continue;
      member.served(pushes.get(member) ?? 0);
      if (stopped.has(member)) {
        owed.push(member);
        continue;
      }
      member.advance(lastScanned);
      if (lastScanned >= resyncPoint) caughtUp.push(member);
    }
    cursor = lastScanned;
  }
  const { served, scanned, pushed, cohorts } = run;
  return { served, scanned, pushed, cohorts, caughtUp, owed, pushBudgetSpent: spent, cursor };
}

/** A consumer that takes within an offer may end its watch. */
const isUnsynced = (watcher: Watcher): boolean => watcher.state.kind === 'unsynced';
