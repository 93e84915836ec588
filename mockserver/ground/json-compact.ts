/** Values in the form in which the engine keeps them in the least memory. */
import {
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  Float,
  isJsonArray,
  setMember,
} from './json.js';

/** Past so many members that are set one by one the engine makes a hash table of an object, several times the size. */
const MOST_SET_ONE_BY_ONE = 12;

/** Deeper parts stay as they are. */
const DEEPEST = 500;

/**
 * An equal value for keeping: arrays without room to grow, objects of one shape with all others of the same members.
 *
 * A copy by spreading that is frozen afterwards, as stored objects are, has a description of its own in V8, larger than
 * most objects; lists that grew by pushing have room for sixteen more.
 * Shape: frozen parts are taken over as they are, since they have been kept before or are shared on purpose.
 */
export const compactJson = <Value extends JsonValue>(value: Value): Value =>
  // What is made has the members and elements of what it was made from.
  compact(value, 0) as Value;

function compact(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (value instanceof Float || Object.isFrozen(value)) return value;
  if (isJsonArray(value)) return value.map((one) => compact(one, depth + 1));
  const names = Object.keys(value);
  return names.length > MOST_SET_ONE_BY_ONE ? wide(value, depth) : narrow(value, names, depth);
}

function narrow(value: JsonObject, names: readonly string[], depth: number): JsonObject {
  const out: MutableJsonObject = {};
  for (const name of names) setMember(out, name, compact(value[name] ?? null, depth + 1));
  return out;
}

const wide = (value: JsonObject, depth: number): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, one]) => [name, compact(one, depth + 1)]));
