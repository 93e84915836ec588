/** Ends watches when their time is over. */
import { type Clock, type Timer } from '../ground/clock.js';
import { type Watcher } from './watcher.js';

/** How long a client may still read what is queued for it when its time is over. */
const LAST_READ_MS = 1000;

export class WatchDeadlines {
  readonly #clock: Clock;
  readonly #timers = new Map<Watcher, Timer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Its time bounds also how long a client may take to read what is left for it. */
  closeAfter(watcher: Watcher, timeoutMs: number): void {
    const timer = this.#clock.after(
      timeoutMs,
      () => {
        watcher.close('timeout');
        if (!watcher.ended) this.closeAfter(watcher, LAST_READ_MS);
      },
      'upkeep',
    );
    this.#timers.set(watcher, timer);
  }

  forget(watcher: Watcher): void {
    this.#timers.get(watcher)?.cancel();
    this.#timers.delete(watcher);
  }
}
