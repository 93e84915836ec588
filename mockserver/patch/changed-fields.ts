/** Which paths an object has more, has no longer, or has with another value than another one. */
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  Float,
  isJsonArray,
  isJsonObject,
  member,
} from '../ground/json.js';
import {
  type FieldShape,
  type ListShape,
  type MapShape,
  type SchemaNode,
  formOf,
  partOf,
} from '../schema/schema-node.js';
import { type Entry, type FieldSet, EMPTY_SET, setOf, union } from './field-set.js';
import { allHaveElements, indexItems, keyValue } from './list-item.js';
import { type PathElement, fieldElement } from './path-element.js';
import { fits } from './typed-errors.js';

export interface ChangedFields {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}

export const NO_CHANGE: ChangedFields = Object.freeze({
  added: EMPTY_SET,
  removed: EMPTY_SET,
  modified: EMPTY_SET,
});

/** What changed at one place: the place itself, and what is below it. */
interface Change {
  readonly added: boolean;
  readonly removed: boolean;
  readonly modified: boolean;
  readonly below: ChangedFields;
}

const MODIFIED: Change = { added: false, removed: false, modified: true, below: NO_CHANGE };

/** What an object holds somewhere cannot stand there by its schema. */
export class Misfit extends Error {}

/**
 * Compares two objects. The one before fits the schema; of the one after this is seen on the way.
 *
 * Errors: Misfit.
 * Shape: no path is in two of the sets. Parts that are the very same value are not looked into.
 * Source: structured-merge-diff typed/compare.go.
 */
export function changedFields(node: SchemaNode, before: JsonValue, after: JsonValue): ChangedFields {
  return compare(node, before, after)?.below ?? NO_CHANGE;
}

function compare(node: SchemaNode, before: JsonValue, after: JsonValue): Change | undefined {
  if (before === after) return undefined;
  const left = formOf(node, before);
  const right = formOf(node, after);
  if (right === 'any' && after !== null) throw new Misfit();
  const change = compareAs(node, partOf(node, right), before, after);
  if (left === right || partOf(node, left) === undefined) return change;
  const single = [node.scalar, node.list, node.map].filter((part) => part !== undefined).length === 1;
  return single ? change : both(compareAs(node, partOf(node, left), before, after), change);
}

const both = (a: Change | undefined, b: Change | undefined): Change | undefined =>
  a === undefined
    ? b
    : b === undefined
      ? a
      : {
          added: a.added || b.added,
          removed: a.removed || b.removed,
          modified: a.modified || b.modified,
          below: {
            added: union(a.below.added, b.below.added),
            removed: union(a.below.removed, b.below.removed),
            modified: union(a.below.modified, b.below.modified),
          },
        };

function compareAs(
  node: SchemaNode,
  part: ReturnType<typeof partOf>,
  before: JsonValue,
  after: JsonValue,
): Change | undefined {
  const { list, map } = node;
  if (part === 'map' && map !== undefined) {
    const left = isJsonObject(before) ? before : undefined;
    const right = isJsonObject(after) ? after : undefined;
    if (map.relationship === 'separable' && (hasMembers(left) || hasMembers(right)))
      return compareMembers(map, left, right);
  } else if (part === 'list' && list !== undefined) {
    const left = isJsonArray(before) ? before : [];
    const right = isJsonArray(after) ? after : [];
    if (list.relationship === 'associative' && (left.length > 0 || right.length > 0))
      return compareItems(list, left, right);
  }
  // A leaf: a scalar, what is owned as a whole, and containers that are both empty (null and empty differ).
  if (sameValue(before, after)) return undefined;
  if (!fits(node, after)) throw new Misfit();
  return MODIFIED;
}

function hasMembers(object: JsonObject | undefined): boolean {
  if (object !== undefined) for (const name in object) if (Object.hasOwn(object, name)) return true;
  return false;
}

/** Collects the entries of three sets. */
class Changes {
  readonly #added: Entry[] = [];
  readonly #removed: Entry[] = [];
  readonly #modified: Entry[] = [];

  put(element: PathElement, { added, removed, modified, below }: Change): void {
    enter(this.#added, element, added, below.added);
    enter(this.#removed, element, removed, below.removed);
    enter(this.#modified, element, modified, below.modified);
  }

  whole(element: PathElement, below: FieldSet, side: 'added' | 'removed'): void {
    enter(side === 'added' ? this.#added : this.#removed, element, true, below);
  }

  change(): Change | undefined {
    if (this.#added.length === 0 && this.#removed.length === 0 && this.#modified.length === 0)
      return undefined;
    return {
      added: false,
      removed: false,
      modified: false,
      below: { added: setOf(this.#added), removed: setOf(this.#removed), modified: setOf(this.#modified) },
    };
  }
}

function enter(entries: Entry[], element: PathElement, member: boolean, below: FieldSet): void {
  if (member || !below.empty) entries.push({ element, member, below: below.empty ? undefined : below });
}

function compareMembers(
  map: MapShape,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): Change | undefined {
  let changes: Changes | undefined;
  const { fields } = map;
  if (after !== undefined) {
    for (const name of Object.keys(after)) {
      const right = after[name] ?? null;
      const left = before !== undefined && Object.hasOwn(before, name) ? (before[name] ?? null) : undefined;
      if (left === right) continue;
      const field = fields.get(name);
      const node = field?.node ?? map.others;
      if (node === undefined) throw new Misfit();
      if (left === undefined) {
        if (!fits(node, right)) throw new Misfit();
        (changes ??= new Changes()).whole(elementOf(name, field), wholeSet(node, right), 'added');
        continue;
      }
      const change = compare(node, left, right);
      if (change !== undefined) (changes ??= new Changes()).put(elementOf(name, field), change);
    }
  }
  if (before !== undefined) {
    for (const name of Object.keys(before)) {
      if (after !== undefined && Object.hasOwn(after, name)) continue;
      const field = fields.get(name);
      const node = field?.node ?? map.others;
      if (node === undefined) continue;
      (changes ??= new Changes()).whole(
        elementOf(name, field),
        wholeSet(node, before[name] ?? null),
        'removed',
      );
    }
  }
  return changes?.change();
}

/** The step of a member; declared members have theirs. */
export const elementOf = (name: string, field: FieldShape | undefined): PathElement =>
  field?.element ?? fieldElement(name);

/** All that is below a value which stands on one side only, and all that leads there. */
function wholeSet(node: SchemaNode, value: JsonValue): FieldSet {
  if (typeof value !== 'object' || value === null) return EMPTY_SET;
  const { list, map } = node;
  if (isJsonArray(value)) {
    if (list === undefined || list.relationship === 'atomic' || value.length === 0) return EMPTY_SET;
    const entries: Entry[] = [];
    for (const { element, items } of indexItems(list, value).values()) {
      // Items with one key are owned together, as one thing.
      const [first] = items;
      enter(entries, element, true, items.length > 1 ? EMPTY_SET : wholeSet(list.items, first ?? null));
    }
    return setOf(entries);
  }
  if (!isJsonObject(value) || map === undefined || map.relationship === 'atomic') return EMPTY_SET;
  const entries: Entry[] = [];
  for (const name of Object.keys(value)) {
    const field = map.fields.get(name);
    const below = field?.node ?? map.others;
    if (below !== undefined)
      enter(entries, elementOf(name, field), true, wholeSet(below, value[name] ?? null));
  }
  return setOf(entries);
}

/** From so many items on, looking for equal keys pair by pair costs more than an index. */
const MANY = 16;

function compareItems(list: ListShape, before: JsonArray, after: JsonArray): Change | undefined {
  if (before.length === after.length && before.length <= MANY && aligned(list, before, after)) {
    if (
      before.every(
        (item, i) => item === after[i] || compare(list.items, item, after[i] ?? null) === undefined,
      )
    )
      return undefined;
  }
  if (!allHaveElements(list, after)) throw new Misfit();
  const changes = new Changes();
  const lefts = indexItems(list, before);
  const rights = indexItems(list, after);
  for (const [text, { element, items }] of lefts) {
    const others = rights.get(text)?.items ?? [];
    const [left = null] = items;
    const [right = null] = others;
    if (items.length === 1 && others.length === 1) {
      const change = compare(list.items, left, right);
      if (change !== undefined) changes.put(element, change);
    } else if (others.length === 0) {
      changes.whole(element, items.length > 1 ? EMPTY_SET : wholeSet(list.items, left), 'removed');
    } else if (items.length > 1 && others.length > 1) {
      if (!sameValue(items, others)) changes.put(element, MODIFIED);
    } else if (items.length > 1) {
      changes.put(element, {
        added: true,
        removed: true,
        modified: false,
        below: { ...NO_CHANGE, added: wholeSet(list.items, right) },
      });
    } else {
      changes.put(element, {
        added: true,
        removed: true,
        modified: false,
        below: { ...NO_CHANGE, removed: wholeSet(list.items, left) },
      });
    }
  }
  for (const [text, { element, items }] of rights) {
    if (lefts.has(text)) continue;
    if (!items.every((item) => fits(list.items, item))) throw new Misfit();
    changes.whole(element, items.length > 1 ? EMPTY_SET : wholeSet(list.items, items[0] ?? null), 'added');
  }
  return changes.change();
}

/** Whether items at equal places have equal keys, and no two at different places have. */
function aligned(list: ListShape, before: JsonArray, after: JsonArray): boolean {
  if (!allHaveElements(list, before) || !allHaveElements(list, after)) return false;
  for (let i = 0; i < before.length; i++) {
    if (!sameKey(list, before[i] ?? null, after[i] ?? null)) return false;
    for (let j = 0; j < i; j++) if (sameKey(list, before[i] ?? null, before[j] ?? null)) return false;
  }
  return true;
}

function sameKey(list: ListShape, a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (!isJsonObject(a) || !isJsonObject(b)) return sameValue(a, b);
  return list.keys.every((name) => {
    const x = keyValue(list, a, name);
    const y = keyValue(list, b, name);
    return x === y || (x !== undefined && y !== undefined && sameValue(x, y));
  });
}

/** Whether two values are the same; a float and an integer of equal value are. Source: value/value.go Equals. */
export function sameValue(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (a instanceof Float) return sameValue(a.value, b);
  if (b instanceof Float) return sameValue(a, b.value);
  if (typeof a === 'bigint' || typeof b === 'bigint')
    return (typeof a === 'number' || typeof b === 'number') && Number(a) === Number(b);
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (isJsonArray(a) || isJsonArray(b)) {
    if (!isJsonArray(a) || !isJsonArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!sameValue(a[i] ?? null, b[i] ?? null)) return false;
    return true;
  }
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => {
    const other = member(b, name);
    return other !== undefined && sameValue(member(a, name) ?? null, other);
  });
}
