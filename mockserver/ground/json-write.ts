/** Writes JSON as Go writes it. */
import { type JsonValue } from './json.js';

export function writeJson(value: JsonValue): string {
  return JSON.stringify(value);
}
