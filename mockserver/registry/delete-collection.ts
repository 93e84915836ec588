/** The deletecollection verb. */
import { nameOf, namespaceOf } from '../ground/object.js';
import { serviceUnavailable, StatusError } from '../ground/status.js';
import { type Call } from './call.js';
import { type DeleteRequest, remove, warnOfDeletion } from './delete.js';
import { list, type ListResult } from './list.js';
import { type ListOptions } from './list-options.js';

/** Deletes between two turns of the event loop, so that a large collection does not hold up everybody else. */
const BATCH = 100;

/**
 * Deletes what a list of the collection finds, with `limit` only its first page.
 *
 * Shape: the list as it was before.
 * Errors: those of the list; the first of a delete, except that an object that is gone already is no error; 503 when the
 * cluster has gone back to a snapshot meanwhile.
 * Source: apiserver registry/generic/registry/store.go, DeleteCollection.
 */
export async function deleteCollection(
  call: Call,
  options: ListOptions,
  request: DeleteRequest,
): Promise<ListResult> {
  const { pace, restorations } = call.cluster;
  const checkObjects = (): void => {
    if (call.cluster.restorations !== restorations)
      throw serviceUnavailable('the cluster has gone back to other objects');
  };
  warnOfDeletion(call, request);
  const found = await list(call, options);
  checkObjects();
  for (const [i, { object }] of found.items.entries()) {
    if (i > 0 && i % BATCH === 0) {
      await new Promise<void>((resolve) => void pace.soon(resolve));
      checkObjects();
    }
    try {
      remove({ ...call, namespace: namespaceOf(object), name: nameOf(object) }, request);
    } catch (error) {
      if (!(error instanceof StatusError) || error.status.reason !== 'NotFound') throw error;
    }
  }
  return found;
}
