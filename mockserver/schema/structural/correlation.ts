/** Which part of the previous object a part of the next one was: what has not changed need not be valid. */
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonEqual,
  member,
} from '../../ground/json.js';
import { scalarKey } from './scalar-key.js';
import { type StructuralSchema, memberSchema } from './structural-schema.js';

/**
 * A value with what it was before, along one schema.
 *
 * Members correspond by name where the schema knows them, elements only in lists of type map, by their keys.
 * Source: KEP-4008; apiserver pkg/cel/common/equality.go, maplist.go.
 */
export class Correlation {
  readonly next: JsonValue;
  readonly previous: JsonValue;
  /** Whether this is where comparing began. */
  readonly isRoot: boolean;
  readonly #schema: StructuralSchema;
  #children: Map<string | number, Correlation> | undefined;
  #keyed: ReadonlyMap<string, JsonObject> | undefined;
  #unchanged: boolean | undefined;

  constructor(next: JsonValue, previous: JsonValue, schema: StructuralSchema, isRoot = true) {
    this.isRoot = isRoot;
    this.next = next;
    this.previous = previous;
    this.#schema = schema;
  }

  /** Undefined when the member is new, or nothing is known of it. */
  member(name: string): Correlation | undefined {
    const known = this.#children?.get(name);
    if (known !== undefined) return known;
    if (!isJsonObject(this.next) || !isJsonObject(this.previous)) return undefined;
    const next = member(this.next, name);
    const previous = member(this.previous, name);
    const schema = memberSchema(this.#schema, name);
    if (next === undefined || previous === undefined || schema === undefined) return undefined;
    return this.#child(name, new Correlation(next, previous, schema, false));
  }

  /** Undefined when the element is new, or elements of the list do not correspond. */
  element(index: number): Correlation | undefined {
    const known = this.#children?.get(index);
    if (known !== undefined) return known;
    const { items } = this.#schema;
    if (items === undefined || !isJsonArray(this.next) || !isJsonArray(this.previous)) return undefined;
    if (this.#schema.listType !== 'map') return undefined;
    const next = this.next[index];
    const key = next === undefined ? undefined : keyOf(next, this.#schema.listMapKeys);
    if (next === undefined || key === undefined) return undefined;
    this.#keyed ??= keyedElements(this.previous, this.#schema.listMapKeys);
    const previous = this.#keyed.get(key);
    return previous === undefined
      ? undefined
      : this.#child(index, new Correlation(next, previous, items, false));
  }

  /** Whether the value is what it was. A member that the schema does not know counts as a change. */
  get unchanged(): boolean {
    return (this.#unchanged ??= this.#compare());
  }

  #compare(): boolean {
    const { next, previous } = this;
    if (isJsonArray(next) && isJsonArray(previous)) {
      if (next.length !== previous.length) return false;
      if (this.#schema.listType !== 'map') return jsonEqual(next, previous);
      return next.every((_one, i) => this.element(i)?.unchanged === true);
    }
    if (isJsonObject(next) && isJsonObject(previous)) {
      const names = Object.keys(next);
      if (names.length !== Object.keys(previous).length) return false;
      return names.every((name) => this.member(name)?.unchanged === true);
    }
    return jsonEqual(next, previous);
  }

  #child(place: string | number, child: Correlation): Correlation {
    (this.#children ??= new Map()).set(place, child);
    return child;
  }
}

function keyedElements(list: JsonArray, keys: readonly string[]): ReadonlyMap<string, JsonObject> {
  const keyed = new Map<string, JsonObject>();
  for (const one of list) {
    const key = keyOf(one, keys);
    if (key !== undefined && isJsonObject(one) && !keyed.has(key)) keyed.set(key, one);
  }
  return keyed;
}

/** Undefined for an element without one of the keys, or with one that is no scalar. */
function keyOf(element: JsonValue, keys: readonly string[]): string | undefined {
  if (!isJsonObject(element) || keys.length === 0) return undefined;
  const parts: string[] = [];
  for (const name of keys) {
    const value = member(element, name);
    if (value === undefined || value === null || isJsonArray(value) || isJsonObject(value)) return undefined;
    parts.push(scalarKey(value));
  }
  return parts.join('\0');
}
