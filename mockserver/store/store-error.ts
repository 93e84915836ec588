/** What can go wrong in a store, as values; registry/store-status.ts alone words it for clients. */
import { type Revision } from '../ground/revision.js';
import { type StoredObject } from '../ground/stored-object.js';

export type StoreErrorKind =
  | { readonly kind: 'key-exists'; readonly key: string; readonly existing: StoredObject }
  | { readonly kind: 'key-not-found'; readonly key: string }
  | {
      readonly kind: 'revision-mismatch';
      readonly key: string;
      readonly expected: Revision;
      readonly actual: StoredObject;
    }
  | { readonly kind: 'compacted'; readonly asked: Revision; readonly compacted: Revision }
  | { readonly kind: 'future-revision'; readonly asked: Revision; readonly current: Revision };

export class StoreError extends Error {
  readonly why: StoreErrorKind;
  constructor(why: StoreErrorKind) {
    super(
      `${why.kind}: ${JSON.stringify(why, (name, value: unknown) => (name === 'existing' || name === 'actual' ? undefined : value))}`,
    );
    this.name = 'StoreError';
    this.why = why;
  }
}
