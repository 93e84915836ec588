/** Defaults of a structural schema. */
import {
  type JsonValue,
  type MutableJsonObject,
  isJsonArray,
  isJsonObject,
  setMember,
} from '../../ground/json.js';
import { mapShared } from '../member-order.js';
import { type StructuralSchema, memberSchema } from './structural-schema.js';

/**
 * The value with the defaults of members that are absent, or null where null is not allowed; below defaults too.
 *
 * Shape: shares what is left unchanged, and the defaults with the schema. Members that are added stand last.
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
  let out: MutableJsonObject | undefined;
  for (const [name, property] of schema.properties) {
    if (property.default === undefined || Object.hasOwn(value, name)) continue;
    setMember((out ??= { ...value }), name, applyDefaults(property.default, property));
  }
  for (const name of Object.keys(value)) {
    const one = value[name] ?? null;
    const below = memberSchema(schema, name);
    if (below === undefined) continue;
    const next = filled(one, below);
    if (next !== one) setMember((out ??= { ...value }), name, next);
  }
  return out ?? value;
}

/** A value that stands there, though perhaps as a null that stands for nothing. */
function filled(value: JsonValue, schema: StructuralSchema): JsonValue {
  const absent = value === null && !schema.nullable && schema.default !== undefined;
  return applyDefaults(absent ? (schema.default ?? null) : value, schema);
}
