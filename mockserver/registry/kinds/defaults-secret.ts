/** Secrets: stringData is written over data, in base64, and vanishes. */
import { type JsonObject, objectMember } from '../../ground/json.js';
import { sortedByName, without } from './members.js';
import { type WrittenDefault } from './written-default.js';

/** Source: kubernetes apis/core/v1/conversion.go, Convert_v1_Secret_To_core_Secret. */
export const secretDefaults: readonly WrittenDefault[] = [
  { message: 'k8s.io.api.core.v1.Secret', fill: withoutStringData, rules: ['d144'] },
];

function withoutStringData(secret: JsonObject): JsonObject {
  const texts = objectMember(secret, 'stringData');
  if (texts === undefined) return secret;
  const rest = without(secret, 'stringData');
  const all = new Map(Object.entries(objectMember(secret, 'data') ?? {}));
  for (const [name, text] of Object.entries(texts)) {
    all.set(name, Buffer.from(typeof text === 'string' ? text : '').toString('base64'));
  }
  if (all.size === 0) return rest;
  return { ...rest, data: sortedByName(Object.fromEntries(all)) };
}
