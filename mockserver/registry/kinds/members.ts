/** Objects with other members than they had. */
import { type JsonObject, type MutableJsonObject, compareUtf8, copyObject } from '../../ground/json.js';

/** A copy without these members. */
export function without(object: JsonObject, ...names: readonly string[]): MutableJsonObject {
  const copy = copyObject(object);
  for (const name of names) Reflect.deleteProperty(copy, name);
  return copy;
}

/** A copy with its members in byte order of their names, as maps are written. */
export const sortedByName = (object: JsonObject): JsonObject =>
  // fromEntries defines members, also one named __proto__.
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => compareUtf8(a, b)));
