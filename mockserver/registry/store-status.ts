/** Turns what a store says into what a client is told: the one place that words store errors. */
import { type GroupResource } from '../ground/kind.js';
import { alreadyExists, conflict, expired, MODIFIED_SINCE, notFound } from '../ground/status.js';
import { deletionTimestampOf } from '../ground/object.js';
import { StoreError } from '../store/store-error.js';
import { tooLargeRevision } from '../watch/watch-cache.js';

export const LIST_TOO_OLD = 'The resourceVersion for the provided list is too old.';

/**
 * Shape: a StatusError for a StoreError, anything else as it is.
 * Source: apiserver registry/generic/registry/store.go with storage/errors/storage.go (InterpretCreateError etc.).
 */
export function storeStatus(error: unknown, of: GroupResource, name: string): unknown {
  if (!(error instanceof StoreError)) return error;
  const { why } = error;
  switch (why.kind) {
    case 'key-exists':
      return alreadyExists(of, name, deletionTimestampOf(why.existing.object) !== undefined);
    case 'key-not-found':
      return notFound(of, name);
    case 'revision-mismatch':
      return conflict(of, name, MODIFIED_SINCE);
    case 'compacted':
      return expired(LIST_TOO_OLD);
    case 'future-revision':
      return tooLargeRevision(why.asked, why.current, 0);
  }
}
