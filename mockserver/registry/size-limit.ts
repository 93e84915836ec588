/** The largest object that is stored: etcd's own limit on a request. */
import { writeJson } from '../ground/json-write.js';
import { type ApiObject } from '../ground/object.js';
import { bareError } from '../ground/status.js';
import { type Call } from './call.js';

const LIMIT_BYTES = 1_572_864;

/**
 * Errors: 500 without a reason, as etcd's refusal comes through.
 * Deviation: a real server measures the form it stores, protobuf for built-in kinds, which is a little shorter.
 */
export function refuseTooLarge(call: Call, object: ApiObject): void {
  // Only a large body, or a small patch of a large object, can exceed it; measuring each write would cost an encoding.
  if (call.largest < LIMIT_BYTES / 2) return;
  if (Buffer.byteLength(writeJson(object)) > LIMIT_BYTES)
    throw bareError(500, 'etcdserver: request is too large');
}
