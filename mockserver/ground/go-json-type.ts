/** What Go's JSON decoder calls a value in its errors. */
import { type JsonValue, isJsonArray, isJsonObject } from './json.js';

/** `json: cannot unmarshal <this> into Go value of type …` */
export function goTypeName(value: JsonValue): 'null' | 'bool' | 'string' | 'array' | 'object' | 'number' {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (isJsonArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  return 'number';
}
