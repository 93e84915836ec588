/** Scalars as keys of a map. */
import { type JsonArray, type JsonObject, type JsonValue, Float } from '../../ground/json.js';

/** The same text for the same value of the same of Go's types: 1 and 1.0 differ. */
export function scalarKey(value: Exclude<JsonValue, JsonArray | JsonObject>): string {
  if (value instanceof Float) return `float ${value.value}`;
  if (typeof value === 'number' && !Number.isInteger(value)) return `float ${value}`;
  if (typeof value === 'number' || typeof value === 'bigint') return `int ${value}`;
  return JSON.stringify(value);
}
