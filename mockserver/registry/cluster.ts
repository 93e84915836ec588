/** One isolated store with its caches and its API: what every verb works on (invariant 9). */
import { type BuiltInApi } from '../../openapi/built-in-api.js';
import { type Clock, realClock, TimeTexts, type Timer } from '../ground/clock.js';
import { type GroupResource, qualifiedName } from '../ground/kind.js';
import { type ApiObject } from '../ground/object.js';
import { type Random } from '../ground/random.js';
import { type Revision } from '../ground/revision.js';
import { type OrderedMap } from '../ground/ordered-map.js';
import { expired } from '../ground/status.js';
import { type StoredObject } from '../ground/stored-object.js';
import { addressOf, scopeRange } from '../store/key.js';
import { type Store } from '../store/store.js';
import { type CloseReason } from '../watch/watcher.js';
import { type WatchMetrics } from '../watch/watch-metrics.js';
import { type QuietSince, WatchCache, type WatchCacheParts } from '../watch/watch-cache.js';
import { type Codec } from '../schema/codec.js';
import { ServiceAccountTokens } from '../access/service-account-tokens.js';
import { AdmissionPlugins } from './admission-plugins.js';
import { NAMESPACE_LIFECYCLE, chosenPlugins } from './admission-options.js';
import { type Blueprint } from './blueprint.js';
import { ClusterImage, type RestoredWatches } from './cluster-image.js';
import { ClusterOwnership } from './cluster-ownership.js';
import { type ClusterOptions } from './cluster-options.js';
import { Expiry } from './expiry.js';
import { type KindContext } from './kind-context.js';
import { LogBook } from './log-book.js';
import { admitIntoNamespace } from './kinds/namespace-lifecycle.js';
import { namespaceRules } from './kinds/namespace.js';
import { Replica } from './replica.js';
import { groupResourceOf, type Resource, type ResourceStore } from './resource.js';
import { ResourceTable } from './resource-table.js';

export interface ClusterParts {
  readonly store: Store;
  readonly blueprint: Blueprint;
  /** What the store holds, of a cluster that another one's snapshot begins. @default it is no copy */
  readonly image?: ClusterImage | undefined;
  readonly clock: Clock;
  /** Paces deliveries: real time, whatever `clock` does. @default the real one */
  readonly pace?: Clock;
  readonly random: Random;
  readonly options: ClusterOptions;
  /** Who counts what the cache of a resource does. @default nobody */
  readonly metricsOf?: (resource: GroupResource) => WatchMetrics;
  /** @default a key of the cluster's own */
  readonly tokens?: ServiceAccountTokens;
}

/** The cache of a resource. */
export interface ResourceCache {
  readonly groupResource: GroupResource;
  readonly cache: WatchCache;
}

/** Of a watch whose history a restored snapshot took away. */
const GONE = expired('The resourceVersion for the provided watch is too old.');

/** Reactions may cause further ones; a chain longer than this is a loop. */
const LONGEST_CHAIN = 10_000;

export class Cluster {
  readonly store: Store;
  readonly blueprint: Blueprint;
  readonly api: BuiltInApi;
  readonly clock: Clock;
  readonly pace: Clock;
  readonly random: Random;
  readonly options: ClusterOptions;
  readonly resources: ResourceTable;
  readonly kindContext: KindContext;
  /** What containers have written. */
  readonly logs: LogBook;
  readonly ownership: ClusterOwnership;
  readonly admission: AdmissionPlugins;
  readonly tokens: ServiceAccountTokens;
  /**
   * Objects as the store shows them, with defaults that their create dropped and every reading adds: the next update
   * writes them down, whether or not it changes anything.
   */
  readonly readWithMore = new WeakSet<ApiObject>();
  /** Of the one kind that custom resources share with built-in ones. */
  readonly scaleCodec: Codec;
  readonly #metricsOf: ((resource: GroupResource) => WatchMetrics) | undefined;
  readonly #caches = new Map<string, ResourceCache>();
  readonly #replicas = new Map<string, Replica>();
  /** Of caches that were closed and may be made anew. */
  readonly #ended = new Map<string, QuietSince>();
  readonly #closeHerald: () => void;
  /** What caches that are still to be made begin with. */
  #image: ClusterImage | undefined;
  readonly #restoreListeners = new Set<() => void>();
  #restorations = 0;
  readonly #expiries: readonly Expiry[];
  readonly #timers = new Set<Timer>();
  readonly #reactions: (() => void)[] = [];
  readonly #timeTexts = new TimeTexts();
  #settling = false;
  /** Of resources that have no cache yet: nothing of theirs has changed since `floor`. */
  #quiet: QuietSince;

  constructor(parts: ClusterParts) {
    this.store = parts.store;
    this.blueprint = parts.blueprint;
    this.api = parts.blueprint.api;
    this.resources = new ResourceTable(parts.blueprint.builtIn);
    this.clock = parts.clock;
    this.pace = parts.pace ?? realClock;
    this.random = parts.random;
    this.options = parts.options;
    this.#metricsOf = parts.metricsOf;
    this.tokens = parts.tokens ?? new ServiceAccountTokens();
    this.scaleCodec = parts.blueprint.scaleCodec;
    this.ownership = new ClusterOwnership({
      api: this.api,
      schemas: parts.blueprint.forms.schemas,
      clock: parts.clock,
      resources: this.resources,
    });
    this.#image = parts.image;
    this.#quiet = { floor: this.store.revision, revision: this.store.revision };
    this.#closeHerald = this.store.beforeCommit((prefix) => {
      const store = this.resources.findPrefix(prefix);
      if (store !== undefined) this.cacheOf(store);
    });
    this.admission = new AdmissionPlugins(chosenPlugins(parts.options.admission));
    this.logs = new LogBook(parts.clock);
    this.kindContext = {
      clock: parts.clock,
      random: parts.random,
      find: (group, resource, namespace, name) => this.find(group, resource, namespace, name),
      logs: this.logs,
      listAll: (group, resource) => this.#listIn(group, resource, undefined),
      list: (group, resource, namespace) => this.#listIn(group, resource, namespace),
      follow: (group, resource, namespace, name, listener) =>
        this.#follow({ group, resource }, namespace, name, listener),
    };
    this.#expiries = this.#newExpiries();
    this.#every(this.options.progressIntervalMs, () => {
      this.#quiet = { ...this.#quiet, revision: this.store.revision };
      for (const { cache } of this.#caches.values()) cache.catchUp();
      for (const replica of this.#replicas.values()) replica.catchUp();
    });
    this.#compactPeriodically();
  }

  /** The stored form of an object, as it is now. @param namespace `''` for cluster-scoped resources */
  find(group: string, resource: string, namespace: string, name: string): ApiObject | undefined {
    const found = this.resources.findStored(group, resource);
    return found && this.store.get(addressOf(found.store.prefix, namespace, name).key)?.object;
  }

  /** The time of the cluster's clock as objects show it: whole seconds in UTC. */
  timeText(): string {
    return this.#timeTexts.at(this.clock.now());
  }

  /** Errors: 403 and 404 of a namespace that ends or is not there; what the resource itself forbids. */
  admitCreate(resource: Resource, namespace: string, objectName: string): void {
    if (resource.namespaced) this.admitIntoNamespace(resource, namespace, objectName);
    resource.store.admitCreate?.(objectName);
  }

  /** Errors: 403 and 404 of a namespace that ends or is not there. */
  admitIntoNamespace(resource: Resource, namespace: string, objectName: string): void {
    if (!this.admission.has(NAMESPACE_LIFECYCLE)) return;
    const { group, resource: plural } = namespaceRules;
    const found = this.find(group, plural, '', namespace);
    admitIntoNamespace(found, { namespace, of: groupResourceOf(resource), objectName });
  }

  /**
   * The cache of a resource. It is made when the resource is first read or written, and shows what it would if it had
   * been there from the beginning.
   */
  cacheOf(store: ResourceStore): WatchCache {
    const { groupResource, prefix } = store;
    const known = this.#caches.get(prefix);
    if (known !== undefined) return known.cache;
    const cache = this.#newCache(store, {
      since: this.#ended.get(prefix) ?? this.#quiet,
      // Nothing of a resource without a cache has changed since the image, unless its cache was closed.
      state: this.#ended.has(prefix) ? undefined : this.#image?.stateOf(prefix),
    });
    this.#caches.set(prefix, { groupResource, cache });
    return cache;
  }

  /** The replica of a name; made on first use. */
  replica(name: string): Replica {
    const known = this.#replicas.get(name);
    if (known !== undefined) return known;
    const replica = new Replica({
      store: this.store,
      clock: this.clock,
      newCache: (store, feed) => this.#newCache(store, { feed }),
    });
    this.#replicas.set(name, replica);
    return replica;
  }

  /** Ends the watches of a replica and forgets it. */
  closeReplica(name: string): void {
    this.#replicas.get(name)?.close();
    this.#replicas.delete(name);
  }

  /** All caches begin anew, as when the server is stopped and started: history is forgotten and watches end. */
  forgetHistory(): void {
    for (const prefix of [...this.#caches.keys()]) this.closeCache(prefix, 'shutdown');
    for (const replica of this.#replicas.values()) replica.close();
    this.#ended.clear();
    this.#image = undefined;
    this.#quiet = { floor: this.store.revision, revision: this.store.revision };
  }

  /** The store goes back to a revision, and all caches begin anew. Errors: StoreError as the store's. */
  rewind(at: Revision): void {
    this.store.rewind(at);
    this.forgetHistory();
    this.#tellRestored();
  }

  #newCache(
    { groupResource, prefix, cacheMode }: ResourceStore,
    begin: Pick<WatchCacheParts, 'since' | 'state' | 'feed'>,
  ): WatchCache {
    const { store, clock, random, options } = this;
    return new WatchCache({
      ...begin,
      store,
      prefix,
      mode: cacheMode,
      clock,
      pace: this.pace,
      random,
      options: options.watchCache,
      stallResume: this.#resumes(groupResource),
      ...(this.#metricsOf === undefined ? {} : { metrics: this.#metricsOf(groupResource) }),
    });
  }

  /** Ends the watches of a prefix and forgets its history. */
  closeCache(prefix: string, reason: CloseReason): void {
    this.#caches.get(prefix)?.cache.close(reason);
    this.#caches.delete(prefix);
    this.#ended.set(prefix, { floor: this.store.revision, revision: this.store.revision });
    for (const replica of this.#replicas.values()) replica.closeCache(prefix, reason);
  }

  /** Forgets history at or below a revision, also of caches that are still to be made. */
  dropHistory(through: Revision): void {
    for (const { cache } of this.#caches.values()) {
      // Nobody may be handed a version to watch from that lies below the new floor.
      cache.catchUp();
      cache.window.dropThrough(through);
    }
    const { revision } = this.store;
    this.#quiet = { floor: through > this.#quiet.floor ? through : this.#quiet.floor, revision };
  }

  get caches(): Iterable<ResourceCache> {
    return this.#caches.values();
  }

  /**
   * Commits, then lets what reacts to commits (definitions that become resources) run to its end before the verb
   * answers: whoever creates a definition can use its resource at once.
   */
  commit<T>(work: () => T): T {
    const result = work();
    this.#settle();
    return result;
  }

  /** To be called by a subscriber of the store, which may not write itself: `reaction` runs when the commit is done. */
  react(reaction: () => void): void {
    this.#reactions.push(reaction);
  }

  /** The objects of now. @param leaveOut prefixes whose caches begin with what the store then holds */
  image(leaveOut: readonly string[] = []): ClusterImage {
    const states = new Map<string, OrderedMap<StoredObject>>();
    for (const [prefix, { cache }] of this.#caches) {
      const state = leaveOut.includes(prefix) ? undefined : cache.stateCopy();
      if (state !== undefined) states.set(prefix, state);
    }
    return new ClusterImage(this.store.image(), states);
  }

  /** Goes back to an image, of this cluster or of another one of the same version. Watches of replicas end. */
  restore(image: ClusterImage, watches: RestoredWatches): void {
    const { revision } = image.store;
    const stays = watches === 'unchanged' && this.store.revision > revision;
    this.store.restore(image.store, stays ? this.store.revision : revision);
    this.#image = image;
    for (const [prefix, { cache }] of this.#caches) {
      if (watches === 'unchanged') {
        cache.replaceState(image.stateOf(prefix));
        continue;
      }
      cache.retire((watcher) => {
        if (watches === '410') watcher.fail(GONE.status);
        else watcher.close('terminated');
      });
      this.#caches.delete(prefix);
    }
    this.#ended.clear();
    this.#quiet = { floor: this.store.revision, revision: this.store.revision };
    for (const replica of this.#replicas.values()) replica.beginAnew();
    this.#tellRestored();
  }

  /** Told when the objects have become those of an image. */
  onRestore(listener: () => void): void {
    this.#restoreListeners.add(listener);
  }

  /** How often that has happened: whoever works in several turns is not to go on with other objects. */
  get restorations(): number {
    return this.#restorations;
  }

  /** Ends everything that runs by itself. Idempotent. */
  close(reason: CloseReason): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    for (const expiry of this.#expiries) expiry.close();
    this.#closeHerald();
    for (const prefix of [...this.#caches.keys()]) this.closeCache(prefix, reason);
    for (const name of [...this.#replicas.keys()]) this.closeReplica(name);
  }

  #tellRestored(): void {
    this.#restorations++;
    for (const expiry of this.#expiries) expiry.beginAnew();
    for (const listener of this.#restoreListeners) listener();
  }

  /** The stored form of objects, as they are now. @param namespace undefined: of every namespace */
  #listIn(group: string, resource: string, namespace: string | undefined): readonly ApiObject[] {
    const found = this.resources.findStored(group, resource);
    if (found === undefined) return [];
    const range = scopeRange(found.store.prefix, namespace);
    return this.store.range(range).items.map(({ object }) => object);
  }

  #follow(
    { group, resource }: GroupResource,
    namespace: string,
    name: string,
    listener: (next: ApiObject | undefined) => void,
  ): () => void {
    const prefix = this.resources.findStored(group, resource)?.store.prefix;
    if (prefix === undefined) throw new Error(`nobody serves ${qualifiedName({ group, resource })}`);
    const { key } = addressOf(prefix, namespace, name);
    return this.store.subscribe(prefix, (change) => {
      if (change.key === key) listener(change.current?.object);
    });
  }

  #resumes(groupResource: GroupResource): boolean {
    const { features, stallResumeOf } = this.options;
    const name = qualifiedName(groupResource);
    return Object.hasOwn(stallResumeOf, name) ? stallResumeOf[name] === true : features.WatchCacheStallResume;
  }

  #settle(): void {
    if (this.#settling) return;
    this.#settling = true;
    try {
      for (let ran = 0; this.#reactions.length > 0; ran++) {
        if (ran > LONGEST_CHAIN) throw new Error(`reactions to commits go on after ${ran} steps`);
        this.#reactions.shift()?.();
      }
    } finally {
      this.#settling = false;
    }
  }

  #newExpiries(): readonly Expiry[] {
    const { store, clock, options } = this;
    if (options.eventTtlMs === 0) return [];
    const prefixes = [...this.resources]
      .filter((one) => one.store.rules?.expires === true)
      .map((one) => one.store.prefix);
    return [...new Set(prefixes)].map(
      (prefix) =>
        new Expiry({
          store,
          prefix,
          clock,
          ttlMs: options.eventTtlMs,
          commit: (work) => this.commit(work),
        }),
    );
  }

  #compactPeriodically(): void {
    const { compactionIntervalMs } = this.options;
    if (compactionIntervalMs === 0) return;
    let before: Revision = this.store.revision;
    // Source: apiserver storage/etcd3/compact.go: each time to where the store stood the time before.
    this.#every(compactionIntervalMs, () => {
      // The store may have been put back since.
      const target = Math.min(before, this.store.revision) as Revision; // the smaller of two revisions
      if (target > this.store.compactedRevision) this.store.compact(target);
      before = this.store.revision;
    });
  }

  #every(intervalMs: number, work: () => void): void {
    let timer: Timer;
    const arm = (): void => {
      timer = this.clock.after(
        intervalMs,
        () => {
          this.#timers.delete(timer);
          work();
          arm();
        },
        'upkeep',
      );
      this.#timers.add(timer);
    };
    arm();
  }
}
