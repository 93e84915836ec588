/**
 * What the facts about the API cannot say of a kind: small pure functions, one file per kind under kinds/. Everything
 * regular (generation, status isolation, what a delete answers, field selectors by path) comes from the strategies.
 */
import { type Clock } from '../ground/clock.js';
import { type FieldError } from '../ground/field-error.js';
import { type ApiObject } from '../ground/object.js';
import { type Random } from '../ground/random.js';

/** What a rule may ask of the cluster. Reads are of the current state. */
export interface KindContext {
  readonly clock: Clock;
  readonly random: Random;
  /** @param namespace `''` for cluster-scoped resources */
  find(group: string, resource: string, namespace: string, name: string): ApiObject | undefined;
}

/** One version of a resource that is stored in another one. Both ways keep metadata as it is. */
export interface Conversion {
  readonly apiVersion: string;
  readonly fromStorage: (object: ApiObject) => ApiObject;
  readonly toStorage: (object: ApiObject) => ApiObject;
}

export interface DeletionWish {
  /** undefined: not given. */
  readonly gracePeriodSeconds: number | undefined;
}

export interface KindRules {
  readonly group: string;
  readonly resource: string;
  /** Field selectors that are not simply the value at their path. A missing value is `''`. */
  readonly fields?: Readonly<Record<string, (object: ApiObject) => string>>;
  /** Other versions than the stored one. */
  readonly conversions?: readonly Conversion[];
  /** Watched in etcd itself on a real server: no watch cache, no bookmarks. */
  readonly uncached?: true;
  /** After decoding and system fields, before validation. Answers the object to go on with; never changes its argument. */
  readonly prepareForCreate?: (object: ApiObject, context: KindContext) => ApiObject;
  /** As prepareForCreate, for an update of the main resource or (named) of a subresource. */
  readonly prepareForUpdate?: (
    next: ApiObject,
    previous: ApiObject,
    subresource: string,
    context: KindContext,
  ) => ApiObject;
  readonly validateCreate?: (object: ApiObject) => readonly FieldError[];
  readonly validateUpdate?: (
    next: ApiObject,
    previous: ApiObject,
    subresource: string,
  ) => readonly FieldError[];
  /** Names that are not DNS subdomains. Answers the detail of the error; `''` when the name is good. */
  readonly nameProblem?: (name: string, isPrefix: boolean) => string;
  /** Throws a StatusError when the object may not be deleted. */
  readonly admitDelete?: (object: ApiObject) => void;
  /** Seconds of grace a delete gives; 0: goes at once. undefined rule: the kind knows no grace. */
  readonly graceSeconds?: (object: ApiObject, wish: DeletionWish) => number;
  /**
   * What a first delete stores instead of removing the object, beyond deletionTimestamp and finalizers; undefined:
   * nothing beyond that holds it.
   */
  readonly holdOnDelete?: (object: ApiObject) => ApiObject | undefined;
  /** Whether a terminating object has come to its end apart from metadata.finalizers. @default true */
  readonly mayBeRemoved?: (object: ApiObject) => boolean;
}
