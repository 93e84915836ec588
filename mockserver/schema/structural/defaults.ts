/** Defaults of a structural schema. */
import {
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  member,
  setMember,
} from '../../ground/json.js';
import { mapShared } from '../member-order.js';
import { type StructuralSchema, memberSchema } from './structural-schema.js';

/**
 * The value with the defaults of members that are absent, or null where null is not allowed; below defaults too.
 *
 * Shape: shares what is left unchanged, and the defaults with the schema. Where one is added, all stand in byte order.
 * Idempotent.
 * Source: apiextensions-apiserver pkg/apiserver/schema/defaulting/algorithm.go.
 */
export function applyDefaults(value: JsonValue, schema: StructuralSchema | undefined): JsonValue {
  if (schema?.hasDefaults !== true) return value;
  if (isJsonArray(value)) {
    const { items } = schema;
    return items === undefined ? value : mapShared(value, (one) => filled(one, items));
  }
  if (!isJsonObject(value)) return value;
  let missing: string[] | undefined;
  for (const [name, property] of schema.properties) {
    if (property.default !== undefined && !Object.hasOwn(value, name)) (missing ??= []).push(name);
  }
  if (missing !== undefined) return completed(value, schema, missing);
  let out: MutableJsonObject | undefined;
  for (const name of Object.keys(value)) {
    const one = value[name] ?? null;
    const below = memberSchema(schema, name);
    if (below === undefined) continue;
    const next = filled(one, below);
    if (next !== one) setMember((out ??= { ...value }), name, next);
  }
  return out ?? value;
}

/** With what is missing, members in byte order. */
function completed(value: JsonObject, schema: StructuralSchema, missing: readonly string[]): JsonObject {
  const out: MutableJsonObject = {};
  const names = Object.keys(value);
  // Properties stand in order already: where there is nothing else, nothing has to be sorted.
  const order = names.every((name) => schema.properties.has(name))
    ? schema.properties.keys()
    : [...names, ...missing].sort(compareUtf8);
  for (const name of order) {
    const below = memberSchema(schema, name);
    const given = member(value, name) ?? (Object.hasOwn(value, name) ? null : below?.default);
    if (given !== undefined) setMember(out, name, below === undefined ? given : filled(given, below));
  }
  return out;
}

/** A value that stands there, though perhaps as a null that stands for nothing. */
function filled(value: JsonValue, schema: StructuralSchema): JsonValue {
  const absent = value === null && !schema.nullable && schema.default !== undefined;
  return applyDefaults(absent ? (schema.default ?? null) : value, schema);
}
