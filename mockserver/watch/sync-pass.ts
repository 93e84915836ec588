/**
 * One bounded round of catching up: unsynced watchers are served from the window, those that can share one read of it
 * together.
 *
 * Source: KEP-6268, "sync pass"; etcd mvcc/watchable_store.go has the same shape.
 */
import { type Revision } from '../ground/revision.js';
import { type Entry } from './entry.js';
import { ScopeIndex } from './scope.js';
import { type Watcher } from './watcher.js';
import { type Window } from './window.js';

/**
 * What decides who is served first:
 * `room`: the emptiest channel; `waiting`: who fell behind or drained since it was last served; `rotation`: who stands
 * at or above the cursor; `turn`: who was served longest ago; `position`: who is furthest behind.
 */
export type CandidateKey = 'room' | 'waiting' | 'rotation' | 'turn' | 'position';

/** How much one pass may do, over all its cohorts. */
export interface PassBudgets {
  /** @default 512 */
  readonly members: number;
  /** Units: an entry read is one, opening an interval is `intervalOpen`. @default 2000 */
  readonly scan: number;
  /** @default 64 */
  readonly intervalOpen: number;
  /** Events put into channels. @default 2000 */
  readonly pushes: number;
  /** The same for all retry rounds of a pass together. @default 2000 */
  readonly retryPushes: number;
  /** Rounds in which what was owed is offered again. @default 2 */
  readonly retryRounds: number;
  /** Reading ends after this long, since all of a process shares one thread. @default 2 */
  readonly wallMs: number;
  /**
   * Earlier keys first; those equal in all stay as they came. The KEP has the first three and leaves ties open: `turn`
   * makes of them that whoever has room is served again after all others at the latest.
   * @default room, waiting, rotation, turn, position
   */
  readonly order: readonly CandidateKey[];
}

export const DEFAULT_PASS_BUDGETS: PassBudgets = Object.freeze({
  members: 512,
  scan: 2000,
  intervalOpen: 64,
  pushes: 2000,
  retryPushes: 2000,
  retryRounds: 2,
  wallMs: 2,
  order: Object.freeze(['room', 'waiting', 'rotation', 'turn', 'position'] as const),
});

/** Watchers that share one read of the window. */
export interface Cohort {
  /** In revision order. */
  readonly entries: readonly Entry[];
  /** Whoever has been offered all entries stands here: everything up to it has been read. */
  readonly readTo: Revision;
  readonly members: readonly Watcher[];
}

export interface PassInput {
  readonly unsynced: Iterable<Watcher>;
  readonly window: Window;
  /** A member that has been offered everything up to it becomes synced. */
  readonly resyncPoint: Revision;
  /** Where the rotation goes on. */
  readonly cursor: Revision;
  /** Numbers the pass, from 1. */
  readonly turn: number;
  readonly budgets: PassBudgets;
  /** Milliseconds, with fractions. */
  readonly elapsed: () => number;
  /** Told of each read of the window. */
  readonly scanned: (entries: number) => void;
}

export interface PassOutcome {
  readonly served: number;
  readonly scanned: number;
  readonly pushed: number;
  readonly cohorts: number;
  /** Members that have been offered everything: the caller makes them synced within this turn. */
  readonly caughtUp: readonly Watcher[];
  /** Members that were stopped by a full channel, their bound or the budget, with what was read for them. */
  readonly owed: readonly Cohort[];
  readonly pushBudgetSpent: boolean;
  readonly cursor: Revision;
}

/** Who is served, in order. With the keys of the default nobody starves: each watcher with room comes to the front. */
export function candidates(
  unsynced: Iterable<Watcher>,
  cursor: Revision,
  { members, order }: Pick<PassBudgets, 'members' | 'order'>,
): readonly Watcher[] {
  const ready: { readonly watcher: Watcher; readonly keys: readonly number[] }[] = [];
  for (const watcher of unsynced) {
    if (!watcher.live || watcher.room <= 0) continue;
    ready.push({ watcher, keys: order.map((key) => keyOf(watcher, key, cursor)) });
  }
  ready.sort((a, b) => {
    for (let i = 0; i < a.keys.length; i++) {
      const difference = (a.keys[i] ?? 0) - (b.keys[i] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return ready.slice(0, members).map(({ watcher }) => watcher);
}

/** Smaller comes first. */
function keyOf(watcher: Watcher, key: CandidateKey, cursor: Revision): number {
  switch (key) {
    case 'room':
      return -watcher.room;
    case 'waiting':
      return watcher.state.kind === 'unsynced' && (watcher.state.fresh || watcher.state.drained) ? 0 : 1;
    case 'rotation':
      return watcher.position >= cursor ? 0 : 1;
    case 'turn':
      return watcher.state.kind === 'unsynced' ? watcher.state.turn : 0;
    case 'position':
      return watcher.position;
  }
}

/** Runs one pass. Synchronous: nothing is committed meanwhile, so the window and the resync point stand still. */
export function runPass(input: PassInput): PassOutcome {
  const { window, budgets, resyncPoint, elapsed } = input;
  const waiting = new Set(candidates(input.unsynced, input.cursor, budgets));
  const offers = new Offers(budgets.pushes, input, elapsed() + budgets.wallMs);
  let scan = budgets.scan;
  let scanned = 0;
  let cohorts = 0;
  let { cursor } = input;

  while (!offers.over && scan > budgets.intervalOpen) {
    const [lead] = waiting;
    if (lead === undefined) break;
    scan -= budgets.intervalOpen;
    const from = lead.position;
    const { entries, more } = window.slice(from, scan, resyncPoint);
    scan -= entries.length;
    scanned += entries.length;
    input.scanned(entries.length);
    const readTo = more ? (entries.at(-1)?.revision ?? from) : resyncPoint;
    // Never below the lead: what lies below was not read. Who stands at the very end has nothing to be offered but
    // is still to be synced.
    const members = [...waiting].filter(({ position }) => position >= from && (position < readTo || !more));
    cohorts++;
    for (const member of members) waiting.delete(member);
    cursor = offers.offer({ entries, readTo, members });
  }
  return { ...offers.outcome, scanned, cohorts, cursor };
}

/**
 * Offers once more what cohorts are owed, to those members whose channel has room again. Nothing is read for it.
 *
 * Shape: as runPass; `owed` is what remains. The resync point is the one of now, which may have moved since the pass.
 */
export function offerAgain(
  owed: readonly Cohort[],
  input: Pick<PassInput, 'resyncPoint' | 'cursor' | 'turn' | 'elapsed'> & {
    readonly pushes: number;
    readonly wallMs: number;
    /** Whether a member is still behind: it may have ended, or have been caught up meanwhile. */
    readonly isBehind: (watcher: Watcher) => boolean;
  },
): PassOutcome {
  const offers = new Offers(input.pushes, input, input.elapsed() + input.wallMs);
  for (const cohort of owed) {
    const members = cohort.members.filter((member) => input.isBehind(member) && member.room > 0);
    if (members.length > 0) offers.offer({ ...cohort, members });
  }
  return { ...offers.outcome, scanned: 0, cohorts: 0, cursor: input.cursor };
}

/** Entries between two looks at the time. */
const TIME_STRIDE = 64;

/** The offering half of a pass, with what is left of its budget. */
class Offers {
  #left: number;
  #spent = false;
  #late = false;
  #pushed = 0;
  #served = 0;
  readonly #input: Pick<PassInput, 'resyncPoint' | 'turn' | 'elapsed'>;
  readonly #deadline: number;
  readonly #caughtUp: Watcher[] = [];
  readonly #owed: Cohort[] = [];

  constructor(pushes: number, input: Pick<PassInput, 'resyncPoint' | 'turn' | 'elapsed'>, deadline: number) {
    this.#left = pushes;
    this.#input = input;
    this.#deadline = deadline;
  }

  /** Whether nothing more is to be read: the budget or the time is spent. */
  get over(): boolean {
    return this.#spent || this.#late || this.#input.elapsed() >= this.#deadline;
  }

  get outcome(): Pick<PassOutcome, 'served' | 'pushed' | 'caughtUp' | 'owed' | 'pushBudgetSpent'> {
    return {
      served: this.#served,
      pushed: this.#pushed,
      caughtUp: this.#caughtUp,
      owed: this.#owed,
      pushBudgetSpent: this.#spent,
    };
  }

  /** Answers up to where the entries have been offered. */
  offer({ entries, readTo, members }: Cohort): Revision {
    const index = new ScopeIndex<Watcher>();
    for (const member of members) index.add(member.scope, member);
    const pushes = new Map<Watcher, number>();
    const stopped = new Set<Watcher>();
    /** Stopped because the budget was spent. */
    const left = new Set<Watcher>();
    const stop = (member: Watcher, entry: Entry): void => {
      stopped.add(member);
      member.advance((entry.revision - 1) as Revision); // all below the entry that was not placed
    };

    let offeredTo = readTo;
    for (const [at, entry] of entries.entries()) {
      if (stopped.size === members.length) break;
      if (at % TIME_STRIDE === TIME_STRIDE - 1 && this.#input.elapsed() >= this.#deadline) {
        this.#late = true;
        offeredTo = (entry.revision - 1) as Revision; // everything below this entry has been offered
        break;
      }
      index.forEachCovering(entry.namespace, entry.name, (member) => {
        if (entry.revision <= member.position || stopped.has(member) || !isUnsynced(member)) return;
        const event = entry.eventFor(member.matches);
        if (event === undefined) return;
        const given = pushes.get(member) ?? 0;
        if (this.#left <= 0) {
          this.#spent = true;
          left.add(member);
          stop(member, entry);
        } else if (given >= member.capacity || !member.place(event, entry.revision)) {
          // A member that takes while it is offered could take for ever: one channel's worth a cohort.
          stop(member, entry);
        } else {
          this.#left--;
          this.#pushed++;
          pushes.set(member, given + 1);
        }
      });
    }
    const owing: Watcher[] = [];
    for (const member of members) {
      // A consumer that takes within an offer may end its watch.
      if (!isUnsynced(member)) continue;
      if (left.has(member) && !pushes.has(member)) {
        // The budget ended before its first event: it has not been served, and keeps its place in the order.
        owing.push(member);
        continue;
      }
      this.#served++;
      member.served(pushes.get(member) ?? 0, this.#input.turn);
      if (stopped.has(member)) {
        owing.push(member);
        continue;
      }
      member.advance(offeredTo);
      if (offeredTo >= this.#input.resyncPoint) this.#caughtUp.push(member);
    }
    if (owing.length > 0) this.#owed.push({ entries, readTo, members: owing });
    return offeredTo;
  }
}

const isUnsynced = (watcher: Watcher): boolean => watcher.state.kind === 'unsynced';
