/** One isolated store with its caches and its API: what every verb works on (invariant 9). */
import { type BuiltInApi } from '../../openapi/built-in-api.js';
import { type Clock, realClock, TimeTexts, type Timer } from '../ground/clock.js';
import { type GroupResource, qualifiedName } from '../ground/kind.js';
import { type ApiObject } from '../ground/object.js';
import { type Random } from '../ground/random.js';
import { type Revision } from '../ground/revision.js';
import { addressOf, scopeRange } from '../store/key.js';
import { type Store } from '../store/store.js';
import { type CloseReason } from '../watch/watcher.js';
import { type WatchMetrics } from '../watch/watch-metrics.js';
import { WatchCache } from '../watch/watch-cache.js';
import { type Codec } from '../schema/codec.js';
import { ServiceAccountTokens } from '../access/service-account-tokens.js';
import { builtInResources, kindCodec, type CompiledForms } from './built-in-resources.js';
import { ClusterOwnership } from './cluster-ownership.js';
import { type ClusterOptions } from './cluster-options.js';
import { type KindContext } from './kind-context.js';
import { admitIntoNamespace } from './kinds/namespace-lifecycle.js';
import { namespaceRules } from './kinds/namespace.js';
import { groupResourceOf, type Resource } from './resource.js';
import { ResourceTable } from './resource-table.js';
import { SCALE_KIND } from './scale.js';

export interface ClusterParts extends CompiledForms {
  readonly store: Store;
  readonly api: BuiltInApi;
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

/** Reactions may cause further ones; a chain longer than this is a loop. */
const LONGEST_CHAIN = 10_000;

export class Cluster {
  readonly store: Store;
  readonly api: BuiltInApi;
  readonly clock: Clock;
  readonly pace: Clock;
  readonly random: Random;
  readonly options: ClusterOptions;
  readonly resources = new ResourceTable();
  readonly kindContext: KindContext;
  readonly ownership: ClusterOwnership;
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
  readonly #timers = new Set<Timer>();
  readonly #reactions: (() => void)[] = [];
  readonly #timeTexts = new TimeTexts();
  #settling = false;

  constructor(parts: ClusterParts) {
    this.store = parts.store;
    this.api = parts.api;
    this.clock = parts.clock;
    this.pace = parts.pace ?? realClock;
    this.random = parts.random;
    this.options = parts.options;
    this.#metricsOf = parts.metricsOf;
    this.tokens = parts.tokens ?? new ServiceAccountTokens();
    this.scaleCodec = kindCodec(parts.plans, SCALE_KIND);
    this.ownership = new ClusterOwnership({ ...parts, resources: this.resources });
    this.kindContext = {
      clock: parts.clock,
      random: parts.random,
      serviceAccountAdmission: parts.options.serviceAccountAdmission,
      find: (group, resource, namespace, name) => this.find(group, resource, namespace, name),
      listAll: (group, resource) => this.listAll(group, resource),
    };
    for (const resource of builtInResources(
      parts.api,
      parts,
      (groupResource, prefix, mode) => this.openCache(groupResource, prefix, mode),
      parts.clock,
    )) {
      this.resources.add(resource);
    }
    this.#every(this.options.progressIntervalMs, () => {
      for (const { cache } of this.#caches.values()) cache.catchUp();
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

  /** The stored form of all objects of a resource, as they are now. */
  listAll(group: string, resource: string): readonly ApiObject[] {
    const found = this.resources.findStored(group, resource);
    if (found === undefined) return [];
    const range = scopeRange(found.store.prefix, undefined);
    return this.store.range(range).items.map(({ object }) => object);
  }

  /** Errors: 403 and 404 of a namespace that ends or is not there; what the resource itself forbids. */
  admitCreate(resource: Resource, namespace: string, objectName: string): void {
    if (resource.namespaced) this.admitIntoNamespace(resource, namespace, objectName);
    resource.store.admitCreate?.(objectName);
  }

  /** Errors: 403 and 404 of a namespace that ends or is not there. */
  admitIntoNamespace(resource: Resource, namespace: string, objectName: string): void {
    const { group, resource: plural } = namespaceRules;
    const found = this.find(group, plural, '', namespace);
    admitIntoNamespace(found, { namespace, of: groupResourceOf(resource), objectName });
  }

  /** The cache of a key prefix; made on first use, or anew after closeCache. */
  openCache(groupResource: GroupResource, prefix: string, mode: 'cached' | 'direct'): WatchCache {
    const known = this.#caches.get(prefix);
    if (known !== undefined) return known.cache;
    const { store, clock, random, options } = this;
    const cache = new WatchCache({
      store,
      prefix,
      mode,
      clock,
      pace: this.pace,
      random,
      options: options.watchCache,
      stallResume: this.#resumes(groupResource),
      ...(this.#metricsOf === undefined ? {} : { metrics: this.#metricsOf(groupResource) }),
    });
    this.#caches.set(prefix, { groupResource, cache });
    return cache;
  }

  /** Ends the watches of a prefix and forgets its history. */
  closeCache(prefix: string, reason: CloseReason): void {
    this.#caches.get(prefix)?.cache.close(reason);
    this.#caches.delete(prefix);
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

  /** Ends everything that runs by itself. Idempotent. */
  close(reason: CloseReason): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    for (const prefix of [...this.#caches.keys()]) this.closeCache(prefix, reason);
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

  #compactPeriodically(): void {
    const { compactionIntervalMs } = this.options;
    if (compactionIntervalMs === 0) return;
    let before: Revision = this.store.revision;
    // Source: apiserver storage/etcd3/compact.go: each time to where the store stood the time before.
    this.#every(compactionIntervalMs, () => {
      if (before > this.store.compactedRevision) this.store.compact(before);
      before = this.store.revision;
    });
  }

  #every(intervalMs: number, work: () => void): void {
    let timer: Timer;
    const arm = (): void => {
      timer = this.clock.after(intervalMs, () => {
        this.#timers.delete(timer);
        work();
        arm();
      });
      this.#timers.add(timer);
    };
    arm();
  }
}
