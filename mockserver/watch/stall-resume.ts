/**
 * The engine of KEP-6268, in its target design: synced and unsynced watchers are apart, live dispatch never waits, and
 * passes of their own catch up whoever is behind, from one history read for all who can share it.
 */
import { type Clock } from '../ground/clock.js';
import { NO_REVISION, type Revision } from '../ground/revision.js';
import { type Status } from '../ground/status.js';
import { type WatchEngine } from './engine.js';
import { type Entry } from './entry.js';
import { type PassPeriods, type PassReport, PassSchedule } from './pass-schedule.js';
import { ScopeIndex } from './scope.js';
import { type PassBudgets, runPass } from './sync-pass.js';
import { type WatchMetrics } from './watch-metrics.js';
import { type Watcher } from './watcher.js';
import { type Window } from './window.js';

export interface StallResumeOptions {
  readonly budgets: PassBudgets;
  readonly periods: PassPeriods;
}

export interface StallResumeParts {
  readonly window: Window;
  /** Where dispatch begins: the revision of the state that the history continues. */
  readonly dispatched: Revision;
  readonly pace: Clock;
  readonly options: StallResumeOptions;
  readonly metrics: WatchMetrics;
  /** The 410 for a watcher whose position the window has left behind. */
  readonly tooOld: (position: Revision) => Status;
}

export class StallResume implements WatchEngine {
  readonly #parts: StallResumeParts;
  /** Invariant: a registered watcher is in exactly one of the two. */
  readonly #synced = new ScopeIndex<Watcher>();
  readonly #unsynced = new Set<Watcher>();
  readonly #schedule: PassSchedule;
  #dispatched: Revision;
  #cursor: Revision = NO_REVISION;
  /** Retry rounds that are left to what the last pass owed. */
  #retries = 0;

  constructor(parts: StallResumeParts) {
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

  readonly queued = 0;

  /** The watchers that are behind. */
  get behind(): Iterable<Watcher> {
    return this.#unsynced;
  }

  appended(entry: Entry): void {
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
    if (this.#unsynced.size > 0) this.#schedule.request();
  }

  caughtUp(revision: Revision): void {
    if (revision > this.#dispatched) this.#dispatched = revision;
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
    if (!this.#unsynced.has(watcher)) return;
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
    const { pace, options } = this.#parts;
    const started = pace.elapsed();
    const expired = this.#expire();
    const outcome = this.#round(this.#unsynced, true);
    const durationMs = pace.elapsed() - started;
    if (outcome.owed.length > 0 && this.#retries < options.budgets.retryRounds) {
      // What found a full channel is offered again after the event loop has had its turn, in which sockets drain.
      this.#retries++;
      pace.soon(() => this.#retry(outcome.owed));
    } else this.#retries = 0;
    return { ...outcome, expired, durationMs, workLeft: this.#serviceable() };
  }

  stop(): void {
    this.#schedule.stop();
  }

  #retry(owed: readonly Watcher[]): void {
    const still = owed.filter((watcher) => this.#unsynced.has(watcher) && watcher.room > 0);
    if (still.length > 0) this.#round(still, false);
    this.#schedule.request();
  }

  #round(members: Iterable<Watcher>, rotates: boolean): ReturnType<typeof runPass> {
    const { window, options, metrics } = this.#parts;
    const outcome = runPass({
      unsynced: members,
      window,
      // Read now, in the turn of the pass: no commit comes between this and the flag below.
      resyncPoint: this.#dispatched,
      cursor: this.#cursor,
      budgets: options.budgets,
    });
    if (rotates) this.#cursor = outcome.cursor;
    if (outcome.pushed > 0) metrics.deferred(outcome.pushed);
    for (const watcher of outcome.caughtUp) this.#sync(watcher);
    return outcome;
  }

  #stall(watcher: Watcher, entry: Entry): void {
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
    const { window, tooOld, metrics } = this.#parts;
    let expired = 0;
    for (const watcher of [...this.#unsynced]) {
      if (watcher.position >= window.floor) continue;
      expired++;
      metrics.terminated(watcher.expiryReason);
      watcher.fail(tooOld(watcher.position));
    }
    return expired;
  }

  #serviceable(): boolean {
    for (const watcher of this.#unsynced) if (watcher.live && watcher.room > 0) return true;
    return false;
  }
}
