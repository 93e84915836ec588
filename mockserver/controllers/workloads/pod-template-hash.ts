/** The hash that tells the ReplicaSets of a Deployment apart. */
import {
  compareUtf8,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../ground/json.js';
import { writeJson } from '../../ground/json-write.js';

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

/** Members sorted, so that equal templates have equal texts. */
function sorted(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => compareUtf8(a, b));
  return Object.fromEntries(members.map(([name, inner]) => [name, sorted(inner)]));
}

/**
 * The same for the same template and count; another count gives another hash when two templates share one.
 *
 * Source: kubernetes pkg/controller/controller_utils.go, ComputeHash, which hashes Go's own dump of the template: the
 * letters differ from those of a real cluster, nothing else does.
 */
export function podTemplateHash(template: JsonObject, collisionCount: number | undefined): string {
  const count = Buffer.alloc(collisionCount === undefined ? 0 : 8);
  if (collisionCount !== undefined) count.writeUInt32LE(collisionCount);
  const hash = fnv(Buffer.concat([Buffer.from(writeJson(sorted(template))), count]));
  return String(hash).replace(/\d/g, (digit) => LETTERS[digit.charCodeAt(0) % LETTERS.length] ?? '');
}
