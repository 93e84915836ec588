/** Secrets: stringData is written over data, in base64, and vanishes. */
import { type JsonObject, compareUtf8, objectMember } from '../../ground/json.js';
import { type WrittenDefault } from './written-default.js';

/** Source: kubernetes apis/core/v1/conversion.go, Convert_v1_Secret_To_core_Secret. */
export const secretDefaults: readonly WrittenDefault[] = [
  { message: 'k8s.io.api.core.v1.Secret', fill: withoutStringData, rules: ['d144'] },
];

function withoutStringData(secret: JsonObject): JsonObject {
  const texts = objectMember(secret, 'stringData');
  if (texts === undefined) return secret;
  const { stringData: _, ...rest } = secret;
  const all = new Map(Object.entries(objectMember(secret, 'data') ?? {}));
  for (const [name, text] of Object.entries(texts)) {
    all.set(name, Buffer.from(typeof text === 'string' ? text : '').toString('base64'));
  }
  if (all.size === 0) return rest;
  // fromEntries defines members, also one named __proto__.
  return { ...rest, data: Object.fromEntries([...all].sort(([a], [b]) => compareUtf8(a, b))) };
}
