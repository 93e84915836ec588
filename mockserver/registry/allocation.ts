/** What a kind is given from the cluster's pools on a write. */
import { type ApiObject } from '../ground/object.js';
import { invalidObject } from '../ground/status.js';
import { type Call, contextOf } from './call.js';
import { groupKindOf } from './resource.js';

export interface AllocationWish {
  readonly object: ApiObject;
  /** The stored object of an update; undefined for a create. */
  readonly previous: ApiObject | undefined;
  readonly name: string;
  readonly dryRun: boolean;
}

/**
 * The object with all that it is given, in wire order; the object itself when its kind is given nothing.
 *
 * Errors: 422, before any other validation; what the pools say when they are empty.
 */
export function allocated(call: Call, { object, previous, name, dryRun }: AllocationWish): ApiObject {
  const { resource } = call;
  // A status gives nothing away, also where it creates its object.
  if (call.subresource !== '') return object;
  const allocation = resource.store.rules?.allocate?.(object, previous, contextOf(call), dryRun);
  if (allocation === undefined) return object;
  if (allocation.errors.length > 0) throw invalidObject(groupKindOf(resource), name, allocation.errors);
  return resource.store.codec.arrange(allocation.object);
}
