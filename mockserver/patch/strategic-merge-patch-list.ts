/** Lists that merge: scalars as sets, maps by their merge key. */
import { isJsonObject, member, type JsonObject, type JsonValue } from '../ground/json.js';
import { goKindOf } from '../ground/go-value-text.js';
import { asMap, inOrder, keyIdentity, mergeKeyOf, scalarIdentity } from './strategic-merge-patch-order.js';
import { DIRECTIVE } from './strategic-merge-patch-directives.js';
import {
  incomparable,
  listDirectiveMerge,
  mixedElements,
  missingMergeKey,
  noElements,
  noMergeKey,
  unknownDirective,
} from './strategic-merge-patch-errors.js';
import { rejectedRequest } from '../ground/status.js';

export interface ListMerge {
  readonly mergeKey: string;
  /** `reflect.Kind` of the elements, for an error. */
  readonly elementKind: string;
  /** Whether the patch names scalars to be taken out. */
  readonly deletes: boolean;
  readonly mergeElement: (original: JsonObject, patch: JsonValue) => JsonValue;
}

export interface MergedList {
  readonly list: readonly JsonValue[];
  /**
   * The original list as the merge leaves it where a server works in place: elements behind a deleted one have moved up,
   * and a new one may stand in the room at the end. It decides about the order that `$setElementOrder` leaves open.
   */
  readonly before: readonly JsonValue[];
}

/**
 * A patch put upon a list of scalars or maps. Neither is changed.
 *
 * Errors: 500 for elements of different types, without merge key or with an unknown directive; 422 for lists of lists.
 * Source: strategicpatch/patch.go, mergeSlice.
 */
export function mergeLists(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  merge: ListMerge,
): MergedList {
  if (original.length === 0 && patch.length === 0) return { list: original, before: original };
  if (elementKind(original, patch) !== 'map') {
    if (merge.deletes) {
      const gone = new Set(patch.map(scalarIdentity));
      return { list: original.filter((one) => !gone.has(scalarIdentity(one))), before: original };
    }
    const identityOf = merge.mergeKey === '' ? scalarIdentity : keyIdentity(merge.mergeKey);
    const list = inOrder(distinct([...original, ...patch]), { identityOf, wanted: patch, before: original });
    return { list, before: original };
  }
  if (merge.mergeKey === '') throw noMergeKey(merge.elementKind);
  return mergeMaps(original, patch, merge);
}

/**
 * The kind that all elements share. Errors: 500 when they do not, or there are none; 422 for lists.
 */
export function elementKind(...lists: readonly (readonly JsonValue[])[]): string {
  let kind: string | undefined;
  for (const list of lists) {
    for (const element of list) {
      const own = goKindOf(element);
      if (kind === undefined) {
        if (own === 'slice') throw rejectedRequest();
        if (own === 'nil') throw incomparable();
        kind = own;
      } else if (kind !== own) {
        throw mixedElements(lists);
      }
    }
  }
  if (kind === undefined) throw noElements();
  return kind;
}

/** Each scalar once; where one stood a second time, the last of the list takes its place. */
function distinct(list: readonly JsonValue[]): readonly JsonValue[] {
  if (new Set(list.map(scalarIdentity)).size === list.length) return list;
  const result = [...list];
  for (let i = 0; i < result.length; i++) {
    for (let j = i + 1; j < result.length; j++) {
      const last = result.at(-1);
      if (last === undefined || scalarIdentity(result[i]) !== scalarIdentity(result[j])) continue;
      result[j] = last;
      result.pop();
      j--;
    }
  }
  return result;
}

function mergeMaps(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  { mergeKey, mergeElement }: ListMerge,
): MergedList {
  const room = new ListRoom(original, mergeKey);
  const elements: JsonValue[] = [];
  let replaced = false;
  for (const element of patch) {
    const map = asMap(element);
    const directive = member(map, DIRECTIVE);
    if (directive === undefined) elements.push(element);
    else if (directive === 'replace') replaced = true;
    else if (directive === 'delete') {
      const key = member(map, mergeKey);
      if (key === undefined) throw missingMergeKey(map, mergeKey);
      room.remove(key);
    } else if (directive === 'merge') throw listDirectiveMerge();
    else throw unknownDirective(directive, map);
  }
  const identityOf = keyIdentity(mergeKey);
  if (replaced) {
    return {
      list: inOrder(elements, { identityOf, wanted: [], before: elements }),
      before: room.original(original.length),
    };
  }
  const before = room.list();
  for (const element of elements) {
    const place = room.find(mergeKeyOf(element, mergeKey));
    const found = place === undefined ? undefined : room.at(place);
    if (place === undefined || !isJsonObject(found)) room.add(element);
    else room.set(place, mergeElement(found, element));
  }
  return {
    list: inOrder(room.list(), { identityOf, wanted: elements, before }),
    before: room.original(original.length),
  };
}

/** A list within an array that may be longer: deleting moves what follows up and leaves the end behind. */
class ListRoom {
  readonly #array: JsonValue[];
  readonly #mergeKey: string;
  #length: number;
  /** Identity → first place; undefined when places have changed. */
  #places: Map<string, number> | undefined;

  constructor(original: readonly JsonValue[], mergeKey: string) {
    this.#array = [...original];
    this.#mergeKey = mergeKey;
    this.#length = original.length;
  }

  list(): readonly JsonValue[] {
    return this.#array.slice(0, this.#length);
  }

  /** What whoever holds the first `length` places sees. */
  original(length: number): readonly JsonValue[] {
    return this.#array.slice(0, length);
  }

  at(place: number): JsonValue | undefined {
    return this.#array[place];
  }

  find(key: JsonValue): number | undefined {
    if (this.#places === undefined) {
      this.#places = new Map();
      for (let place = 0; place < this.#length; place++) this.#note(place);
    }
    return this.#places.get(scalarIdentity(key));
  }

  remove(key: JsonValue): void {
    for (let place = this.find(key); place !== undefined; place = this.find(key)) {
      this.#array.copyWithin(place, place + 1, this.#length);
      this.#length--;
      this.#places = undefined;
    }
  }

  add(element: JsonValue): void {
    this.#array[this.#length] = element;
    this.#length++;
    this.#note(this.#length - 1);
  }

  set(place: number, element: JsonValue): void {
    this.#array[place] = element;
  }

  #note(place: number): void {
    const element = this.#array[place];
    const key = isJsonObject(element) ? member(element, this.#mergeKey) : undefined;
    if (key === undefined) return;
    const identity = scalarIdentity(key);
    if (this.#places?.has(identity) === false) this.#places.set(identity, place);
  }
}
