/** JSON that a client may have written into an annotation: read leniently, as Go's encoding/json reads it. */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../ground/json.js';

/** Errors: undefined for what is no JSON. */
export function parsedAnnotation(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  try {
    // JSON.parse answers nothing but JSON values; numbers that matter here are int32.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The objects of a list. Shape: empty for `null`. Errors: undefined for what is no list of objects. */
export function parsedArray(text: string | undefined): readonly JsonObject[] | undefined {
  const value = parsedAnnotation(text);
  if (value === null) return [];
  if (!isJsonArray(value)) return undefined;
  const objects = value.map((one) => one ?? {});
  return objects.every(isJsonObject) ? objects : undefined;
}

/** The member whose name differs from `name` in case at most; an exact one is preferred. */
export function memberAnyCase(object: JsonObject, name: string): JsonValue | undefined {
  if (Object.hasOwn(object, name)) return object[name];
  const found = Object.keys(object).find((one) => one.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : object[found];
}
