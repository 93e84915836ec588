/** Nulls where the schema allows none. */
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
 * Drops members that are null though their schema is not nullable, unless a default will take their place.
 * Null elements of lists stay.
 *
 * Shape: shares what is left unchanged.
 * Source: apiextensions-apiserver pkg/apiserver/schema/defaulting/prunenulls.go.
 */
export function dropNulls(value: JsonValue, schema: StructuralSchema | undefined): JsonValue {
  if (schema === undefined) return value;
  if (isJsonArray(value)) {
    const { items } = schema;
    return items === undefined ? value : mapShared(value, (one) => dropNulls(one, items));
  }
  if (!isJsonObject(value)) return value;
  let out: MutableJsonObject | undefined;
  for (const name of Object.keys(value)) {
    const one = value[name] ?? null;
    if (one !== null && typeof one !== 'object') continue;
    const below = memberSchema(schema, name);
    if (below === undefined) continue;
    if (one === null) {
      if (!below.nullable && below.default === undefined)
        Reflect.deleteProperty((out ??= { ...value }), name);
      continue;
    }
    const next = dropNulls(one, below);
    if (next !== one) setMember((out ??= { ...value }), name, next);
  }
  return out ?? value;
}
