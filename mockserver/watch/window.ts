/** The history window: the changes that a watch cache still holds, oldest to newest, bounded by count and age. */
import { type Revision } from '../ground/revision.js';
import { type Entry } from './entry.js';

export interface WindowOptions {
  /** Entries that it holds at least before it drops any, and what it starts with. @default 100 */
  readonly minCapacity: number;
  /** @default 102400 */
  readonly maxCapacity: number;
  /** Entries younger than this are kept by growing, up to maxCapacity. @default 75000 */
  readonly freshMs: number;
}

export const DEFAULT_WINDOW: WindowOptions = Object.freeze({
  minCapacity: 100,
  maxCapacity: 102_400,
  freshMs: 75_000,
});

/**
 * A ring whose capacity doubles when it is full of fresh entries and halves when the older three quarters are stale.
 * Source: apiserver cacher/watch_cache_history.go, resizeCacheLocked.
 */
export class Window {
  readonly #options: WindowOptions;
  #capacity: number;
  /** Entries before `#head` are gone; the array is cut now and then. */
  #entries: Entry[] = [];
  #head = 0;
  /** The smallest version that a watch may start after: everything above it is here. */
  #floor: Revision;
  #growths = 0;
  #shrinkings = 0;

  /** @param builtAt the revision of the state that the history continues */
  constructor(options: WindowOptions, builtAt: Revision) {
    this.#options = options;
    this.#capacity = options.minCapacity;
    this.#floor = builtAt;
  }

  get capacity(): number {
    return this.#capacity;
  }

  get length(): number {
    return this.#entries.length - this.#head;
  }

  /** How often its capacity has grown. */
  get growths(): number {
    return this.#growths;
  }

  /** How often its capacity has shrunk. */
  get shrinkings(): number {
    return this.#shrinkings;
  }

  /** The revision of the newest entry. Shape: undefined when the window is empty. */
  get newest(): Revision | undefined {
    return this.length === 0 ? undefined : this.#entries.at(-1)?.revision;
  }

  /** A watch from `floor` misses nothing; one from below would. It only rises. */
  get floor(): Revision {
    return this.#floor;
  }

  /** Revisions must rise from call to call. */
  append(entry: Entry): void {
    if (this.length >= this.#capacity) {
      this.#resize(entry.recordedAt);
      this.#dropDownTo(this.#capacity - 1);
    }
    this.#entries.push(entry);
  }

  /** Entries above `revision` (exclusive), oldest first. Shape: a copy, may be empty. */
  after(revision: Revision): readonly Entry[] {
    return this.#entries.slice(this.#indexAfter(revision));
  }

  /**
   * The first `limit` entries above `revision`, and whether there are more.
   *
   * Shape: a copy, may be empty.
   * @param upTo what lies above it counts as not there; it must not lie below `revision`
   */
  slice(
    revision: Revision,
    limit: number,
    upTo?: Revision,
  ): { readonly entries: readonly Entry[]; readonly more: boolean } {
    const from = this.#indexAfter(revision);
    const newest = this.#entries.at(-1)?.revision;
    const end =
      upTo === undefined || newest === undefined || newest <= upTo
        ? this.#entries.length
        : Math.max(from, this.#indexAfter(upTo));
    const to = Math.min(from + limit, end);
    return { entries: this.#entries.slice(from, to), more: to < end };
  }

  #indexAfter(revision: Revision): number {
    let low = this.#head;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#entries[middle];
      if (entry !== undefined && entry.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Forgets entries at or below `revision`. */
  dropThrough(revision: Revision): void {
    const kept = this.after(revision).length;
    this.#dropDownTo(kept);
    if (revision > this.#floor) this.#floor = revision;
  }

  #resize(now: number): void {
    const { minCapacity, maxCapacity, freshMs } = this.#options;
    const oldest = this.#entries[this.#head];
    const quarter = this.#entries[this.#entries.length - Math.floor(this.#capacity / 4)];
    if (oldest !== undefined && now - oldest.recordedAt < freshMs) {
      const doubled = Math.min(this.#capacity * 2, maxCapacity);
      if (doubled > this.#capacity) this.#growths++;
      this.#capacity = doubled;
    } else if (quarter !== undefined && now - quarter.recordedAt > freshMs) {
      const halved = Math.max(Math.floor(this.#capacity / 2), minCapacity);
      if (halved < this.#capacity) this.#shrinkings++;
      this.#capacity = halved;
    }
  }

  #dropDownTo(count: number): void {
    while (this.length > count) {
      const next = this.#entries[this.#head + 1];
      const gone = this.#entries[this.#head];
      this.#head++;
      // `oldest - 1` of the oldest entry still here, as the 410 of a real server names it. With none left it is the
      // last dropped one.
      const floor = next !== undefined ? next.revision - 1 : gone?.revision;
      if (floor !== undefined && floor > this.#floor) this.#floor = floor as Revision; // a whole number below a revision
    }
    if (this.#head > 1024 && this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
  }
}
