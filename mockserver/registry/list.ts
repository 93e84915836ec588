/** The list verb. */
import { type ApiObject } from '../ground/object.js';
import { readJson } from '../ground/json-read.js';
import { NO_REVISION, type Revision } from '../ground/revision.js';
import { StatusError } from '../ground/status.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type KeyRange, addressOf, scopeRange } from '../store/key.js';
import { StoreError } from '../store/store-error.js';
import { type Scope } from '../watch/scope.js';
import { tooLargeRevision, type WatchCache } from '../watch/watch-cache.js';
import { cacheOf, type Call } from './call.js';
import { computedOf, listComputed } from './computed.js';
import { continueExpired, listExpired, nextPageToken } from './continue-token.js';
import { type ListOptions } from './list-options.js';
import { planList, narrowScope, type ReadPlan } from './read-plan.js';
import { present } from './resource.js';
import { selectionOf } from './selection-of.js';

export interface ListResult {
  /** What the list's metadata names: all its items are of this state (invariant 5). 0: of none, and nothing is named. */
  readonly revision: Revision;
  /** In key order, in the version that was asked for. */
  readonly items: readonly StoredObject[];
  /** `''` on the last page. */
  readonly continueToken: string;
  /** Objects behind this page; undefined on the last one and when selectors leave some out. */
  readonly remaining: number | undefined;
}

/**
 * Lists the objects of a collection.
 *
 * Errors: 400 for tokens and versions that cannot be read; 410 when the state asked for has been compacted; 504 when it
 * has not come in time.
 * Source: the plan follows read-plan.ts; pages end as in apiserver storage/cacher/cacher.go and storage/etcd3/store.go.
 */
export async function list(call: Call, options: ListOptions): Promise<ListResult> {
  const { resource } = call;
  const computed = computedOf(call);
  if (computed !== undefined) {
    const items = listComputed(call, computed, selectionOf(call, options));
    return { revision: NO_REVISION, items, continueToken: '', remaining: undefined };
  }
  const { prefix } = resource.store;
  const cache = cacheOf(call);
  const scope = narrowScope(options, { namespace: call.namespace, namespaced: resource.namespaced });
  const plan = planList(options, { single: scope.name !== undefined, readJson });
  const state = await stateOf(call, plan);
  const selection = selectionOf(call, options);
  const whole = scopeRange(prefix, scope.namespace);
  const range: KeyRange =
    state.startKey === undefined ? whole : { start: whole.start + state.startKey, end: whole.end };
  // Without a cache, as on a real server, even a list "as old as may be" is read from the store, in pages.
  const limit = cache.mode === 'direct' && options.limit > 0 ? options.limit : plan.limit;
  try {
    // A page without selectors needs one object more than it shows; behind it the others are only counted.
    const wanted = selection === undefined && limit !== undefined ? limit + 1 : undefined;
    const found = scope.name === undefined ? state.read(range, wanted) : single(state, prefix, scope);
    const page = cutPage(found, selection, limit);
    const last = page.last;
    if (state.fromCache) cache.metrics.listed(found.length, page.items.length);
    const more = last !== undefined;
    return {
      revision: state.revision,
      items:
        resource.conversion === undefined && resource.store.rules?.shown === undefined
          ? page.items
          : page.items.map((object) => present(resource, object)),
      continueToken: more
        ? nextPageToken(state.revision, last.key.slice(whole.start.length), state.fromCache)
        : '',
      remaining: more && selection === undefined ? state.count(range) - page.items.length : undefined,
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.why.kind === 'compacted') {
      throw state.startKey === undefined ? listExpired() : continueExpired(state.startKey);
    }
    if (error.why.kind === 'future-revision') {
      throw tooLargeRevision(plan.kind === 'exact' ? plan.asked : error.why.asked, error.why.current, 0);
    }
    throw error;
  }

  function single(from: ReadState, keys: string, { namespace, name }: Scope): readonly StoredObject[] {
    const { key } = addressOf(keys, namespace ?? '', name ?? '');
    return from.read({ start: key, end: `${key}\0` });
  }
}

interface ReadState {
  readonly revision: Revision;
  readonly fromCache: boolean;
  readonly startKey: string | undefined;
  readonly read: (range: KeyRange, limit?: number) => readonly StoredObject[];
  readonly count: (range: KeyRange) => number;
}

/** Brings about the state that the plan names, waiting for it where the plan says so. */
async function stateOf(call: Call, plan: ReadPlan): Promise<ReadState> {
  const cache = cacheOf(call);
  const { store } = call.cluster;
  const cached = (startKey?: string, fromCache = true): ReadState => ({
    revision: cache.revision,
    fromCache: fromCache && cache.mode === 'cached',
    startKey,
    read: (range, limit) => cache.range(range, limit).items,
    count: (range) => cache.count(range),
  });
  const stored = (): ReadState => ({
    revision: store.revision,
    fromCache: false,
    startKey: undefined,
    read: (range, limit = Infinity) => store.range({ ...range, limit }).items,
    count: (range) => store.count(range),
  });
  switch (plan.kind) {
    case 'cache-now':
      return cached();
    case 'not-older':
      if (plan.wait && cache.mode === 'cached') await cache.awaitRevision(plan.revision, plan.asked);
      else if (plan.revision > store.revision)
        throw tooLargeRevision(plan.asked, store.revision, cache.mode === 'cached' ? 0 : 1);
      return plan.wait ? cached() : stored();
    case 'consistent':
      // A cache that does not catch up in time is passed by. Source: apiserver storage/cacher/delegator.go.
      return (await caughtUp(cache)) ? cached(undefined, plan.from === 'cache') : stored();
    case 'consistent-continue':
      await cache.fresh();
      return cached(plan.startKey);
    case 'exact':
      // A cache is waited for, and so comes to where the store is; the store says at once that it is not so far.
      if (plan.from === 'cache' && cache.mode === 'cached')
        await cache.awaitRevision(plan.revision, plan.asked);
      return {
        revision: plan.revision,
        fromCache: plan.from === 'cache' && cache.mode === 'cached',
        startKey: plan.startKey,
        read: (range, limit = Infinity) => store.range({ ...range, limit, at: plan.revision }).items,
        count: (range) => store.count({ ...range, at: plan.revision }),
      };
  }
}

/** Shape: false when the cache has not come to what the store showed in time. */
async function caughtUp(cache: WatchCache): Promise<boolean> {
  try {
    await cache.fresh();
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}

interface Page {
  readonly items: readonly StoredObject[];
  /** The last object that was looked at, when there are further ones: the next page begins behind it. */
  readonly last: StoredObject | undefined;
}

/** Whether there is more is known before selectors are asked, so a last page can be empty. */
function cutPage(
  found: readonly StoredObject[],
  matches: ((object: ApiObject) => boolean) | undefined,
  limit: number | undefined,
): Page {
  if (matches === undefined) {
    const cut = limit !== undefined && found.length > limit;
    return { items: cut ? found.slice(0, limit) : found, last: cut ? found[limit - 1] : undefined };
  }
  const items: StoredObject[] = [];
  for (const [i, object] of found.entries()) {
    if (!matches(object.object)) continue;
    items.push(object);
    if (items.length === limit) return { items, last: i < found.length - 1 ? object : undefined };
  }
  return { items, last: undefined };
}
