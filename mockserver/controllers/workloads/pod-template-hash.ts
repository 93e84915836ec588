/** The hash that tells the ReplicaSets of a Deployment apart. */
import { type GoLayouts } from '../../../openapi/go-layouts.js';
import { type JsonObject } from '../../ground/json.js';
import { goDump } from '../../schema/go-dump.js';

/** Those of generated names: no vowels, so no words. Source: apimachinery util/rand. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1a, 32 bits. */
function fnv(bytes: Uint8Array): number {
  let hash = OFFSET;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, PRIME) >>> 0;
  return hash;
}

/**
 * That of a real cluster; another count gives another hash when two templates share one.
 *
 * Source: kubernetes pkg/controller/controller_utils.go, ComputeHash.
 */
export function podTemplateHash(
  layouts: GoLayouts,
  template: JsonObject,
  collisionCount: number | undefined,
): string {
  const count = Buffer.alloc(collisionCount === undefined ? 0 : 8);
  if (collisionCount !== undefined) count.writeUInt32LE(collisionCount);
  const text = goDump(layouts, 'v1.PodTemplateSpec', template);
  const hash = fnv(Buffer.concat([Buffer.from(text), count]));
  return String(hash).replace(/\d/g, (digit) => LETTERS[digit.charCodeAt(0) % LETTERS.length] ?? '');
}
