/**
 * The engine of KEP-6268, in its target design: synced and unsynced watchers are apart, live dispatch never waits, and
 * passes of their own catch up whoever is behind, from one history read for all who can share it.
 */
import { type Clock, type Timer } from '../ground/clock.js';
import { NO_REVISION, type Revision } from '../ground/revision.js';
import { type Status } from '../ground/status.js';
import { type WatchEngine } from './engine.js';
import { type Entry } from './entry.js';
import { DEFAULT_PASS_PERIODS, type PassPeriods, type PassReport, PassSchedule } from './pass-schedule.js';
import { ScopeIndex } from './scope.js';
import {
  type Cohort,
  DEFAULT_PASS_BUDGETS,
  offerAgain,
  type PassBudgets,
  type PassOutcome,
  runPass,
} from './sync-pass.js';
import { type WatchMetrics } from './watch-metrics.js';
import { type Watcher } from './watcher.js';
import { type Window } from './window.js';

export interface StallResumeOptions {
  readonly budgets: PassBudgets;
  readonly periods: PassPeriods;
  /**
   * Where live dispatch happens: within the commit, or in a task of its own behind a queue, an entry a turn, as in
   * kube-apiserver. The second is what the alpha's other choices make a difference to. @default 'commit'
   */
  readonly dispatchIn: 'commit' | 'task';
  /**
   * Who runs passes: a task of their own, or the dispatcher between two entries, which live dispatch then waits for.
   * `dispatcher` needs dispatchIn `task`. @default 'task'
   */
  readonly passesIn: 'task' | 'dispatcher';
  /**
   * Where a watcher becomes synced again: at the last dispatched revision, or at the end of the history, where live
   * dispatch then skips what it meets a second time. @default 'dispatched'
   */
  readonly resyncAt: 'dispatched' | 'history';
}

/** The target design of KEP-6268. */
export const DEFAULT_STALL_RESUME: StallResumeOptions = Object.freeze({
  budgets: DEFAULT_PASS_BUDGETS,
  periods: DEFAULT_PASS_PERIODS,
  dispatchIn: 'commit',
  passesIn: 'task',
  resyncAt: 'dispatched',
});

/** The design of its alpha. */
export const ALPHA_STALL_RESUME: StallResumeOptions = Object.freeze({
  ...DEFAULT_STALL_RESUME,
  dispatchIn: 'task',
  passesIn: 'dispatcher',
  resyncAt: 'history',
});

export interface StallResumeParts {
  readonly window: Window;
  /** Where dispatch begins: the revision of the state that the history continues. */
  readonly dispatched: Revision;
  readonly pace: Clock;
  readonly options: StallResumeOptions;
  readonly metrics: WatchMetrics;
  /** The 410 for a watcher whose position the window has left behind. */
  readonly tooOld: (position: Revision) => Status;
  /** Called when an entry has left the dispatcher's queue. */
  readonly advanced?: () => void;
}

export class StallResume implements WatchEngine {
  readonly #parts: StallResumeParts;
  /** Invariant: a registered watcher is in exactly one of the two. */
  readonly #synced = new ScopeIndex<Watcher>();
  readonly #unsynced = new Set<Watcher>();
  readonly #schedule: PassSchedule;
  /** Appended and not yet dispatched, oldest first; empty where dispatch happens in the commit. */
  readonly #incoming: Entry[] = [];
  #dispatcher: Timer | undefined;
  #dispatched: Revision;
  #cursor: Revision = NO_REVISION;
  /** Numbers the passes. */
  #turn = 0;
  /** A retry round that is to come. */
  #retry: Timer | undefined;

  constructor(parts: StallResumeParts) {
    const { dispatchIn, passesIn } = parts.options;
    if (passesIn === 'dispatcher' && dispatchIn === 'commit')
      throw new RangeError('stallResume.passesIn: dispatcher needs dispatchIn to be task');
    this.#parts = parts;
    this.#dispatched = parts.dispatched;
    this.#schedule = new PassSchedule(parts.pace, parts.options.periods, () => this.pass());
  }

  get dispatched(): Revision {
    return this.#dispatched;
  }

  get unsynced(): number {
    return this.#unsynced.size;
  }

  get queued(): number {
    return this.#incoming.length;
  }

  /** The watchers that are behind. */
  get behind(): Iterable<Watcher> {
    return this.#unsynced;
  }

  appended(entry: Entry): void {
    if (this.#parts.options.dispatchIn === 'commit') {
      this.#dispatch(entry);
      if (this.#unsynced.size > 0) this.#schedule.request();
      return;
    }
    this.#incoming.push(entry);
    this.#wakeDispatcher();
  }

  caughtUp(revision: Revision): void {
    if (this.#incoming.length === 0 && revision > this.#dispatched) this.#dispatched = revision;
  }

  register(watcher: Watcher): void {
    if (watcher.state.kind === 'synced') {
      this.#synced.add(watcher.scope, watcher);
      return;
    }
    this.#unsynced.add(watcher);
    this.#parts.metrics.unsynced(this.#unsynced.size);
    // The first service is not waited for: a watch that has its history in the window begins with it.
    if (watcher.live) this.serve(watcher);
  }

  forget(watcher: Watcher): void {
    this.#synced.delete(watcher.scope, watcher);
    if (this.#unsynced.delete(watcher)) this.#parts.metrics.unsynced(this.#unsynced.size);
  }

  /** Serves one watcher out of turn; the rest of its way is the passes'. */
  serve(watcher: Watcher): void {
    if (!this.#unsynced.has(watcher) || this.#expires(watcher)) return;
    this.#round([watcher], false);
    if (this.#unsynced.size > 0) this.#schedule.request();
  }

  initialDone(watcher: Watcher): void {
    this.serve(watcher);
  }

  roomMade(watcher: Watcher): void {
    if (watcher.state.kind === 'unsynced') this.#schedule.hurry();
  }

  /** One pass over all who are behind. Not within a commit. */
  pass(): PassReport {
    const { pace, options, metrics } = this.#parts;
    const started = pace.elapsed();
    this.#retry?.cancel();
    this.#turn++;
    const expired = this.#expire();
    const outcome = this.#round(this.#unsynced, true);
    const { caughtUp, ...done } = outcome;
    this.#retryLater(outcome.owed, options.budgets.retryRounds, options.budgets.retryPushes);
    const durationMs = pace.elapsed() - started;
    const report = {
      ...done,
      expired,
      durationMs,
      resynced: caughtUp.length,
      workLeft: this.#serviceable(),
    };
    metrics.passed(report);
    return report;
  }

  stop(): void {
    this.#schedule.stop();
    this.#retry?.cancel();
    this.#dispatcher?.cancel();
    this.#dispatcher = undefined;
    this.#incoming.length = 0;
  }

  /** Never waits: who has no room is behind from here on. */
  #dispatch(entry: Entry): void {
    this.#synced.forEachCovering(entry.namespace, entry.name, (watcher) => {
      if (watcher.state.kind !== 'synced') return;
      // A version of the future: what lies at or below it is not this watcher's.
      if (entry.revision <= watcher.position) {
        if (entry.revision > watcher.startedAt) this.#parts.metrics.skipped();
        return;
      }
      // A failed offer leaves the position below the entry, which is in the window: a pass will find it there.
      if (!watcher.offer(entry)) this.#stall(watcher, entry);
    });
    this.#dispatched = entry.revision;
    this.#parts.metrics.dispatched();
  }

  #wakeDispatcher(): void {
    this.#dispatcher ??= this.#parts.pace.soon(() => {
      this.#dispatcher = undefined;
      const entry = this.#incoming.shift();
      if (entry === undefined) return;
      this.#dispatch(entry);
      this.#parts.advanced?.();
      if (this.#unsynced.size > 0) {
        if (this.#parts.options.passesIn === 'dispatcher') this.#schedule.runIfDue();
        this.#schedule.request();
      }
      if (this.#incoming.length > 0) this.#wakeDispatcher();
    });
  }

  /** What found a full channel is offered again after the event loop has had its turn, in which sockets drain. */
  #retryLater(owed: readonly Cohort[], rounds: number, pushes: number): void {
    this.#retry = undefined;
    if (owed.length === 0 || rounds <= 0 || pushes <= 0) return;
    const { pace, options } = this.#parts;
    this.#retry = pace.soon(() => {
      const outcome = offerAgain(owed, {
        pushes,
        resyncPoint: this.#resyncPoint,
        cursor: this.#cursor,
        turn: this.#turn,
        elapsed: () => pace.elapsed(),
        wallMs: options.budgets.wallMs,
        isBehind: (watcher) => this.#unsynced.has(watcher),
      });
      this.#settle(outcome);
      // Members that had no room this time are owed still, as before.
      this.#retryLater(owed, rounds - 1, pushes - outcome.pushed);
    });
  }

  /** Read in the turn of the pass: no commit comes between this and the change to synced. */
  get #resyncPoint(): Revision {
    const { window, options } = this.#parts;
    if (options.resyncAt === 'dispatched') return this.#dispatched;
    const { newest } = window;
    return newest !== undefined && newest > this.#dispatched ? newest : this.#dispatched;
  }

  #round(members: Iterable<Watcher>, rotates: boolean): PassOutcome {
    const { window, options, pace, metrics } = this.#parts;
    const outcome = runPass({
      unsynced: members,
      window,
      resyncPoint: this.#resyncPoint,
      cursor: this.#cursor,
      turn: this.#turn,
      budgets: options.budgets,
      elapsed: () => pace.elapsed(),
      scanned: (entries) => metrics.scanned(entries),
    });
    if (rotates) this.#cursor = outcome.cursor;
    this.#settle(outcome);
    return outcome;
  }

  #settle({ pushed, caughtUp }: PassOutcome): void {
    if (pushed > 0) this.#parts.metrics.deferred(pushed);
    for (const watcher of caughtUp) this.#sync(watcher);
  }

  #stall(watcher: Watcher, entry: Entry): void {
    if (watcher.state.kind !== 'synced') return; // its consumer ended it when it was asked to take
    watcher.fallBehind(entry.revision);
    this.#synced.delete(watcher.scope, watcher);
    this.#unsynced.add(watcher);
    this.#parts.metrics.stalled();
    this.#parts.metrics.unsynced(this.#unsynced.size);
    this.#schedule.hurry();
  }

  #sync(watcher: Watcher): void {
    if (watcher.state.kind !== 'unsynced') return;
    const { passPushes } = watcher.state;
    watcher.sync();
    this.#unsynced.delete(watcher);
    this.#synced.add(watcher.scope, watcher);
    this.#parts.metrics.caughtUp(passPushes);
    this.#parts.metrics.unsynced(this.#unsynced.size);
  }

  /** Everybody who is behind is looked at, with room or without (invariant 7). */
  #expire(): number {
    let expired = 0;
    for (const watcher of this.#unsynced) if (this.#expires(watcher)) expired++;
    return expired;
  }

  /** Ends a watcher whose next change may be gone. To be asked before the window is read for it. */
  #expires(watcher: Watcher): boolean {
    const { window, tooOld, metrics } = this.#parts;
    if (watcher.position >= window.floor) return false;
    metrics.terminated(watcher.expiryReason);
    watcher.fail(tooOld(watcher.position));
    return true;
  }

  #serviceable(): boolean {
    for (const watcher of this.#unsynced) if (watcher.live && watcher.room > 0) return true;
    return false;
  }
}
