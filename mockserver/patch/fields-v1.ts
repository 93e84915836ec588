/** FieldsV1, the JSON form of field sets, and the table in which equal sets become one. */
import {
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  compareUtf8,
  isJsonObject,
} from '../ground/json.js';
import { type MemberOrder } from '../ground/object-meta.js';
import { type Entry, type FieldSet, EMPTY_SET, setOf, union } from './field-set.js';
import { type PathElement, parseElement } from './path-element.js';
import { TwoAges } from './two-ages.js';

const EMPTY_OBJECT: JsonObject = Object.freeze({});

/**
 * A set as FieldsV1: `{"f:spec":{".":{},"f:replicas":{}}}`.
 *
 * Shape: frozen, members in the order of the set, `.` first where a path with others below it is in the set itself.
 * Source: structured-merge-diff fieldpath/serialize.go.
 */
export function encodeFields(set: FieldSet): JsonObject {
  return set.empty ? EMPTY_OBJECT : encoded(set, false);
}

function encoded(set: FieldSet, self: boolean): JsonObject {
  const out: MutableJsonObject = self ? { '.': EMPTY_OBJECT } : {};
  for (const { element, member, below } of set.entries)
    out[element.text] = below === undefined ? EMPTY_OBJECT : encoded(below, member);
  return Object.freeze(out);
}

/** The same with members in byte order, as objects that a server holds as maps are written. */
export function encodeFieldsSorted(set: FieldSet): JsonObject {
  const plain = encodeFields(set);
  return sortedCopy(plain);
}

function sortedCopy(object: JsonObject): JsonObject {
  const names = Object.keys(object);
  let changed = false;
  const values = new Map<string, JsonValue>();
  for (const name of names) {
    const value = object[name];
    if (!isJsonObject(value)) continue;
    const sorted = sortedCopy(value);
    if (sorted !== value) changed = true;
    values.set(name, sorted);
  }
  const ordered = [...names].sort(compareUtf8);
  if (!changed && ordered.every((name, i) => name === names[i])) return object;
  const out: MutableJsonObject = {};
  for (const name of ordered) out[name] = values.get(name) ?? null;
  return Object.freeze(out);
}

/**
 * Reads FieldsV1. Steps of unknown kinds are left out with what is below them.
 *
 * Errors: undefined when it is no FieldsV1.
 * Source: structured-merge-diff fieldpath/serialize.go readIterV1.
 */
export function decodeFields(
  value: JsonValue,
  elementOf: (text: string) => PathElement | 'unknown' | undefined = parsedElement,
): FieldSet | undefined {
  if (value === null) return EMPTY_SET;
  if (!isJsonObject(value)) return undefined;
  return decodedBelow(value, elementOf);
}

/** A step's element; undefined when the text is none. */
export function parsedElement(text: string): PathElement | 'unknown' | undefined {
  const result = parseElement(text);
  return result.kind === 'element' ? result.element : result.kind === 'bad' ? undefined : 'unknown';
}

function decodedBelow(
  object: JsonObject,
  elementOf: (text: string) => PathElement | 'unknown' | undefined,
): FieldSet | undefined {
  const entries: Entry[] = [];
  for (const text of Object.keys(object)) {
    if (text === '.') continue;
    const element = elementOf(text);
    if (element === undefined) return undefined;
    if (element === 'unknown') continue;
    const value = object[text] ?? null;
    if (value !== null && !isJsonObject(value)) return undefined;
    const below = value === null ? EMPTY_SET : decodedBelow(value, elementOf);
    if (below === undefined) return undefined;
    const member = below.empty || (value !== null && Object.hasOwn(value, '.'));
    entries.push({ element, member, below: below.empty ? undefined : below });
  }
  const seen = new Set(entries.map((entry) => entry.element.text));
  if (seen.size === entries.length) return setOf(entries);
  // Different texts can be one step: `k:{"a":1}` and `k:{"a": 1}`.
  return entries.reduce((set, entry) => union(set, setOf([entry])), EMPTY_SET);
}

interface Canonical {
  readonly set: FieldSet;
  readonly typed: JsonObject;
  sorted: JsonObject | undefined;
}

/** Of one half of a table. */
const MOST_SETS = 4096;

/** Equal sets are one set with one FieldsV1, whoever makes them. Bounded: what was not asked for lately is forgotten. */
export class FieldSetTable {
  readonly #sets = new TwoAges<string, Canonical>(MOST_SETS);
  readonly #elements = new TwoAges<string, PathElement>(MOST_SETS);
  /** FieldsV1 that came out of this table (frozen, so it says the same as long as it lives) → its set. */
  readonly #known = new WeakMap<JsonObject, FieldSet>();

  /** The one set that holds these paths. */
  canonical(set: FieldSet): FieldSet {
    return this.#entryOf(set).set;
  }

  encode(set: FieldSet, order: MemberOrder): JsonObject {
    const entry = this.#entryOf(set);
    if (order === 'typed') return entry.typed;
    if (entry.sorted === undefined) {
      entry.sorted = sortedCopy(entry.typed);
      this.#known.set(entry.sorted, entry.set);
    }
    return entry.sorted;
  }

  /** Errors: undefined when it is no FieldsV1. */
  decode(value: JsonValue): FieldSet | undefined {
    const known = isJsonObject(value) ? this.#known.get(value) : undefined;
    if (known !== undefined) return known;
    const set = decodeFields(value, (text) => this.#elementOf(text));
    return set === undefined ? undefined : this.canonical(set);
  }

  #entryOf(set: FieldSet): Canonical {
    const found = this.#sets.get(set.key);
    if (found !== undefined) return found;
    const typed = encodeFields(set);
    const made: Canonical = { set, typed, sorted: undefined };
    // The empty FieldsV1 is one object for all sets, also for steps inside others.
    if (!set.empty) this.#known.set(typed, set);
    this.#sets.set(set.key, made);
    return made;
  }

  #elementOf(text: string): PathElement | 'unknown' | undefined {
    const found = this.#elements.get(text);
    if (found !== undefined) return found;
    const element = parsedElement(text);
    if (typeof element === 'object') this.#elements.set(text, element);
    return element;
  }
}
