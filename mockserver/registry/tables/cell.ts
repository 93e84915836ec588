/** Cells: what a table shows of an object in one column, read from its stored form. */
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  member,
} from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { type Elapsed, timeSince } from './elapsed.js';

export type CellValue = JsonValue | Elapsed;

export type Cell = (object: ApiObject) => CellValue;

type Step = string | number;

/** The value at a path of member names and indexes; undefined when there is none. */
export function valueAt(value: JsonValue | undefined, path: readonly Step[]): JsonValue | undefined {
  let found = value;
  for (const step of path) {
    if (typeof step === 'number') found = isJsonArray(found) ? found[step] : undefined;
    else found = isJsonObject(found) ? member(found, step) : undefined;
  }
  return found ?? undefined;
}

/** `''` when there is no text at the path. */
export function textAt(value: JsonValue | undefined, ...path: readonly Step[]): string {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : '';
}

/** Text, or number as text: what Go prints of an IntOrString. Undefined when there is neither. */
export function shownAt(value: JsonValue | undefined, ...path: readonly Step[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'bigint'
    ? String(found)
    : undefined;
}

/** 0 when there is no number at the path. */
export function countAt(value: JsonValue | undefined, ...path: readonly Step[]): number | bigint {
  const found = valueAt(value, path);
  return typeof found === 'number' || typeof found === 'bigint' ? found : 0;
}

export const flagAt = (value: JsonValue | undefined, ...path: readonly Step[]): boolean =>
  valueAt(value, path) === true;

export function objectAt(value: JsonValue | undefined, ...path: readonly Step[]): JsonObject | undefined {
  const found = valueAt(value, path);
  return isJsonObject(found) ? found : undefined;
}

/** Empty when there is no list at the path. */
export function listAt(value: JsonValue | undefined, ...path: readonly Step[]): JsonArray {
  const found = valueAt(value, path);
  return isJsonArray(found) ? found : [];
}

export const objectsAt = (value: JsonValue | undefined, ...path: readonly Step[]): readonly JsonObject[] =>
  listAt(value, ...path).filter(isJsonObject);

export const textsAt = (value: JsonValue | undefined, ...path: readonly Step[]): readonly string[] =>
  listAt(value, ...path).filter((one): one is string => typeof one === 'string');

/** A cell that counts: an integer, 0 when unset. */
export const count =
  (...path: readonly Step[]): Cell =>
  (object) =>
    countAt(object, ...path);

/** A cell that counts the elements of a list or the members of an object. */
export const lengthOf =
  (...path: readonly Step[]): ((object: ApiObject) => number) =>
  (object) => {
    const found = valueAt(object, path);
    if (isJsonArray(found)) return found.length;
    return isJsonObject(found) ? Object.keys(found).length : 0;
  };

/** A cell of text, with another one in its place when the field is unset or empty. */
export const textOr =
  (otherwise: string, ...path: readonly Step[]): Cell =>
  (object) =>
    textAt(object, ...path) || otherwise;

/** A cell of text or a number as text, with another one in its place when the field is unset. */
export const setOr =
  (otherwise: string, ...path: readonly Step[]): Cell =>
  (object) =>
    shownAt(object, ...path) ?? otherwise;

/** The name, with a mark behind it for the one that stands for all that name none. */
export const nameOrDefault =
  (isDefault: (object: ApiObject) => boolean): Cell =>
  (object) =>
    `${textAt(object.metadata, 'name')}${isDefault(object) ? ' (default)' : ''}`;

export const nameCell: Cell = (object) => textAt(object.metadata, 'name');

export const ageCell: Cell = (object) => timeSince(member(object.metadata, 'creationTimestamp'));

/** The zero time where there is none. */
export const createdCell: Cell = (object) =>
  textAt(object.metadata, 'creationTimestamp') || '0001-01-01T00:00:00Z';

export const isTerminating = (object: ApiObject): boolean =>
  valueAt(object.metadata, ['deletionTimestamp']) !== undefined;

/** The first condition of a type. */
export const conditionOf = (status: JsonValue | undefined, type: string): JsonObject | undefined =>
  objectsAt(status, 'conditions').find((condition) => textAt(condition, 'type') === type);

/** The first of a list, at most `max`, and how many more there are; `''` for none. */
export function firstOf(list: readonly string[], max: number, separator = ','): string {
  const shown = list.slice(0, max).join(separator);
  return list.length > max ? `${shown} + ${list.length - max} more...` : shown;
}
