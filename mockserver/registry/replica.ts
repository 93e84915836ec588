/** A second server of a cluster: the same store behind caches of its own, which may be older than those of the first. */
import { type Clock } from '../ground/clock.js';
import { type Revision } from '../ground/revision.js';
import { type Store } from '../store/store.js';
import { ChangeFeed, type Lag } from '../watch/change-feed.js';
import { type CloseReason } from '../watch/watcher.js';
import { type WatchCache } from '../watch/watch-cache.js';
import { type ResourceStore } from './resource.js';

export interface ReplicaParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Makes a further cache of a resource. */
  readonly newCache: (store: ResourceStore, feed: ChangeFeed) => WatchCache;
}

export class Replica {
  readonly #parts: ReplicaParts;
  /** By key prefix; made when the resource is first read. */
  readonly #caches = new Map<string, WatchCache>();
  #lag: Lag | undefined;
  /** Where caches that are made from now on stand still; undefined: they begin with the store's state. */
  #standstill: Revision | undefined;

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
  }

  /** The cache from which requests to this server read a resource. */
  readonly cacheOf = (resource: ResourceStore): WatchCache => {
    const known = this.#caches.get(resource.prefix);
    if (known !== undefined) return known;
    const { store, clock, newCache } = this.#parts;
    const feed = new ChangeFeed({ store, prefix: resource.prefix, clock });
    if (this.#standstill !== undefined) feed.travelTo(this.#standstill);
    else if (this.#lag !== undefined) feed.holdBack(this.#lag);
    const cache = newCache(resource, feed);
    this.#caches.set(resource.prefix, cache);
    return cache;
  };

  /** Its caches hear of commits late, or not at all. */
  holdBack(lag: Lag): void {
    this.#lag = lag;
    for (const { feed } of this.#caches.values()) feed.holdBack(lag);
  }

  /** All of it stands still at an older revision from now on, as after a restart; its watches end. */
  travelTo(revision: Revision): void {
    this.#standstill = revision;
    this.close();
  }

  /** It follows the store again. */
  release(): void {
    this.#standstill = undefined;
    this.#lag = undefined;
    for (const [prefix, cache] of [...this.#caches])
      if (!cache.feed.release()) this.closeCache(prefix, 'shutdown');
  }

  /** Its caches move to where their feeds stand. */
  catchUp(): void {
    for (const cache of this.#caches.values()) cache.catchUp();
  }

  /** The resource is served in another form, or no more. */
  closeCache(prefix: string, reason: CloseReason): void {
    this.#caches.get(prefix)?.close(reason);
    this.#caches.delete(prefix);
  }

  /** The store holds other objects now: its watches end, and it follows the store. */
  beginAnew(): void {
    this.close();
    this.release();
  }

  /** Ends its watches; its caches are made anew when somebody reads them. */
  close(): void {
    for (const prefix of [...this.#caches.keys()]) this.closeCache(prefix, 'shutdown');
  }
}
