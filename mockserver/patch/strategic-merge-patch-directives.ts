/** The directives of strategic merge patches, as they stand among the members of a map. */
import {
  isJsonArray,
  isJsonObject,
  member,
  setMember,
  type JsonObject,
  type JsonValue,
} from '../ground/json.js';
import { asMap, goEqual, mergeKeyOf, scalarIdentity } from './strategic-merge-patch-order.js';
import { malformedDirective, wrongOrder } from './strategic-merge-patch-errors.js';

/** In a map: `replace` or `delete` it; in an element of a list: `delete` that element, or `replace` the list. */
export const DIRECTIVE = '$patch';
/** Names the members that stay. */
export const RETAIN_KEYS = '$retainKeys';
/** `$deleteFromPrimitiveList/finalizers` */
export const DELETE_FROM_LIST = '$deleteFromPrimitiveList';
/** `$setElementOrder/containers` */
export const ELEMENT_ORDER = '$setElementOrder';

/** A part of the patch's own copy, which may be changed. */
export interface Draft {
  [name: string]: JsonValue;
}

/** As a type only: values of the patch come from `draftOf`, so nobody else sees them. */
export const isDraft = (value: JsonValue | undefined): value is Draft => isJsonObject(value);

export const hasDirective = (value: JsonValue): boolean =>
  isJsonObject(value) && Object.hasOwn(value, DIRECTIVE);

/** `containers` of `$setElementOrder/containers`. Errors: 400 when nothing follows the directive's name. */
export function listNameOf(name: string, directive: typeof DELETE_FROM_LIST | typeof ELEMENT_ORDER): string {
  const slash = name.indexOf('/');
  if (slash !== directive.length) {
    throw malformedDirective(directive === ELEMENT_ORDER ? 'setElementOrder list' : 'primitive list');
  }
  return name.slice(slash + 1);
}

/**
 * The members that `$retainKeys` lets stay; undefined when it is not there.
 *
 * Errors: 400 when it is no list, or does not name all that the patch sets.
 */
export function retainedNames(patch: JsonObject): ReadonlySet<string> | undefined {
  const given = member(patch, RETAIN_KEYS);
  if (given === undefined) return undefined;
  if (!isJsonArray(given)) throw malformedDirective('retainKeys');
  const identities = new Set(given.map(scalarIdentity));
  for (const [name, value] of Object.entries(patch)) {
    if (name === RETAIN_KEYS || value === null) continue;
    if (name.startsWith(DELETE_FROM_LIST) || name.startsWith(ELEMENT_ORDER)) continue;
    if (!identities.has(scalarIdentity(name))) throw malformedDirective('retainKeys');
  }
  return new Set(given.filter((name) => typeof name === 'string'));
}

/**
 * Refuses a patch of a list whose elements are not all in the order list, and in that order; what it deletes may be
 * anywhere. Errors: 500.
 */
export function checkElementOrder(
  patch: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string,
): void {
  if (patch.length === 0 || order.length === 0) return;
  const kept = mergeKey === '' ? patch : patch.filter((one) => member(asMap(one), DIRECTIVE) !== 'delete');
  const keyOf = (one: JsonValue): JsonValue => (mergeKey === '' ? one : mergeKeyOf(one, mergeKey));
  let next = 0;
  const skipSpecial = (): void => {
    for (let one = kept[next]; one !== undefined && hasDirective(one); one = kept[next]) next++;
  };
  for (const place of order) {
    skipSpecial();
    const one = kept[next];
    if (one === undefined) return;
    if (goEqual(keyOf(one), keyOf(place))) next++;
  }
  // As a real server has it, what carries a directive is only skipped while the order list goes on.
  if (next < kept.length) throw wrongOrder(patch, order);
}

/** Leaves out members that are null, at any depth, in place; null elements of lists stay. */
export function discardNulls(value: JsonValue): void {
  if (isJsonArray(value)) for (const one of value) discardNulls(one);
  if (!isDraft(value)) return;
  for (const [name, one] of Object.entries(value)) {
    if (one === null) Reflect.deleteProperty(value, name);
    else discardNulls(one);
  }
}

/**
 * What is to be stored of a value that had no counterpart: maps with a `$patch` are left out, at any depth. Maps are
 * changed in place, lists are made anew. Undefined: nothing is left.
 */
export function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (isJsonArray(value)) return value.map(withoutDirectives).filter((one) => one !== undefined);
  if (!isDraft(value)) return value;
  if (hasDirective(value)) return undefined;
  for (const [name, one] of Object.entries(value)) {
    const left = withoutDirectives(one);
    if (left === undefined) Reflect.deleteProperty(value, name);
    else if (left !== one) setMember(value, name, left);
  }
  return value;
}
