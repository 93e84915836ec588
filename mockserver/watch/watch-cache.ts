/** kube-apiserver's role for one resource: the current state, the history window and the watchers. */
import { type Clock } from '../ground/clock.js';
import { OrderedMap } from '../ground/ordered-map.js';
import { type Random } from '../ground/random.js';
import { NO_REVISION, type Revision, nextRevision } from '../ground/revision.js';
import { expired, timeout, type Status, type StatusError } from '../ground/status.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type Change } from '../store/change.js';
import { type KeyRange, scopeRange } from '../store/key.js';
import { type RangeResult, type Store } from '../store/store.js';
import { BookmarkRounds } from './bookmark-rounds.js';
import { type WatchEngine } from './engine.js';
import { Entry } from './entry.js';
import { ForceClose } from './force-close.js';
import { historyEvents, stateEvents } from './initial-events.js';
import { StallResume } from './stall-resume.js';
import { ChangeFeed } from './change-feed.js';
import { channelCapacity, type WatchCacheOptions } from './watch-cache-options.js';
import { WatchDeadlines } from './watch-deadlines.js';
import { NO_METRICS, type WatchMetrics } from './watch-metrics.js';
import { type WatchRequest } from './watch-request.js';
import { type CloseReason, Watcher, type WatcherListener, type WatcherOptions } from './watcher.js';
import { Window, type WindowOptions } from './window.js';

/**
 * `cached` is what all resources are; `direct` is a resource that a real server watches in etcd itself: its history
 * goes as far back as the store's, its own version is always the store's, and it sends no bookmark but the one that
 * ends initial events.
 */
export type CacheMode = 'cached' | 'direct';

/** What is known of a resource before its cache is made: nothing of it has changed above `floor`. */
export interface QuietSince {
  readonly floor: Revision;
  /** The version that a cache would have by now. */
  readonly revision: Revision;
}

export interface WatchCacheParts {
  readonly store: Store;
  /** Keys of the resource begin with it. */
  readonly prefix: string;
  readonly mode: CacheMode;
  readonly clock: Clock;
  /** Paces passes and the dispatcher's waits: real time on a server, whatever the cluster's clock does. */
  readonly pace: Clock;
  readonly random: Random;
  readonly options: WatchCacheOptions;
  /** Feature WatchCacheStallResume. */
  readonly stallResume: boolean;
  /** @default the store's revision of now */
  readonly since?: QuietSince;
  /** What stands in the store under the prefix; the cache's own from now on. @default read from the store */
  readonly state?: OrderedMap<StoredObject> | undefined;
  /** How it hears of the store. @default at once */
  readonly feed?: ChangeFeed;
  /** @default nobody counts */
  readonly metrics?: WatchMetrics;
}

export class WatchCache {
  readonly #parts: WatchCacheParts;
  readonly #metrics: WatchMetrics;
  readonly #feed: ChangeFeed;
  #state: OrderedMap<StoredObject>;
  readonly #window: Window;
  readonly #watchers = new Set<Watcher>();
  /** Watchers that take part in nothing any more but whose queue is still to be read. */
  readonly #draining = new Set<Watcher>();
  readonly #deadlines: WatchDeadlines;
  readonly #engine: WatchEngine;
  readonly #listener: WatcherListener;
  readonly #bookmarks: BookmarkRounds;
  #revision: Revision;
  /** Changes of the store that the cache has not taken in yet: only the engine of today ever lags. */
  #lag: Change[] = [];
  readonly #progress = new Set<() => void>();
  readonly #unsubscribe: (() => void)[];
  #closed = false;

  constructor(parts: WatchCacheParts) {
    this.#parts = parts;
    const { store, prefix, pace, options } = parts;
    const metrics = parts.metrics ?? NO_METRICS;
    this.#metrics = metrics;
    this.#feed = parts.feed ?? new ChangeFeed({ store, prefix, clock: parts.clock });
    this.#state = parts.state ?? this.#stored();
    this.#revision = parts.since?.revision ?? this.#feed.revision;
    const floor = parts.since?.floor ?? this.#feed.revision;
    // What the store has compacted is gone from a history that goes as far back as the store's.
    const builtAt = parts.mode === 'direct' ? laterOf(floor, store.compactedRevision) : floor;
    this.#window = new Window(this.#windowOptions(), builtAt);
    this.#engine = parts.stallResume
      ? new StallResume({
          window: this.#window,
          dispatched: this.#revision,
          pace,
          options: options.stallResume,
          metrics,
          tooOld: (position) => this.#tooOld(position).status,
          advanced: () => this.#takeInLag(),
        })
      : new ForceClose({
          dispatched: this.#revision,
          pace,
          budget: options.timeBudget,
          metrics,
          advanced: () => this.#takeInLag(),
        });
    this.#listener = {
      left: (watcher) => this.#unregister(watcher),
      ended: (watcher) => this.#forget(watcher),
      initialDone: (watcher) => {
        metrics.initialEvents(watcher.initialCount);
        this.#engine.initialDone(watcher);
      },
      roomMade: (watcher) => this.#engine.roomMade(watcher),
    };
    this.#deadlines = new WatchDeadlines(parts.clock);
    this.#bookmarks = new BookmarkRounds({
      options: options.bookmarks,
      clock: parts.clock,
      random: parts.random,
      dispatched: () => this.#engine.dispatched,
    });
    this.#unsubscribe = [this.#feed.subscribe((change) => this.#changed(change))];
    if (parts.mode === 'direct') {
      this.#unsubscribe.push(store.onCompaction((compacted) => this.#window.dropThrough(compacted)));
    }
  }

  /**
   * The version that `resourceVersion=0` reads and bookmarks name. It moves with the changes of this resource and
   * when `catchUp` is called, not with commits elsewhere.
   */
  get revision(): Revision {
    const { mode, store } = this.#parts;
    if (mode === 'direct') return this.#feed.revision;
    // A cache made before the first commit has seen that one, which was of another resource: it names what a client can use.
    return this.#revision === NO_REVISION && store.revision > NO_REVISION
      ? nextRevision(NO_REVISION)
      : this.#revision;
  }

  /** How it hears of the store's changes: at once, unless somebody holds them back. */
  get feed(): ChangeFeed {
    return this.#feed;
  }

  get mode(): CacheMode {
    return this.#parts.mode;
  }

  get watcherCount(): number {
    return this.#watchers.size;
  }

  get watchers(): Iterable<Watcher> {
    return this.#watchers;
  }

  /** Who counts what is read of it. */
  get metrics(): WatchMetrics {
    return this.#metrics;
  }

  get window(): Window {
    return this.#window;
  }

  /** Watchers that are behind. */
  get unsyncedCount(): number {
    return this.#engine.unsynced;
  }

  /**
   * Moves the cache's own version to where its feed stands: what an answered progress request does.
   *
   * Shape: false, and nothing moves, while the cache lags behind the store.
   */
  catchUp(): boolean {
    if (this.#lag.length > 0) return false;
    // Every change up to the feed's revision has been taken in, so naming it is true.
    this.#revision = this.#feed.revision;
    this.#engine.caughtUp(this.#revision);
    this.#tellProgress();
    return true;
  }

  /** Resolves when the cache shows what the store shows at this moment. Errors: as awaitRevision. */
  async fresh(): Promise<void> {
    let success = false;
    try {
      const { revision } = this.#parts.store;
      if (!this.catchUp() || this.#feed.revision < revision) await this.awaitRevision(revision);
      success = true;
    } finally {
      this.#metrics.consistentRead(success);
    }
  }

  /**
   * Waits until the cache has seen `revision`, at most freshnessWaitMs; a `direct` one does not wait.
   *
   * @param asked the version as the error names it
   * Errors: StatusError 504 "Too large resource version" with its cause.
   */
  async awaitRevision(revision: Revision, asked: Revision | string = revision): Promise<void> {
    const { clock, options, mode } = this.#parts;
    const feed = this.#feed;
    if (this.revision >= revision) return;
    if (mode === 'cached' && (feed.revision < revision || this.#lag.length > 0)) {
      const began = this.#parts.pace.elapsed();
      await new Promise<void>((resolve) => {
        const check = (): void => {
          if (feed.revision >= revision && this.#lag.length === 0) finish();
        };
        const stop = feed.onProgress(check);
        this.#progress.add(check);
        const timer = clock.after(options.freshnessWaitMs, () => finish());
        const finish = (): void => {
          stop();
          this.#progress.delete(check);
          timer.cancel();
          resolve();
        };
      });
      this.#metrics.waited(this.#parts.pace.elapsed() - began);
    }
    this.catchUp();
    if (this.revision < revision) throw tooLargeRevision(asked, this.revision);
  }

  get(key: string): StoredObject | undefined {
    return this.#state.get(key);
  }

  /** The current objects of a key range, in key order. */
  range({ start, end }: KeyRange, limit = Infinity): RangeResult {
    const items: StoredObject[] = [];
    let more = false;
    this.#state.forRange(start, end, (object) => {
      more = items.length >= limit;
      if (!more) items.push(object);
      return !more;
    });
    return { items, more };
  }

  count({ start, end }: KeyRange): number {
    return this.#state.countRange(start, end);
  }

  /**
   * Opens a watch. It is registered and its start is fixed within this call, so no change falls between the two.
   *
   * Shape: a watcher that its consumer must close on every road. One that cannot start is answered too: it delivers
   * an ERROR event and ends, as a real server answers 200 then.
   */
  watch(request: WatchRequest): Watcher {
    const { stallResume } = this.#parts;
    const { start, scope } = request;
    if (this.#closed || request.timeoutMs <= 0) {
      const watcher = this.#made(request, { position: this.revision, synced: true });
      watcher.close(this.#closed ? 'terminated' : 'timeout');
      return watcher;
    }
    if (start.kind === 'after' && start.revision < this.#window.floor) {
      return this.failedWatch(request, this.#tooOld(start.revision).status);
    }
    let watcher: Watcher;
    if (start.kind === 'state') {
      const { items } = this.range(scopeRange(this.#parts.prefix, scope.namespace));
      const endAt = start.bookmark ? this.revision : undefined;
      const initial = stateEvents(this.#parts.prefix, items, request, endAt);
      const { bookmark: endBookmark } = start;
      const position = this.#dispatchPoint();
      watcher = this.#made(request, { initial, endBookmark, position, synced: !stallResume });
    } else {
      const newest = this.#window.newest ?? start.revision;
      const startedAt = laterOf(start.revision, newest);
      if (stallResume) {
        // Whatever the window has above its version is a matter of passes, as for anybody who is behind.
        const synced = start.revision >= this.#engine.dispatched;
        const replayTo = laterOf(start.revision, this.#engine.dispatched);
        watcher = this.#made(request, { position: start.revision, startedAt, synced, replayTo });
      } else {
        const position = laterOf(start.revision, this.#dispatchPoint());
        let opened: Watcher | undefined;
        const initial = historyEvents(this.#window, request, {
          after: start.revision,
          upTo: position,
          overtaken: () => opened?.close('overtaken'),
        });
        watcher = opened = this.#made(request, { initial, position, startedAt, synced: true });
      }
    }
    this.#deadlines.closeAfter(watcher, request.timeoutMs);
    watcher.attach(this.#listener);
    this.#watchers.add(watcher);
    this.#engine.register(watcher);
    if (watcher.bookmarks && this.#parts.mode === 'cached') this.#bookmarks.add(watcher);
    return watcher;
  }

  /** A watch that could not be started: it delivers one ERROR event and ends. */
  failedWatch(request: Omit<WatchRequest, 'start'>, status: Status): Watcher {
    const watcher = this.#made(request, { position: this.revision, synced: true });
    watcher.fail(status);
    return watcher;
  }

  /** A copy of the state, made in the same time whatever its size. Shape: undefined while the cache lags behind. */
  stateCopy(): OrderedMap<StoredObject> | undefined {
    return this.#lag.length > 0 ? undefined : this.#state.copy();
  }

  /**
   * Puts what the store now holds in the place of the state, without a word to the watchers that have been served. Those
   * that are behind are sent a 410: the history is not theirs any more.
   */
  replaceState(state: OrderedMap<StoredObject> | undefined): void {
    this.#lag = [];
    this.#state = state ?? this.#stored();
    this.catchUp();
    this.#window.dropThrough(this.#revision);
  }

  /** Lets go of the store; each watcher is ended as `end` does it. */
  retire(end: (watcher: Watcher) => void): void {
    this.#letGo();
    for (const watcher of [...this.#watchers]) end(watcher);
    this.#engine.stop();
  }

  /** Ends all watches of the resource; the cache goes on. */
  endWatches(reason: CloseReason): void {
    for (const watcher of [...this.#watchers, ...this.#draining]) watcher.close(reason);
  }

  /** Ends all watches and lets go of the store. Idempotent. */
  close(reason: CloseReason): void {
    this.#letGo();
    this.endWatches(reason);
    this.#engine.stop();
  }

  #letGo(): void {
    this.#closed = true;
    for (const stop of this.#unsubscribe.splice(0)) stop();
    this.#feed.close();
    this.#bookmarks.stop();
  }

  #stored(): OrderedMap<StoredObject> {
    const state = new OrderedMap<StoredObject>();
    const range = scopeRange(this.#parts.prefix, undefined);
    for (const object of this.#feed.range(range).items) state.set(object.key, object);
    return state;
  }

  /** Told by the store within a commit. */
  #changed(change: Change): void {
    if (this.#lag.length > 0 || this.#engine.queued >= this.#parts.options.incomingCapacity)
      this.#lag.push(change);
    else this.#append(change);
  }

  /** The dispatcher has made room for changes that the cache had not taken in. */
  #takeInLag(): void {
    while (this.#engine.queued < this.#parts.options.incomingCapacity) {
      const change = this.#lag.shift();
      if (change === undefined) break;
      this.#append(change);
    }
    this.#tellProgress();
  }

  #append(change: Change): void {
    // Same turn as the commit, no await: history first, then the state and the version, then dispatch.
    const entry = new Entry(this.#parts.prefix, change, this.#parts.clock.now());
    this.#window.append(entry);
    this.#metrics.received();
    if (change.current === undefined) this.#state.delete(change.key);
    else this.#state.set(change.key, change.current);
    this.#revision = change.revision;
    this.#engine.appended(entry);
  }

  #tellProgress(): void {
    for (const check of this.#progress) check();
  }

  /** Changes up to it have been offered to whoever was there: a watcher that begins now is offered what follows. */
  #dispatchPoint(): Revision {
    return laterOf(this.revision, this.#engine.dispatched);
  }

  #made(
    request: Omit<WatchRequest, 'start'>,
    how: Pick<WatcherOptions, 'initial' | 'endBookmark' | 'position' | 'replayTo' | 'synced'> & {
      startedAt?: Revision;
    },
  ): Watcher {
    return new Watcher({
      scope: request.scope,
      matches: request.matches,
      capacity: channelCapacity(this.#parts.options, this.#window.capacity, request.trigger),
      startedAt: how.position,
      bookmarks: request.bookmarks,
      deadline: this.#parts.clock.now() + Math.max(0, request.timeoutMs),
      ...how,
    });
  }

  #unregister(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    this.#draining.add(watcher);
    this.#engine.forget(watcher);
  }

  #forget(watcher: Watcher): void {
    this.#draining.delete(watcher);
    this.#deadlines.forget(watcher);
  }

  #tooOld(asked: Revision): StatusError {
    return this.#parts.mode === 'direct'
      ? expired('The resourceVersion for the provided watch is too old.')
      : expired(`too old resource version: ${asked} (${this.#window.floor})`);
  }

  #windowOptions(): WindowOptions {
    const { mode, options } = this.#parts;
    return mode === 'cached' ? options.window : { ...options.window, minCapacity: Infinity };
  }
}

const laterOf = (a: Revision, b: Revision): Revision => (a > b ? a : b);

/**
 * 504, or the ERROR event of a watch-list, for a version that did not come in time.
 * Source: apiserver storage/errors.go, NewTooLargeResourceVersionError.
 */
export const tooLargeRevision = (
  asked: Revision | string,
  current: Revision,
  retryAfterSeconds = 1,
): StatusError =>
  timeout(`Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds,
  });
