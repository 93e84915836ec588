/** An object without the members and items of a set. */
import {
  type JsonValue,
  type MutableJsonObject,
  isJsonArray,
  isJsonObject,
  setMember,
} from '../ground/json.js';
import { type SchemaNode, formOf, partOf } from '../schema/schema-node.js';
import { elementOf } from './changed-fields.js';
import { type FieldSet } from './field-set.js';
import { itemElement } from './list-item.js';

/**
 * Takes the paths of a set out of an object.
 *
 * Shape: null where all members or items of a container went; nothing is left of an atomic one that the set goes into.
 * Source: structured-merge-diff typed/remove.go.
 */
export function removeFields(node: SchemaNode, value: JsonValue, gone: FieldSet): JsonValue {
  const part = partOf(node, formOf(node, value));
  if (part === 'scalar') return value;
  if (part === 'list') {
    const { list } = node;
    if (list === undefined || !isJsonArray(value) || list.relationship === 'atomic') return null;
    const left: JsonValue[] = [];
    for (const item of value) {
      const found = itemElement(list, item);
      const entry = found.ok ? gone.entry(found.element) : undefined;
      if (entry?.member === true) continue;
      left.push(entry?.below === undefined ? item : removeFields(list.items, item, entry.below));
    }
    return left.length > 0 ? left : null;
  }
  const { map } = node;
  if (map === undefined || !isJsonObject(value) || map.relationship === 'atomic') return null;
  const left: MutableJsonObject = {};
  let some = false;
  for (const name of Object.keys(value)) {
    const field = map.fields.get(name);
    const entry = gone.entry(elementOf(name, field));
    if (entry?.member === true) continue;
    const one = value[name] ?? null;
    const below = field?.node ?? map.others;
    some = true;
    setMember(
      left,
      name,
      entry?.below === undefined || below === undefined ? one : removeFields(below, one, entry.below),
    );
  }
  return some ? left : null;
}
