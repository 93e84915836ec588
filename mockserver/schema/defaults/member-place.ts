/** Members put into the order of the wire after some were added. */
import { type JsonObject, type MutableJsonObject } from '../../ground/json.js';

/**
 * The object with its members in the given order.
 *
 * Shape: a new object; what `order` does not name comes last, in its own order.
 */
export function inPlace(object: JsonObject, order: readonly string[]): JsonObject {
  const out: MutableJsonObject = {};
  let placed = 0;
  for (const name of order) {
    const value = object[name];
    if (value === undefined) continue;
    out[name] = value;
    placed++;
  }
  const names = Object.keys(object);
  if (names.length === placed) return out;
  for (const name of names) if (!Object.hasOwn(out, name)) out[name] = object[name] ?? null;
  return out;
}
