/** kube-apiserver's role for one resource: the current state, the history window and the watchers. */
import { type Clock, type Timer } from '../ground/clock.js';
import { type ApiObject } from '../ground/object.js';
import { OrderedMap } from '../ground/ordered-map.js';
import { type Random } from '../ground/random.js';
import { type Revision } from '../ground/revision.js';
import { expired, timeout, type Status, type StatusError } from '../ground/status.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type Change } from '../store/change.js';
import { type KeyRange, scopeRange } from '../store/key.js';
import { type RangeResult, type Store } from '../store/store.js';
import { BookmarkSchedule, type BookmarkOptions, DEFAULT_BOOKMARKS } from './bookmark-schedule.js';
import { Entry, placeOf } from './entry.js';
import { type Scope, ScopeIndex } from './scope.js';
import { type WatchEvent } from './watch-event.js';
import { type CloseReason, Watcher } from './watcher.js';
import { DEFAULT_WINDOW, Window, type WindowOptions } from './window.js';

export interface WatchCacheOptions {
  readonly window: WindowOptions;
  readonly bookmarks: BookmarkOptions;
  /** Bounds of a watcher's channel; within them it holds a 75th of the window's capacity. @default 10 and 100 */
  readonly minChannel: number;
  readonly maxChannel: number;
  /** How long a read waits for a version that is not there yet. @default 3000 */
  readonly freshnessWaitMs: number;
}

export const DEFAULT_WATCH_CACHE: WatchCacheOptions = Object.freeze({
  window: DEFAULT_WINDOW,
  bookmarks: DEFAULT_BOOKMARKS,
  minChannel: 10,
  maxChannel: 100,
  freshnessWaitMs: 3000,
});

/**
 * `cached` is what all resources are; `direct` is a resource that a real server watches in etcd itself: its history
 * goes as far back as the store's, its own version is always the store's, and it sends no bookmark but the one that
 * ends initial events.
 */
export type CacheMode = 'cached' | 'direct';

export interface WatchCacheParts {
  readonly store: Store;
  /** Keys of the resource begin with it. */
  readonly prefix: string;
  readonly mode: CacheMode;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: WatchCacheOptions;
}

export type WatchStart =
  /** The state now as initial events, then live. */
  | { readonly kind: 'state'; readonly bookmark: boolean }
  /** What lies above a version, then live. A version of the future is waited for in silence. */
  | { readonly kind: 'after'; readonly revision: Revision };

export interface WatchRequest {
  readonly start: WatchStart;
  readonly scope: Scope;
  readonly matches?: ((object: ApiObject) => boolean) | undefined;
  readonly bookmarks: boolean;
  /** The server ends the watch then; negative or 0: at once. */
  readonly timeoutMs: number;
}

/** The smallest pause between two rounds of bookmarks, and the share of it that chance may add. */
const BOOKMARK_ROUND_MS = 1000;
const BOOKMARK_ROUND_JITTER = 0.25;

export class WatchCache {
  readonly #parts: WatchCacheParts;
  readonly #state = new OrderedMap<StoredObject>();
  #window: Window;
  readonly #watchers = new Set<Watcher>();
  readonly #index = new ScopeIndex<Watcher>();
  readonly #schedule: BookmarkSchedule;
  #bookmarkTimer: Timer | undefined;
  #revision: Revision;
  readonly #unsubscribe: (() => void)[];
  #closed = false;

  constructor(parts: WatchCacheParts) {
    this.#parts = parts;
    const { store, prefix } = parts;
    const range = scopeRange(prefix, undefined);
    for (const object of store.range(range).items) this.#state.set(object.key, object);
    this.#revision = store.revision;
    this.#window = new Window(this.#windowOptions(), this.#revision);
    this.#schedule = new BookmarkSchedule(parts.options.bookmarks, parts.clock.now());
    this.#unsubscribe = [store.subscribe(prefix, (change) => this.#append(change))];
    if (parts.mode === 'direct') {
      this.#unsubscribe.push(store.onCompaction((compacted) => this.#window.dropThrough(compacted)));
    }
  }

  /**
   * The version that `resourceVersion=0` reads and bookmarks name. It moves with the changes of this resource and
   * when `catchUp` is called, not with commits elsewhere.
   */
  get revision(): Revision {
    return this.#parts.mode === 'direct' ? this.#parts.store.revision : this.#revision;
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

  get window(): Window {
    return this.#window;
  }

  /** Moves the cache's own version to the store's: what an answered progress request does. */
  catchUp(): void {
    // Every change up to the store's revision has been dispatched in the turn of its commit, so naming it is true.
    this.#revision = this.#parts.store.revision;
  }

  /**
   * Waits until the cache has seen `revision`, at most freshnessWaitMs; a `direct` one does not wait.
   *
   * @param asked the version as the error names it
   * Errors: StatusError 504 "Too large resource version" with its cause.
   */
  async awaitRevision(revision: Revision, asked: Revision | string = revision): Promise<void> {
    const { store, clock, options, mode } = this.#parts;
    if (this.revision >= revision) return;
    if (store.revision < revision && mode === 'cached') {
      await new Promise<void>((resolve) => {
        const stop = store.onCommit((at) => {
          if (at >= revision) finish();
        });
        const timer = clock.after(options.freshnessWaitMs, () => finish());
        const finish = (): void => {
          stop();
          timer.cancel();
          resolve();
        };
      });
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
    const { clock } = this.#parts;
    const make = (initial: Iterator<WatchEvent>, position: Revision, startedAt = position): Watcher =>
      this.#unregistered(request, initial, position, startedAt);
    if (this.#closed || request.timeoutMs <= 0) {
      const watcher = make(nothing(), this.revision);
      watcher.close(this.#closed ? 'terminated' : 'timeout');
      return watcher;
    }
    const { start } = request;
    if (start.kind === 'after' && start.revision < this.#floor()) {
      const watcher = make(nothing(), start.revision);
      watcher.fail(this.#tooOld(start.revision).status);
      return watcher;
    }
    let watcher: Watcher;
    if (start.kind === 'state') {
      watcher = make(this.#stateEvents(request, start.bookmark), this.revision);
    } else {
      const entries = this.#window.after(start.revision);
      const startedAt = laterOf(start.revision, entries.at(-1)?.revision ?? start.revision);
      watcher = make(historyEvents(entries, request), laterOf(start.revision, this.#revision), startedAt);
    }
    this.#register(watcher);
    const timer = clock.after(request.timeoutMs, () => watcher.close('timeout'));
    watcher.onLeave(() => {
      timer.cancel();
      this.#unregister(watcher);
    });
    return watcher;
  }

  /** A watch that could not be started: it delivers one ERROR event and ends. */
  failedWatch(request: Omit<WatchRequest, 'start'>, status: Status): Watcher {
    const watcher = this.#unregistered(
      { ...request, start: { kind: 'state', bookmark: false } },
      nothing(),
      this.revision,
    );
    watcher.fail(status);
    return watcher;
  }

  /** Ends all watches of the resource; the cache goes on. */
  endWatches(reason: CloseReason): void {
    for (const watcher of [...this.#watchers]) watcher.close(reason);
  }

  /** Ends all watches and lets go of the store. Idempotent. */
  close(reason: CloseReason): void {
    this.#closed = true;
    for (const stop of this.#unsubscribe.splice(0)) stop();
    this.endWatches(reason);
    this.#bookmarkTimer?.cancel();
    this.#bookmarkTimer = undefined;
  }

  /** One round of bookmarks: whoever is due is offered the cache's version. */
  bookmarkRound(): void {
    const now = this.#parts.clock.now();
    for (const watcher of this.#schedule.due(now)) {
      watcher.offerBookmark(this.#revision);
      this.#schedule.add(watcher, now);
    }
  }

  #append(change: Change): void {
    // Same turn as the commit, no await: history first, then the state and the version, then dispatch.
    const entry = new Entry(this.#parts.prefix, change, this.#parts.clock.now());
    this.#window.append(entry);
    if (change.current === undefined) this.#state.delete(change.key);
    else this.#state.set(change.key, change.current);
    this.#revision = change.revision;
    this.#index.forEachCovering(entry.namespace, entry.name, (watcher) => watcher.offer(entry));
  }

  #unregistered(
    request: WatchRequest,
    initial: Iterator<WatchEvent>,
    position: Revision,
    startedAt = position,
  ): Watcher {
    return new Watcher({
      scope: request.scope,
      matches: request.matches,
      capacity: this.#channelCapacity(),
      initial,
      position,
      startedAt,
      bookmarks: request.bookmarks,
      deadline: this.#parts.clock.now() + Math.max(0, request.timeoutMs),
    });
  }

  #register(watcher: Watcher): void {
    this.#watchers.add(watcher);
    this.#index.add(watcher.scope, watcher);
    if (watcher.bookmarks && this.#parts.mode === 'cached') {
      this.#schedule.add(watcher, this.#parts.clock.now());
      this.#armBookmarks();
    }
  }

  #unregister(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    this.#index.delete(watcher.scope, watcher);
  }

  #armBookmarks(): void {
    if (this.#bookmarkTimer !== undefined || this.#schedule.size === 0) return;
    const { clock, random } = this.#parts;
    const delay = BOOKMARK_ROUND_MS * (1 + BOOKMARK_ROUND_JITTER * random.next());
    this.#bookmarkTimer = clock.after(delay, () => {
      this.#bookmarkTimer = undefined;
      this.bookmarkRound();
      this.#armBookmarks();
    });
  }

  /** The objects of the request's scope now. The list is taken at once; later changes come as live events. */
  #stateEvents(request: WatchRequest, bookmark: boolean): Iterator<WatchEvent> {
    const { namespace, name } = request.scope;
    const { prefix } = this.#parts;
    const { items } = this.range(scopeRange(prefix, namespace));
    return initialEvents(
      items,
      (object) =>
        (name === undefined || placeOf(prefix, object.key).name === name) &&
        (request.matches === undefined || request.matches(object.object)),
      bookmark ? this.revision : undefined,
    );
  }

  #floor(): Revision {
    return this.#window.floor;
  }

  #tooOld(asked: Revision): StatusError {
    return this.#parts.mode === 'direct'
      ? expired('The resourceVersion for the provided watch is too old.')
      : expired(`too old resource version: ${asked} (${this.#floor()})`);
  }

  #channelCapacity(): number {
    const { minChannel, maxChannel } = this.#parts.options;
    return Math.min(Math.max(Math.ceil(this.#window.capacity / 75), minChannel), maxChannel);
  }

  #windowOptions(): WindowOptions {
    const { mode, options } = this.#parts;
    return mode === 'cached' ? options.window : { ...options.window, minCapacity: Infinity };
  }
}

const laterOf = (a: Revision, b: Revision): Revision => (a > b ? a : b);

function* nothing(): Generator<never> {
  // No initial events.
}

function* initialEvents(
  items: readonly StoredObject[],
  wanted: (object: StoredObject) => boolean,
  endAt: Revision | undefined,
): Generator<WatchEvent> {
  for (const object of items) if (wanted(object)) yield { kind: 'initial', object };
  if (endAt !== undefined) yield { kind: 'bookmark', revision: endAt, initialEventsEnd: true };
}

function* historyEvents(entries: readonly Entry[], { scope, matches }: WatchRequest): Generator<WatchEvent> {
  for (const entry of entries) {
    if (scope.namespace !== undefined && entry.namespace !== scope.namespace) continue;
    if (scope.name !== undefined && entry.name !== scope.name) continue;
    const event = entry.eventFor(matches);
    if (event !== undefined) yield event;
  }
}

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
