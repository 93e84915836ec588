/** Members of decoded objects as Go sees them: what is absent or null is the zero value of its type. */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, member } from '../../ground/json.js';

const NOTHING: JsonObject = Object.freeze({});
const EMPTY_LIST: readonly never[] = Object.freeze([]);

/** `''` when there is none. */
export function textAt(object: JsonObject | undefined, name: string): string {
  const value = member(object, name);
  return typeof value === 'string' ? value : '';
}

/** 0 when there is none. Whole numbers beyond 2^53 are rounded, which no bound minds. */
export function integerAt(object: JsonObject | undefined, name: string): number {
  const value = member(object, name);
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : 0;
}

export const flagAt = (object: JsonObject | undefined, name: string): boolean =>
  member(object, name) === true;

/** Whether a pointer points to something. */
export function isSet(object: JsonObject | undefined, name: string): boolean {
  const value = member(object, name);
  return value !== undefined && value !== null;
}

export function partAt(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = member(object, name);
  return isJsonObject(value) ? value : undefined;
}

export const partOrEmpty = (object: JsonObject | undefined, name: string): JsonObject =>
  partAt(object, name) ?? NOTHING;

export function listAt(object: JsonObject | undefined, name: string): readonly JsonValue[] {
  const value = member(object, name);
  return isJsonArray(value) ? value : EMPTY_LIST;
}

/** The objects of a list; what is none counts as an empty one, so that places stay. */
export function itemsAt(object: JsonObject | undefined, name: string): readonly JsonObject[] {
  const list = listAt(object, name);
  for (const one of list)
    if (!isJsonObject(one)) return list.map((each) => (isJsonObject(each) ? each : NOTHING));
  // Every element was looked at.
  return list as readonly JsonObject[];
}

export const textsAt = (object: JsonObject | undefined, name: string): readonly string[] =>
  listAt(object, name).map((one) => (typeof one === 'string' ? one : ''));

export const keysAt = (object: JsonObject | undefined, name: string): readonly string[] =>
  Object.keys(partOrEmpty(object, name));

/** A text, or a number as one; `''` for what is neither. */
export const plainText = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? `${value}` : '';
