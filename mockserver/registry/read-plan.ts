/**
 * Which state a read shows, decided from its options alone.
 *
 * Source: the table "semantics for get and list" of the API concepts; apiserver storage/interfaces.go,
 * storage/cacher/{cacher,delegator,watch_cache}.go.
 */
import { dns1123LabelProblems, pathSegmentProblems } from '../ground/name-syntax.js';
import { fieldErrorText, invalid } from '../ground/field-error.js';
import { NO_REVISION, type Revision, parseResourceVersion } from '../ground/revision.js';
import { badRequest, bareError } from '../ground/status.js';
import { type ReadJson, decodeContinueToken } from './continue-token.js';
import { type GetOptions } from './get-options.js';
import { type ListOptions } from './list-options.js';
import { type Scope } from '../watch/scope.js';

export type ReadPlan = StatePlan & {
  /** Most objects in the answer; undefined: all. */
  readonly limit: number | undefined;
};

type StatePlan =
  /** What the cache holds, as old as it may be. */
  | { readonly kind: 'cache-now' }
  /**
   * The cache, once it has come to `revision`. Without `wait` the store is asked at once: a version of the future is
   * refused without a pause and without advice when to retry.
   */
  | {
      readonly kind: 'not-older';
      readonly revision: Revision;
      readonly asked: string;
      readonly wait: boolean;
    }
  /** Nothing older than this moment. `from: 'store'`: past the cache, which shows in the form of continue tokens. */
  | { readonly kind: 'consistent'; readonly from: 'cache' | 'store' }
  /** The state at one revision, which may be compacted or in the future. */
  | {
      readonly kind: 'exact';
      readonly revision: Revision;
      /** The version as it stands in errors. */
      readonly asked: string;
      readonly from: 'cache' | 'store';
      /** Where a further page begins. */
      readonly startKey?: string;
    }
  /** The rest of a list whose revision is gone, at the state of now. */
  | { readonly kind: 'consistent-continue'; readonly startKey: string };

export interface ListPlanOptions {
  /** Whether the key range has been narrowed to one object (see `narrowScope`): then there are no pages. */
  readonly single: boolean;
  readonly readJson: ReadJson;
}

/**
 * The plan of a list.
 *
 * Errors: 400 for a bad continue token, for a version beside a token, and for a version that is no number.
 */
export function planList(options: ListOptions, { single, readJson }: ListPlanOptions): ReadPlan {
  const { resourceVersion: text, resourceVersionMatch: match, continueToken } = options;
  // The text "0", not the value: "00" is taken for a version, and its limit holds.
  const limit = options.limit > 0 && text !== '0' ? options.limit : undefined;

  if (!single && continueToken !== '') {
    const { revision, startKey } = decodeContinueToken(continueToken, readJson);
    if (text !== '' && text !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    return revision === undefined
      ? { kind: 'consistent-continue', startKey, limit }
      : { kind: 'exact', revision, asked: String(revision), from: 'cache', startKey, limit };
  }

  if (text === '') {
    return match === '' ? { kind: 'consistent', from: 'cache', limit } : { kind: 'cache-now', limit };
  }
  const parsed = parse(text);
  if (!parsed.ok) throw badRequest(`invalid resource version: ${parsed.error}`);
  const { revision, asked } = parsed;

  const legacyExact = match === '' && text !== '0' && limit !== undefined;
  if (match === 'Exact' || (legacyExact && !single)) {
    return revision === NO_REVISION
      ? { kind: 'consistent', from: 'store', limit }
      : { kind: 'exact', revision, asked, from: single ? 'store' : 'cache', limit };
  }
  if (legacyExact) {
    return revision === NO_REVISION
      ? { kind: 'consistent', from: 'store', limit }
      : { kind: 'not-older', revision, asked, wait: false, limit };
  }
  return revision === NO_REVISION
    ? { kind: 'cache-now', limit }
    : { kind: 'not-older', revision, asked, wait: true, limit };
}

export type GetPlan = Extract<StatePlan, { kind: 'cache-now' | 'not-older' | 'consistent' }>;

/** The plan of a read of one object. Errors: 500 without a reason for a version that is no number. */
export function planGet({ resourceVersion: text }: GetOptions): GetPlan {
  if (text === '') return { kind: 'consistent', from: 'store' };
  const parsed = parse(text);
  if (!parsed.ok) throw bareError(500, parsed.error);
  const { revision, asked } = parsed;
  return revision === NO_REVISION
    ? { kind: 'cache-now' }
    : { kind: 'not-older', revision, asked, wait: true };
}

export type WatchPlan =
  | {
      /** The state as ADDED events, then what follows. */
      readonly kind: 'initial-events';
      /** `latest`: of the store, at this moment; `any`: as old as the cache may be. */
      readonly notOlderThan: Revision | 'latest' | 'any';
      /** `notOlderThan` as it stands in errors. */
      readonly asked: string;
      /** Whether a bookmark ends the initial events. */
      readonly bookmark: boolean;
    }
  /** What lies above a version: out of the window, then live. */
  | { readonly kind: 'from'; readonly afterRevision: Revision }
  /** What is to come after the latest version of the store, or after where the cache stands. */
  | { readonly kind: 'now'; readonly at: 'latest' | 'any' };

/** The plan of a watch. Errors: 500 without a reason for a version that is no number. */
export function planWatch(options: ListOptions): WatchPlan {
  const { resourceVersion: text, sendInitialEvents, allowWatchBookmarks } = options;
  const parsed = parse(text === '' ? '0' : text);
  if (!parsed.ok) throw bareError(500, parsed.error);
  const { revision, asked } = parsed;
  const unset = text === '';

  if (sendInitialEvents === true) {
    const notOlderThan = unset ? 'latest' : revision === NO_REVISION ? 'any' : revision;
    return { kind: 'initial-events', notOlderThan, asked, bookmark: allowWatchBookmarks };
  }
  if (revision !== NO_REVISION) return { kind: 'from', afterRevision: revision };
  if (sendInitialEvents === false) return { kind: 'now', at: unset ? 'latest' : 'any' };
  return { kind: 'initial-events', notOlderThan: 'any', asked, bookmark: false };
}

type ParsedVersion =
  | { readonly ok: true; readonly revision: Revision; readonly asked: string }
  | { readonly ok: false; readonly error: string };

function parse(text: string): ParsedVersion {
  const parsed = parseResourceVersion(text);
  return parsed.ok
    ? { ok: true, revision: parsed.value, asked: BigInt(text).toString() }
    : {
        ok: false,
        error: `resourceVersion: ${fieldErrorText(invalid('resourceVersion', text, parsed.why))}`,
      };
}

/**
 * The key range of a list or watch: that of the path, narrowed by a field selector for one namespace or one name.
 *
 * A list that goes on with a token is not narrowed, so a token is relative to all keys of the path (and one that a
 * narrowed first page gave out means another place then). A watch has no use for a token: hand in `''`.
 * Source: apiserver registry/generic/registry/store.go, ListPredicate and WatchPredicate.
 */
export function narrowScope(
  options: Pick<ListOptions, 'fields' | 'continueToken'>,
  { namespace, namespaced }: { readonly namespace: string | undefined; readonly namespaced: boolean },
): Scope {
  const { fields, continueToken } = options;
  const fixed: Scope = namespace === undefined || namespace === '' ? {} : { namespace };
  if (continueToken !== '') return fixed;
  const selected = fields.exactValueOf('metadata.namespace');
  const scope: Scope =
    namespaced && fixed.namespace === undefined && selected !== undefined && isNamespaceName(selected)
      ? { namespace: selected }
      : fixed;
  const name = fields.exactValueOf('metadata.name');
  const hasKey = name !== undefined && name !== '' && pathSegmentProblems(name).length === 0;
  return hasKey && (!namespaced || scope.namespace !== undefined) ? { ...scope, name } : scope;
}

const isNamespaceName = (name: string): boolean => dns1123LabelProblems(name).length === 0;
