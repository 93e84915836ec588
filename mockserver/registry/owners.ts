/** Owner references: duplicates are dropped, with a warning. */
import {
  arrayMember,
  isJsonObject,
  jsonEqual,
  stringMember,
  type JsonArray,
  type JsonValue,
} from '../ground/json.js';
import { type ApiObject } from '../ground/object.js';
import { type Call } from './call.js';

/**
 * The owner references without repetitions, undefined when there are none.
 * Source: apiserver endpoints/handlers/create.go, dedupOwnerReferencesAndAddWarning.
 */
export function dedupOwners(call: Call, object: ApiObject): JsonArray | undefined {
  const owners = arrayMember(object.metadata, 'ownerReferences');
  if (owners === undefined || owners.length < 2) return owners;
  const kept: JsonValue[] = [];
  const repeated: string[] = [];
  for (const owner of owners) {
    if (!kept.some((other) => jsonEqual(other, owner))) kept.push(owner);
    else repeated.push((isJsonObject(owner) ? stringMember(owner, 'uid') : undefined) ?? '');
  }
  if (repeated.length > 0) {
    call.warn(
      `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
    );
  }
  return kept;
}
