/**
 * The engine of today: one dispatcher for a resource that waits, within a shared allowance, for channels that are full,
 * while nobody receives the next event, and then closes those who are full still, without a word.
 *
 * Source: apiserver storage/cacher/cacher.go, dispatchEvents and dispatchEvent.
 */
import { type Clock, type Timer } from '../ground/clock.js';
import { type Revision } from '../ground/revision.js';
import { type WatchEngine } from './engine.js';
import { type Entry } from './entry.js';
import { ScopeIndex } from './scope.js';
import { TimeBudget, type TimeBudgetOptions } from './time-budget.js';
import { type WatchMetrics } from './watch-metrics.js';
import { type Watcher } from './watcher.js';

export interface ForceCloseParts {
  readonly dispatched: Revision;
  readonly pace: Clock;
  readonly budget: TimeBudgetOptions;
  readonly metrics: WatchMetrics;
  /** Called when a change has left the queue. */
  readonly advanced: () => void;
}

/** The entry that is being waited for, and who has not taken it yet. */
interface Blocked {
  readonly entry: Entry;
  readonly watchers: Set<Watcher>;
  readonly allowedMs: number;
  readonly since: number;
  readonly timer: Timer;
}

export class ForceClose implements WatchEngine {
  readonly #parts: ForceCloseParts;
  readonly #watchers = new ScopeIndex<Watcher>();
  readonly #budget: TimeBudget;
  /** Changes that are appended and not yet dispatched, oldest first. */
  #incoming: Entry[] = [];
  #blocked: Blocked | undefined;
  /** It is taking entries out of the queue: what comes meanwhile waits its turn there, however much it is. */
  #running = false;
  #dispatched: Revision;

  constructor(parts: ForceCloseParts) {
    this.#parts = parts;
    this.#dispatched = parts.dispatched;
    this.#budget = new TimeBudget(parts.pace, parts.budget);
  }

  get dispatched(): Revision {
    return this.#dispatched;
  }

  /** Changes that wait for the dispatcher. */
  get queued(): number {
    return this.#incoming.length;
  }

  readonly unsynced = 0;

  /** What began with initial events is fed from the start: its channel fills meanwhile. */
  initialDone(): void {
    // Nothing to be caught up.
  }

  appended(entry: Entry): void {
    this.#incoming.push(entry);
    this.#run();
  }

  caughtUp(revision: Revision): void {
    if (this.#incoming.length === 0 && this.#blocked === undefined && revision > this.#dispatched) {
      this.#dispatched = revision;
    }
  }

  register(watcher: Watcher): void {
    this.#watchers.add(watcher.scope, watcher);
  }

  forget(watcher: Watcher): void {
    this.#watchers.delete(watcher.scope, watcher);
    this.#blocked?.watchers.delete(watcher);
    this.#unblock();
  }

  /** A consumer has made room: the entry that it was full for is placed if it can be. */
  roomMade(watcher: Watcher): void {
    const blocked = this.#blocked;
    if (blocked?.watchers.has(watcher) !== true) return;
    if (watcher.offer(blocked.entry)) blocked.watchers.delete(watcher);
    this.#unblock();
  }

  stop(): void {
    this.#blocked?.timer.cancel();
    this.#blocked = undefined;
    this.#incoming = [];
  }

  #run(): void {
    if (this.#running) return;
    this.#running = true;
    try {
      while (this.#blocked === undefined) {
        const entry = this.#incoming.shift();
        if (entry === undefined) return;
        this.#dispatch(entry);
      }
    } finally {
      this.#running = false;
    }
  }

  #dispatch(entry: Entry): void {
    const full = new Set<Watcher>();
    this.#watchers.forEachCovering(entry.namespace, entry.name, (watcher) => {
      if (watcher.state.kind !== 'synced' || entry.revision <= watcher.position) return;
      if (!watcher.offer(entry)) full.add(watcher);
    });
    if (full.size === 0) {
      this.#done(entry);
      return;
    }
    const allowedMs = this.#budget.takeAvailable();
    const { pace } = this.#parts;
    const timer = pace.after(allowedMs, () => this.#giveUp());
    this.#blocked = { entry, watchers: full, allowedMs, since: pace.elapsed(), timer };
  }

  /** Goes on when nobody is waited for any more. */
  #unblock(): void {
    const blocked = this.#blocked;
    if (blocked === undefined || blocked.watchers.size > 0) return;
    blocked.timer.cancel();
    this.#budget.giveBack(blocked.allowedMs - (this.#parts.pace.elapsed() - blocked.since));
    this.#blocked = undefined;
    this.#done(blocked.entry);
    this.#run();
  }

  #giveUp(): void {
    const blocked = this.#blocked;
    if (blocked === undefined) return;
    this.#blocked = undefined;
    for (const watcher of blocked.watchers) {
      this.#parts.metrics.terminated('unresponsive');
      // The one case in which a real server delivers what is queued: see endBookmarkQueued.
      if (watcher.endBookmarkQueued) watcher.closeDrained('unresponsive');
      else watcher.close('unresponsive');
    }
    this.#done(blocked.entry);
    this.#run();
  }

  #done(entry: Entry): void {
    this.#dispatched = entry.revision;
    this.#parts.metrics.dispatched();
    this.#parts.advanced();
  }
}
