/**
 * What the facts about the API cannot say of a kind: small pure functions, one file per kind under kinds/. Everything
 * regular (generation, status isolation, what a delete answers, field selectors by path) comes from the strategies.
 */
import { type FieldError } from '../ground/field-error.js';
import { type JsonObject } from '../ground/json.js';
import { type ApiObject } from '../ground/object.js';
import { type StatusError } from '../ground/status.js';
import { type ReplicasPaths } from '../patch/scale-ownership.js';
import { type Action } from './action.js';
import { type Connection } from './connection.js';
import { type KindContext } from './kind-context.js';

/**
 * One version of a resource that is stored in another one. Metadata stays as it is, but for annotations that carry what
 * the other version has no field for.
 */
export interface Conversion {
  readonly apiVersion: string;
  readonly fromStorage: (object: ApiObject) => ApiObject;
  readonly toStorage: (object: ApiObject) => ApiObject;
}

/** The way a write came. */
export interface WriteRequest {
  /** Of the path, such as `example.io/v1`; the objects themselves are in the stored form. */
  readonly apiVersion: string;
  /** `''` for the main resource. */
  readonly subresource: string;
}

/** The state that a delete expects; undefined: any. */
export interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** The options of a delete, as given. */
export interface DeletionWish {
  /** Seconds; undefined: not given. */
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
}

/** A resource whose objects are made when they are read, and never stored or watched. */
export interface ComputedObjects {
  readonly objects: () => readonly ApiObject[];
  /** What a 404 calls the resource. */
  readonly notFoundResource: string;
}

/**
 * A subresource that shows its object in another kind (a Scale). Objects are in the version of the path; what is shown
 * has the members of its own kind only.
 */
export interface SubresourceView {
  /** Where the resource's versions keep the one number that the view shares with it. */
  readonly replicasPaths: ReplicasPaths;
  /** Errors: StatusErrors. */
  readonly show: (object: ApiObject) => ApiObject;
  /** What a patch is put upon, where that differs. */
  readonly patchBase?: (object: ApiObject) => ApiObject;
  /**
   * The object with what was sent to the subresource put into it; its resourceVersion becomes what was sent too.
   *
   * Errors: StatusErrors of the view's own validation.
   */
  readonly put: (object: ApiObject, sent: ApiObject) => ApiObject;
}

/** A subresource that is not simply a part of its object; one of the three. */
export interface SubresourceRules {
  readonly view?: SubresourceView;
  readonly action?: Action;
  readonly connection?: Connection;
  /** Other versions than the subresource's own in which its kind is taken: `policy/v1beta1`. */
  readonly alsoTakes?: readonly string[];
}

export interface KindRules {
  readonly group: string;
  readonly resource: string;
  /**
   * Field selectors that are not simply the value at their path, read from the stored form. A missing value is `''`.
   * One table serves all versions: which names a version knows is said by the strategies.
   */
  readonly fields?: Readonly<Record<string, (object: ApiObject) => string>>;
  /** The message (400) for a field that may not be selected by. @default `field label not supported: <field>` */
  readonly fieldRefused?: (field: string) => string;
  /** Other versions than the stored one. */
  readonly conversions?: readonly Conversion[];
  /** Watched in etcd itself on a real server: no watch cache, no bookmarks. */
  readonly uncached?: true;
  /** They go by themselves, `eventTtlMs` after their last write. */
  readonly expires?: true;
  /** A real server keeps these objects as JSON and not as protobuf: lists that were sent empty stay so. */
  readonly storedAsJson?: true;
  /** What readers see of an object, where that is less than what is stored. Answers its argument when nothing changes. */
  readonly shown?: (object: ApiObject) => ApiObject;
  readonly computed?: ComputedObjects;
  /** The metadata of an object that has nothing else, as bookmarks show it: with what conversion adds. */
  readonly blankMetadata?: (metadata: JsonObject) => JsonObject;
  /** What a create does in place of storing the object. */
  readonly action?: Action;
  /** Whether the action is given the uid and the creationTimestamp that were sent. */
  readonly keepsIdentity?: true;
  readonly subresources?: Readonly<Record<string, SubresourceRules>>;
  /** Text of the `Warning` header of every request on the resource. */
  readonly requestWarning?: string;
  /** Text of the `Warning` header of a delete, of one object or of a collection. */
  readonly deleteWarning?: (wish: DeletionWish) => string | undefined;
  /**
   * What the cluster gives an object from its pools, before everything else of a create (`previous` undefined) or of an
   * update of the main resource. Errors refuse the write, before any other validation.
   */
  readonly allocate?: (
    object: ApiObject,
    previous: ApiObject | undefined,
    context: KindContext,
    dryRun: boolean,
  ) => { readonly object: ApiObject; readonly errors: readonly FieldError[] };
  /**
   * After decoding and system fields (the name is final), before validation. Answers the object to go on with; never
   * changes its argument.
   */
  readonly prepareForCreate?: (object: ApiObject, context: KindContext) => ApiObject;
  /** As prepareForCreate, for an update of the main resource or of a subresource. */
  readonly prepareForUpdate?: (
    next: ApiObject,
    previous: ApiObject,
    request: WriteRequest,
    context: KindContext,
  ) => ApiObject;
  /**
   * @param found errors of metadata, which stand before those answered; with `placesMetadata` where the answer has them
   */
  readonly validateCreate?: (
    object: ApiObject,
    request: WriteRequest,
    found?: readonly FieldError[],
  ) => readonly FieldError[];
  /** What validateCreate answers has the errors of metadata too, where a real server finds them. */
  readonly placesMetadata?: true;
  readonly validateUpdate?: (
    next: ApiObject,
    previous: ApiObject,
    request: WriteRequest,
    found?: readonly FieldError[],
  ) => readonly FieldError[];
  /**
   * Texts of `Warning` headers of a write that is valid.
   * @param previous undefined on a create
   */
  readonly writeWarnings?: (
    next: ApiObject,
    previous: ApiObject | undefined,
    request: WriteRequest,
  ) => readonly string[];
  /**
   * Problems of a name, where the form in kinds/names.ts does not say it all: the details of one error each; empty when
   * the name is good. Asked with the name, and with generateName as a prefix.
   */
  readonly nameProblems?: (name: string, isPrefix: boolean, object: ApiObject) => readonly string[];
  /** Throws a StatusError when the object may not be deleted. */
  readonly admitDelete?: (object: ApiObject) => void;
  /** What a delete whose preconditions do not hold is answered, where the kind has words of its own. */
  readonly preconditionConflict?: (object: ApiObject, wanted: Preconditions) => StatusError | undefined;
  /** Seconds of grace a delete gives; 0: goes at once. undefined rule: the kind knows no grace. */
  readonly graceSeconds?: (object: ApiObject, wish: DeletionWish) => number;
  /**
   * What the first delete stores, always, in place of what it stores of other kinds: the object with the finalizers that
   * it is to have. The caller sets deletionTimestamp (but no deletionGracePeriodSeconds) and leaves the generation.
   * Not asked when the object has a deletionTimestamp.
   */
  readonly holdOnDelete?: (object: ApiObject, wish: DeletionWish, context: KindContext) => ApiObject;
  /**
   * Whether a terminating object may go, apart from metadata.finalizers. While it may not, a further delete answers the
   * object unchanged. @default true
   */
  readonly mayBeRemoved?: (object: ApiObject) => boolean;
}
