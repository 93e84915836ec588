/** How the items of associative lists are told apart. */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, member } from '../ground/json.js';
import { type ListShape } from '../schema/schema-node.js';
import { type KeyField, type PathElement, keyElement, valueElement } from './path-element.js';

/** An item's step, or why it has none. */
export type ItemElement =
  { readonly ok: true; readonly element: PathElement } | { readonly ok: false; readonly error: string };

const bad = (error: string): ItemElement => ({ ok: false, error });

/**
 * The step that leads to an item: its key fields (with their defaults where it has none), or its value.
 * Source: structured-merge-diff typed/helpers.go listItemToPathElement.
 */
export function itemElement(list: ListShape, item: JsonValue): ItemElement {
  return list.keys.length === 0 ? byValue(item) : byKeys(list, item);
}

function byValue(item: JsonValue): ItemElement {
  if (isJsonObject(item)) return bad("associative list without keys has an element that's a map type");
  if (isJsonArray(item)) return bad('not supported: associative list with lists as elements');
  if (item === null) return bad("associative list without keys has an element that's an explicit null");
  return { ok: true, element: valueElement(item) };
}

function byKeys(list: ListShape, item: JsonValue): ItemElement {
  if (item === null) return bad('associative list with keys may not have a null element');
  if (!isJsonObject(item)) return bad('associative list with keys may not have non-map elements');
  const fields: KeyField[] = [];
  for (const name of list.keys) {
    const value = keyValue(list, item, name);
    if (value !== undefined) fields.push([name, value]);
  }
  if (fields.length === 0) {
    const keys = list.keys.map((name) => `"${name}"`).join(' ');
    return bad(
      `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`,
    );
  }
  return { ok: true, element: keyElement(fields) };
}

/** The value of one key field; undefined when the item does not have it and it has no default. */
export const keyValue = (list: ListShape, item: JsonObject, name: string): JsonValue | undefined =>
  member(item, name) ?? (Object.hasOwn(item, name) ? null : list.items.map?.fields.get(name)?.default);

/** Whether all items of a list of scalars or objects have steps; cheaper than making them. */
export function allHaveElements(list: ListShape, items: readonly JsonValue[]): boolean {
  const { keys } = list;
  for (const item of items) {
    if (keys.length === 0) {
      if (item === null || isJsonObject(item) || isJsonArray(item)) return false;
    } else if (!isJsonObject(item) || !keys.some((name) => keyValue(list, item, name) !== undefined)) {
      return false;
    }
  }
  return true;
}

export interface IndexedItem {
  readonly element: PathElement;
  /** The items with this step, in their order. */
  readonly items: JsonValue[];
}

/** Items by the texts of their steps, in order of first appearance; those without a step are left out. */
export function indexItems(list: ListShape, items: readonly JsonValue[]): Map<string, IndexedItem> {
  const index = new Map<string, IndexedItem>();
  for (const item of items) {
    const found = itemElement(list, item);
    if (!found.ok) continue;
    const { element } = found;
    const known = index.get(element.text);
    if (known === undefined) index.set(element.text, { element, items: [item] });
    else known.items.push(item);
  }
  return index;
}
