/** Members in the byte order of their names, as Go writes maps. */
import {
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  Float,
  compareUtf8,
  copyObject,
  isJsonArray,
  isJsonObject,
  setMember,
} from '../ground/json.js';

/** Whether the names stand in byte order. Engines list names like `10` first, so those never stop a list from being sorted. */
export function inByteOrder(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++) {
    if (compareUtf8(names[i - 1] ?? '', names[i] ?? '') > 0) return false;
  }
  return true;
}

/**
 * The value with the members of all its objects in byte order.
 *
 * Shape: the value itself where nothing has to move, so parts may be shared with it.
 * An engine lists names that are array indices (`10`) before all others, whatever their place: the JSON writer
 * has to mind those.
 */
export function sortedMembers(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return mapShared(value, sortedMembers);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value);
  if (!inByteOrder(names)) {
    const out: MutableJsonObject = {};
    for (const name of names.sort(compareUtf8)) setMember(out, name, sortedMembers(value[name] ?? null));
    return out;
  }
  return mapMembersShared(value, sortedMembers);
}

/** The same with floats that are whole numbers as integers: what is left of a value after a trip through text. */
export function plainSortedMembers(value: JsonValue): JsonValue {
  return plainNumbers(sortedMembers(value));
}

function plainNumbers(value: JsonValue): JsonValue {
  if (value instanceof Float) {
    if (Number.isSafeInteger(value.value)) return value.value;
    return Math.abs(value.value) < 1e21 ? BigInt(value.value) : new Float(value.value);
  }
  if (isJsonArray(value)) return mapShared(value, plainNumbers);
  if (!isJsonObject(value)) return value;
  return mapMembersShared(value, plainNumbers);
}

/** `list` with each element changed by `change`; the list itself when none differs. */
export function mapShared(
  list: readonly JsonValue[],
  change: (value: JsonValue) => JsonValue,
): readonly JsonValue[] {
  let out: JsonValue[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const old = list[i] ?? null;
    const next = change(old);
    if (next !== old) (out ??= [...list])[i] = next;
  }
  return out ?? list;
}

/** The object with each member changed by `change`, in the same order; the object itself when none differs. */
export function mapMembersShared(object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  let out: MutableJsonObject | undefined;
  for (const name of Object.keys(object)) {
    const old = object[name] ?? null;
    const next = change(old);
    if (next !== old) setMember((out ??= copyObject(object)), name, next);
  }
  return out ?? object;
}
