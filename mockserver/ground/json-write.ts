/** Writes JSON as Go writes it. */
import { type JsonValue } from './json.js';

export function writeJson(value: JsonValue): string {
  return JSON.stringify(value);
}

/** Deep-freezes a value; answers whether JSON.stringify writes it right. (Placeholder, replaced by branch json.) */
export function sealJson(value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const one of Object.values(value)) sealJson(one);
  }
  return true;
}
