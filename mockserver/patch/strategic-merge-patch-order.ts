/** In which order a merged list stands: what the patch says comes before what the list said. */
import { Float, isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../ground/json.js';
import { goKindOf } from '../ground/go-value-text.js';
import { incomparable, missingMergeKey, notAMap } from './strategic-merge-patch-errors.js';

/** A list element's identity: the element itself, or its merge key. */
export type IdentityOf = (element: JsonValue) => string;

/**
 * An identity of scalars: equal when Go's `==` says so, that is in type and value.
 *
 * Errors: 500 for maps and lists, which Go cannot compare.
 */
export function scalarIdentity(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'nil';
  if (isJsonArray(value) || isJsonObject(value)) throw incomparable();
  return `${goKindOf(value)}:${String(value instanceof Float ? value.value : value)}`;
}

/** Go's `==`: maps and lists differ from all else. Errors: 500 for two maps or two lists, which Go cannot compare. */
export function goEqual(a: JsonValue, b: JsonValue): boolean {
  return goKindOf(a) === goKindOf(b) && scalarIdentity(a) === scalarIdentity(b);
}

/** Identity by merge key. Errors: 500 for elements that are no maps or have no such member. */
export const keyIdentity =
  (mergeKey: string): IdentityOf =>
  (element) =>
    scalarIdentity(mergeKeyOf(element, mergeKey));

export function mergeKeyOf(element: JsonValue, mergeKey: string): JsonValue {
  const map = asMap(element);
  const value = member(map, mergeKey);
  if (value === undefined) throw missingMergeKey(map, mergeKey);
  return value;
}

export function asMap(element: JsonValue): JsonObject {
  if (!isJsonObject(element)) throw notAMap(element);
  return element;
}

export interface MergeOrder {
  readonly identityOf: IdentityOf;
  /** The order that the patch wants for the elements that it names. */
  readonly wanted: readonly JsonValue[];
  /** The order in which the rest stood. */
  readonly before: readonly JsonValue[];
}

/**
 * Puts a merged list in order: what `wanted` names stands as it says, the rest as it stood; a rest element is put
 * before the first wanted one that it stood before, else behind.
 *
 * Errors: 500 for elements that cannot be told apart.
 * Source: strategicpatch/patch.go, normalizeElementOrder and mergeSortedSlice.
 */
export function inOrder(
  merged: readonly JsonValue[],
  { identityOf, wanted, before }: MergeOrder,
): readonly JsonValue[] {
  const wantedPlaces = placesOf(wanted, identityOf);
  const places = placesOf(before, identityOf);
  const named: JsonValue[] = [];
  const rest: JsonValue[] = [];
  for (const element of merged) (wantedPlaces.has(identityOf(element)) ? named : rest).push(element);
  const placeOf = (element: JsonValue): number | undefined => places.get(identityOf(element));
  return interleave(
    sorted(rest, placeOf),
    sorted(named, (one) => wantedPlaces.get(identityOf(one))),
    placeOf,
  );
}

function placesOf(list: readonly JsonValue[], identityOf: IdentityOf): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  list.forEach((element, place) => {
    const identity = identityOf(element);
    if (!places.has(identity)) places.set(identity, place);
  });
  return places;
}

/**
 * By place. An element without one counts as smaller than all, and all as smaller than it: what comes of that is
 * decided by the steps of the sort, which are those of Go's for up to twenty elements.
 */
function sorted(
  list: readonly JsonValue[],
  placeOf: (element: JsonValue) => number | undefined,
): readonly JsonValue[] {
  const entries = list.map((element) => ({ element, place: placeOf(element) }));
  if (entries.every(({ place }) => place !== undefined)) {
    entries.sort((a, b) => (a.place ?? 0) - (b.place ?? 0));
    return entries.map(({ element }) => element);
  }
  for (let i = 1; i < entries.length; i++) {
    for (let j = i; j > 0; j--) {
      const one = entries[j];
      const earlier = entries[j - 1];
      if (one === undefined || earlier === undefined) break;
      if (one.place !== undefined && earlier.place !== undefined && one.place >= earlier.place) break;
      entries[j] = earlier;
      entries[j - 1] = one;
    }
  }
  return entries.map(({ element }) => element);
}

function interleave(
  rest: readonly JsonValue[],
  named: readonly JsonValue[],
  placeOf: (element: JsonValue) => number | undefined,
): readonly JsonValue[] {
  const result: JsonValue[] = [];
  let next = 0;
  for (const element of named) {
    const place = placeOf(element);
    for (let own = rest[next]; own !== undefined && place !== undefined; own = rest[next]) {
      const ownPlace = placeOf(own);
      if (ownPlace === undefined || ownPlace >= place) break;
      result.push(own);
      next++;
    }
    result.push(element);
  }
  return [...result, ...rest.slice(next)];
}
