/** Offers bookmarks to the watchers that are due one, round after round, for as long as there are such watchers. */
import { type Clock, type Timer } from '../ground/clock.js';
import { type Random } from '../ground/random.js';
import { type Revision } from '../ground/revision.js';
import { type BookmarkOptions, BookmarkSchedule } from './bookmark-schedule.js';
import { type Watcher } from './watcher.js';

/** The smallest pause between two rounds, and the share of it that chance may add. */
const ROUND_MS = 1000;
const ROUND_JITTER = 0.25;

export interface BookmarkRoundsParts {
  readonly options: BookmarkOptions;
  readonly clock: Clock;
  readonly random: Random;
  /** The version up to which everything has been offered to whoever is synced. */
  readonly dispatched: () => Revision;
}

export class BookmarkRounds {
  readonly #parts: BookmarkRoundsParts;
  readonly #schedule: BookmarkSchedule;
  #timer: Timer | undefined;

  constructor(parts: BookmarkRoundsParts) {
    this.#parts = parts;
    this.#schedule = new BookmarkSchedule(parts.options, parts.clock.now());
  }

  add(watcher: Watcher): void {
    this.#schedule.add(watcher, this.#parts.clock.now());
    this.#arm();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#schedule.size === 0) return;
    const { clock, random } = this.#parts;
    this.#timer = clock.after(
      ROUND_MS * (1 + ROUND_JITTER * random.next()),
      () => {
        this.#timer = undefined;
        this.#round();
        this.#arm();
      },
      'upkeep',
    );
  }

  #round(): void {
    const { clock, dispatched } = this.#parts;
    const now = clock.now();
    for (const watcher of this.#schedule.due(now)) {
      watcher.queueEndBookmark();
      // The dispatched version, not the cache's: what lies between them has not been offered yet.
      watcher.offerBookmark(dispatched());
      this.#schedule.add(watcher, now);
    }
  }
}
