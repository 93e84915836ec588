/** The largest object that is stored: etcd's own limit on a request. */
import { writeJson } from '../ground/json-write.js';
import { type ApiObject } from '../ground/object.js';
import { bareError } from '../ground/status.js';
import { type Call } from './call.js';
import { stamp } from './meta-stamp.js';

const LIMIT_BYTES = 1_572_864;

/**
 * The object as it is stored: one that is too large goes without its managedFields, unless it was applied.
 *
 * Errors: 500 without a reason, as etcd's refusal comes through. Source: apiserver endpoints/handlers/create.go, update.go, patch.go.
 */
export function storable(call: Call, object: ApiObject, owners: 'tracked' | 'reset' | 'settled'): ApiObject {
  if (fits(call, object)) return object;
  const bare = owners === 'settled' ? object : stamp(call.resource, object, { managedFields: undefined });
  if (!fits(call, bare)) throw bareError(500, 'etcdserver: request is too large');
  return bare;
}

/** Deviation: a real server measures the form it stores, protobuf for built-in kinds, which is a little shorter. */
function fits(call: Call, object: ApiObject): boolean {
  // Only a large body, or a small patch of a large object, can exceed it; measuring each write would cost an encoding.
  return call.largest < LIMIT_BYTES / 2 || Buffer.byteLength(writeJson(object)) <= LIMIT_BYTES;
}
