/** Pruning: members of which the schema knows nothing are dropped. */
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  setMember,
} from '../../ground/json.js';
import { type StructuralSchema } from './structural-schema.js';
import { isTypeMember } from './type-members.js';

export interface Pruning {
  /** The value itself when nothing had to go. */
  readonly value: JsonValue;
  /** Paths of what was dropped (`spec.list[0].extra`), in byte order. */
  readonly unknown: readonly string[];
}

/**
 * Drops what the schema does not know.
 *
 * Preserved values (x-kubernetes-preserve-unknown-fields) keep their members, and are pruned again below those that
 * the schema does know. apiVersion, kind and metadata of embedded objects stay.
 * Shape: shares what is left unchanged. Idempotent.
 * Source: apiextensions-apiserver pkg/apiserver/schema/pruning/algorithm.go.
 */
export function prune(value: JsonValue, schema: StructuralSchema): Pruning {
  const found: string[] = [];
  const kept = pruned(value, schema, found);
  const unknown = found.map((path) => (path.startsWith('.') ? path.slice(1) : path)).sort(compareUtf8);
  return { value: kept, unknown };
}

/** As `prune`; what is dropped is added to `unknown`, as paths that begin with `.` or `[`. */
export function pruned(value: JsonValue, schema: StructuralSchema | undefined, unknown: string[]): JsonValue {
  if (isJsonArray(value)) return prunedList(value, schema, unknown);
  return isJsonObject(value) ? prunedObject(value, schema, unknown) : value;
}

function prunedList(list: JsonArray, schema: StructuralSchema | undefined, unknown: string[]): JsonArray {
  const keepsAll = schema?.preservesUnknown === true;
  if (keepsAll && schema.items === undefined) return list;
  let out: JsonValue[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const one = list[i] ?? null;
    if (one === null || typeof one !== 'object') continue;
    const before = unknown.length;
    // Elements of a preserved list are preserved too, whatever their own schema says.
    const next = keepsAll ? preserved(one, schema.items, unknown) : pruned(one, schema?.items, unknown);
    if (unknown.length > before) rise(unknown, before, `[${i}]`);
    if (next !== one) (out ??= [...list])[i] = next;
  }
  return out ?? list;
}

function prunedObject(
  object: JsonObject,
  schema: StructuralSchema | undefined,
  unknown: string[],
): JsonObject {
  return membersPruned(object, schema, unknown, schema?.preservesUnknown === true);
}

/** A value whose unknown members stay, because of what surrounds it. */
function preserved(value: JsonValue, schema: StructuralSchema | undefined, unknown: string[]): JsonValue {
  if (schema === undefined) return value;
  if (isJsonObject(value)) return membersPruned(value, schema, unknown, true);
  if (!isJsonArray(value)) return value;
  let out: JsonValue[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const one = value[i] ?? null;
    const before = unknown.length;
    const next = preserved(one, schema.items, unknown);
    if (unknown.length > before) rise(unknown, before, `[${i}]`);
    if (next !== one) (out ??= [...value])[i] = next;
  }
  return out ?? value;
}

function membersPruned(
  object: JsonObject,
  schema: StructuralSchema | undefined,
  unknown: string[],
  keepsUnknown: boolean,
): JsonObject {
  let out: MutableJsonObject | undefined;
  for (const name of Object.keys(object)) {
    if (schema?.embedded === true && isTypeMember(name)) continue;
    const known = schema?.properties.get(name);
    const additional = schema?.additional;
    if (known === undefined && additional === undefined) {
      if (keepsUnknown) continue;
      unknown.push(`.${name}`);
      Reflect.deleteProperty((out ??= { ...object }), name);
      continue;
    }
    const one = object[name] ?? null;
    if (one === null || typeof one !== 'object') continue;
    const before = unknown.length;
    const next = pruned(one, known ?? additional?.schema, unknown);
    if (unknown.length > before) rise(unknown, before, `.${name}`);
    if (next !== one) setMember((out ??= { ...object }), name, next);
  }
  return out ?? object;
}

function rise(unknown: string[], from: number, prefix: string): void {
  for (let i = from; i < unknown.length; i++) unknown[i] = `${prefix}${unknown[i] ?? ''}`;
}
