/** An object with a partial one applied to it, by the schema. */
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  isJsonArray,
  isJsonObject,
  member,
  setMember,
} from '../ground/json.js';
import { type ListShape, type MapShape, type SchemaNode, formOf, partOf } from '../schema/schema-node.js';
import { itemElement } from './list-item.js';
import { type PathElement } from './path-element.js';

/**
 * Merges `applied` into `live`: objects by member, lists of items by key, all else replaced. Nothing is removed, also not
 * by null, but that a scalar or something atomic becomes null.
 *
 * Shape: undefined when nothing comes out (both are empty); the order of items follows what is applied.
 * Both fit the schema; in `applied` no key is there twice.
 * Source: structured-merge-diff typed/merge.go.
 */
export function mergeApplied(
  node: SchemaNode,
  live: JsonValue | undefined,
  applied: JsonValue | undefined,
): JsonValue | undefined {
  if (live === undefined)
    return applied === undefined ? undefined : mergeAs(node, formOf(node, applied), live, applied);
  if (applied === undefined) return mergeAs(node, formOf(node, live), live, applied);
  return mergeAs(node, formOf(node, applied), live, applied);
}

function mergeAs(
  node: SchemaNode,
  form: ReturnType<typeof formOf>,
  live: JsonValue | undefined,
  applied: JsonValue | undefined,
): JsonValue | undefined {
  const part = partOf(node, form);
  const { list, map } = node;
  if (part === 'map' && map !== undefined) {
    const left = isJsonObject(live) ? live : undefined;
    const right = isJsonObject(applied) ? applied : undefined;
    if (map.relationship === 'separable' && (hasMembers(left) || hasMembers(right)))
      return mergeMembers(map, left ?? {}, right ?? {});
  } else if (part === 'list' && list !== undefined) {
    const left = isJsonArray(live) ? live : [];
    const right = isJsonArray(applied) ? applied : [];
    if (list.relationship === 'associative' && (left.length > 0 || right.length > 0))
      return mergeItems(list, left, right);
  }
  return applied === undefined ? live : applied;
}

const hasMembers = (object: JsonObject | undefined): boolean =>
  object !== undefined && Object.keys(object).length > 0;

function mergeMembers(map: MapShape, live: JsonObject, applied: JsonObject): JsonValue | undefined {
  const out: MutableJsonObject = {};
  const added = Object.keys(applied).filter((name) => !Object.hasOwn(live, name));
  for (const name of [...Object.keys(live), ...added]) {
    const node = map.fields.get(name)?.node ?? map.others;
    if (node === undefined) continue;
    const value = mergeApplied(node, member(live, name), member(applied, name));
    if (value !== undefined) setMember(out, name, value);
  }
  return hasMembers(out) ? out : undefined;
}

interface Keyed {
  readonly element: PathElement;
  readonly item: JsonValue;
}

const keyed = (list: ListShape, items: JsonArray): Keyed[] =>
  items.flatMap((item) => {
    const found = itemElement(list, item);
    return found.ok ? [{ element: found.element, item }] : [];
  });

/**
 * Items of both lists, in an order that keeps that of each where the other allows it: what both have comes in the order
 * of the applied list, what only one has stays with its neighbours.
 */
function mergeItems(list: ListShape, live: JsonArray, applied: JsonArray): JsonValue | undefined {
  const lefts = keyed(list, live);
  const rights = keyed(list, applied);
  const leftOf = new Map<string, JsonValue>();
  // Items that are there twice are not merged with what is applied: it takes their place.
  for (const { element, item } of lefts) leftOf.set(element.text, leftOf.has(element.text) ? null : item);
  const rightOf = new Map(rights.map(({ element, item }) => [element.text, item]));
  const shared = rights.map(({ element }) => element.text).filter((text) => leftOf.has(text));
  let nextShared = shared.shift();
  const merged = new Set<string>();
  const out: JsonValue[] = [];
  const take = (text: string, left: JsonValue | undefined): void => {
    const value = mergeApplied(list.items, left, rightOf.get(text));
    if (value !== undefined) out.push(value);
  };
  let l = 0;
  let r = 0;
  while (l < lefts.length || r < rights.length) {
    const left = lefts[l];
    let right = rights[r];
    if (left !== undefined && right !== undefined) {
      const text = left.element.text;
      if (text === right.element.text) {
        merged.add(text);
        take(text, leftOf.get(text));
        l++;
        r++;
        nextShared = shared.shift();
        continue;
      }
      if (rightOf.has(text) && nextShared !== undefined && nextShared !== text) {
        // Shared, but its turn is another one.
        l++;
        continue;
      }
    }
    if (left !== undefined) {
      const text = left.element.text;
      if (!rightOf.has(text)) {
        take(text, left.item);
        l++;
        continue;
      }
      if (merged.has(text)) l++;
    }
    right = rights[r];
    if (right !== undefined) {
      const text = right.element.text;
      merged.add(text);
      take(text, leftOf.get(text));
      r++;
      if (nextShared === text) nextShared = shared.shift();
    }
  }
  return out.length > 0 ? out : undefined;
}
