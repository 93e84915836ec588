/** etcd's role: keys → objects at revisions, one revision sequence, compaction. */
import { type ApiObject } from '../ground/object.js';
import { type Revision } from '../ground/revision.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type Change } from './change.js';
import { type Address } from './key.js';
import { type StoreImage } from './store-image.js';

/**
 * Makes the object that a commit stores. It is called once, when the revision is known, and must put that
 * revision into metadata.resourceVersion (invariant 1). The store freezes what it answers.
 */
export type Draft = (revision: Revision) => ApiObject;

/** Told of each change of its prefix within the turn of the commit, in revision order. Must not throw or write. */
export type Subscriber = (change: Change) => void;

export interface RangeQuery {
  /** First key that may be answered (inclusive). */
  readonly start: string;
  /** First key after the range (exclusive). */
  readonly end: string;
  /** The state after the commit of this revision. @default the current one */
  readonly at?: Revision;
  /** @default no limit */
  readonly limit?: number;
}

export interface RangeResult {
  /** In key order; frozen objects. */
  readonly items: readonly StoredObject[];
  /** Whether the range holds further objects. */
  readonly more: boolean;
}

/** A write states what it expects of the key and fails, changing nothing, when that is not so. */
export interface Store {
  /** The last commit. */
  readonly revision: Revision;
  /** Reads at a lower revision are refused. 0 = nothing has been dropped. */
  readonly compactedRevision: Revision;

  /** The object now. Shape: undefined when there is none. */
  get(key: string): StoredObject | undefined;
  /**
   * Objects of a key range at one revision (invariant 5).
   * Errors: StoreError 'compacted' below compactedRevision, 'future-revision' above revision.
   */
  range(query: RangeQuery): RangeResult;
  /** How many objects the range holds. Errors: as `range`. */
  count(query: Omit<RangeQuery, 'limit'>): number;

  /** Errors: StoreError 'key-exists'. */
  create(address: Address, draft: Draft): Change;
  /** Replaces the object that stands at `expected`. Errors: 'key-not-found', 'revision-mismatch'. */
  update(address: Address, expected: Revision, draft: Draft): Change;
  /** Errors: 'key-not-found', 'revision-mismatch'. */
  delete(address: Address, expected: Revision): Change;

  /**
   * Drops what only reads below `at` could see.
   * Errors: 'compacted' when that has been dropped already, 'future-revision' above the current one.
   */
  compact(at: Revision): void;

  /** Leaves revisions out, as if other keys had been written. Told as a commit. */
  skip(revisions: number): void;
  /**
   * Goes back to the state of a revision: what came later is gone, and revisions are given anew. Subscribers stay and are
   * told nothing. Errors: StoreError as `range`.
   */
  rewind(at: Revision): void;
  /** The content of now, taken in the same time whatever its size. */
  image(): StoreImage;
  /**
   * Puts an image in the place of everything; subscribers stay and are told nothing.
   *
   * @param revision what the store goes on from: the image's own, or a higher one that no client has passed
   */
  restore(image: StoreImage, revision: Revision): void;

  /** Shape: a function that ends the subscription. */
  subscribe(prefix: string, subscriber: Subscriber): () => void;
  /** Told the prefix before every commit: whoever wants to be told of its changes may subscribe now. */
  beforeCommit(listener: (prefix: string) => void): () => void;
  /** Told after every commit, whatever its prefix, after that prefix's subscribers. */
  onCommit(listener: (revision: Revision) => void): () => void;
  /** Told after a compaction. */
  onCompaction(listener: (compacted: Revision) => void): () => void;
}
