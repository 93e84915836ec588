/** Values of the fields that a fieldSelector may name. */
import { Float, isJsonObject, member, type JsonValue } from '../ground/json.js';
import { type ApiObject } from '../ground/object.js';
import { type ResourceStore } from './resource.js';

/**
 * The value of one field as selectors compare it.
 *
 * Shape: a text; `''` when the object does not have it.
 * Source: the kinds' own rules where they have one, else the value at the path.
 */
export function fieldValue(store: ResourceStore, object: ApiObject, field: string): string {
  const own = store.rules?.fields?.[field];
  return own === undefined ? valueAt(object, field) : own(object);
}

/** `spec.nodeName` → the text there. Lists and objects have none. */
export function valueAt(object: ApiObject, path: string): string {
  let value: JsonValue | undefined = object;
  for (const step of path.split('.')) {
    if (!isJsonObject(value)) return '';
    value = member(value, step);
  }
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  return value instanceof Float ? String(value.value) : '';
}
