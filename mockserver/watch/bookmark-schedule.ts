/** When each watcher is due a bookmark, in buckets of one second. */
import { type Watcher } from './watcher.js';

export interface BookmarkOptions {
  /** @default 60000 */
  readonly intervalMs: number;
  /** The last one comes this long before the watch times out. @default 2000 */
  readonly beforeDeadlineMs: number;
}

export const DEFAULT_BOOKMARKS: BookmarkOptions = Object.freeze({
  intervalMs: 60_000,
  beforeDeadlineMs: 2_000,
});

const BUCKET_MS = 1000;

/**
 * Source: apiserver cacher/cacher.go, watcherBookmarkTimeBuckets. Buckets are whole seconds, so a watcher may get
 * its bookmark up to a second early and then once more.
 */
export class BookmarkSchedule {
  readonly #options: BookmarkOptions;
  readonly #startMs: number;
  readonly #buckets = new Map<number, Set<Watcher>>();
  #nextBucket = 0;
  #size = 0;

  constructor(options: BookmarkOptions, nowMs: number) {
    this.#options = options;
    this.#startMs = nowMs;
  }

  get size(): number {
    return this.#size;
  }

  /** Shape: false when none is due any more before its deadline. */
  add(watcher: Watcher, nowMs: number): boolean {
    const due = Math.min(nowMs + this.#options.intervalMs, watcher.deadline - this.#options.beforeDeadlineMs);
    if (due < nowMs) return false;
    const bucket = Math.max(Math.floor((due - this.#startMs) / BUCKET_MS), this.#nextBucket);
    const set = this.#buckets.get(bucket);
    if (set === undefined) this.#buckets.set(bucket, new Set([watcher]));
    else set.add(watcher);
    this.#size++;
    return true;
  }

  /** Removes and answers the watchers that are due by now and still open. */
  due(nowMs: number): readonly Watcher[] {
    const current = Math.floor((nowMs - this.#startMs) / BUCKET_MS);
    const found: Watcher[] = [];
    for (; this.#nextBucket <= current; this.#nextBucket++) {
      const set = this.#buckets.get(this.#nextBucket);
      if (set === undefined) continue;
      this.#buckets.delete(this.#nextBucket);
      this.#size -= set.size;
      for (const watcher of set) {
        const { kind } = watcher.state;
        if (kind === 'synced' || kind === 'unsynced') found.push(watcher);
      }
    }
    return found;
  }
}
