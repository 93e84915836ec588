/** Lists that are sets or maps (x-kubernetes-list-type): no element and no key may stand twice. */
import { type FieldError, duplicate, invalid } from '../../ground/field-error.js';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  member,
  setMember,
} from '../../ground/json.js';
import { writeJson } from '../../ground/json-write.js';
import { sortedMembers } from '../member-order.js';
import { scalarKey } from './scalar-key.js';
import { type StructuralSchema } from './structural-schema.js';

/**
 * Of elements that stand more than twice, the second is named.
 *
 * Source: apiextensions-apiserver pkg/apiserver/schema/listtype/validation.go. Where a server's order is chance
 * (members), in byte order.
 */
export function listTypeErrors(value: JsonValue, schema: StructuralSchema, path = ''): readonly FieldError[] {
  const errors: FieldError[] = [];
  visit(value, schema, path, errors);
  return errors;
}

function visit(value: JsonValue, schema: StructuralSchema, path: string, errors: FieldError[]): void {
  if (!schema.hasListTypes) return;
  if (isJsonArray(value)) {
    if (schema.listType === 'set') {
      for (const i of repeated(value)) errors.push(duplicate(`${path}[${i}]`, value[i] ?? null));
    } else if (schema.listType === 'map') {
      errors.push(...keyErrors(value, schema.listMapKeys, path));
    }
    const { items } = schema;
    if (items !== undefined) value.forEach((one, i) => visit(one, items, `${path}[${i}]`, errors));
    return;
  }
  if (!isJsonObject(value)) return;
  const additional = schema.additional?.schema;
  for (const name of Object.keys(value).sort(compareUtf8)) {
    const one = value[name] ?? null;
    if (one === null || typeof one !== 'object') continue;
    if (additional !== undefined) visit(one, additional, `${path}[${name}]`, errors);
    const property = schema.properties.get(name);
    if (property !== undefined) visit(one, property, path === '' ? name : `${path}.${name}`, errors);
  }
}

function keyErrors(list: JsonArray, keys: readonly string[], path: string): readonly FieldError[] {
  const stranger = list.findIndex((one) => one !== null && !isJsonObject(one));
  if (stranger >= 0) {
    const why = 'must be an object for an array of list-type map';
    return [invalid(`${path}[${stranger}]`, list[stranger] ?? null, why)];
  }
  const found = list.map((one) => keyOf(isJsonObject(one) ? one : {}, keys));
  return repeated(found).map((i) => duplicate(`${path}[${i}]`, found[i] ?? null));
}

/** The keys that an element has. */
function keyOf(element: JsonObject, keys: readonly string[]): JsonObject {
  const key: MutableJsonObject = {};
  for (const name of [...keys].sort(compareUtf8)) {
    const value = member(element, name);
    if (value !== undefined) setMember(key, name, value);
  }
  return key;
}

/** Where each value that stands several times stands for the second time. */
function repeated(list: JsonArray): readonly number[] {
  if (list.length < 2) return [];
  const times = new Map<string, number>();
  const second: number[] = [];
  list.forEach((one, i) => {
    const key =
      one !== null && (isJsonArray(one) || isJsonObject(one))
        ? `json ${writeJson(sortedMembers(one))}`
        : scalarKey(one);
    const before = times.get(key) ?? 0;
    if (before === 1) second.push(i);
    times.set(key, before + 1);
  });
  return second;
}
