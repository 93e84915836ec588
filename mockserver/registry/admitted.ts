/** Admission by the plugins of a kind. */
import { type ApiObject } from '../ground/object.js';
import { type Call, contextOf } from './call.js';
import { workingCodec } from './resource.js';

/**
 * An object that is created, or updated through its main resource, as the plugins leave it: in the working form, in wire
 * order.
 *
 * Errors: those of the plugins.
 */
export function admitted(call: Call, object: ApiObject, previous: ApiObject | undefined): ApiObject {
  const { resource } = call;
  const next = resource.store.rules?.admit?.(object, previous, contextOf(call));
  return next === undefined || next === object ? object : workingCodec(resource).arrange(next);
}
