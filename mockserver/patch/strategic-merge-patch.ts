/**
 * Strategic merge patch: a patch in the form of the object, merged as the fields of its kind say.
 * Source: apimachinery util/strategicpatch; the design proposals preserve-order-in-strategic-merge-patch and
 * add-new-patchStrategy-to-clear-fields-not-present-in-patch.
 */
import { goTypeName } from '../ground/go-json-type.js';
import {
  copyObject,
  isJsonArray,
  isJsonObject,
  member,
  setMember,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from '../ground/json.js';
import { overflowError } from '../ground/json-read.js';
import { badRequest } from '../ground/status.js';
import { goKindOf } from '../ground/go-value-text.js';
import { type PatchBody, type PatchDecoding } from './patch-body.js';
import {
  checkElementOrder,
  DELETE_FROM_LIST,
  DIRECTIVE,
  discardNulls,
  ELEMENT_ORDER,
  isDraft,
  listNameOf,
  RETAIN_KEYS,
  retainedNames,
  withoutDirectives,
  type Draft,
} from './strategic-merge-patch-directives.js';
import {
  elementNotAMap,
  listOfListType,
  notAList,
  notAListType,
  notAStruct,
  unknownDirective,
  unknownField,
} from './strategic-merge-patch-errors.js';
import { elementKind, mergeLists, type MergedList } from './strategic-merge-patch-list.js';
import { inOrder, keyIdentity, scalarIdentity } from './strategic-merge-patch-order.js';
import { goKindOfType, type FieldType, type StructType, type ValueType } from './value-type.js';

export interface StrategicMergePatch {
  readonly patch: JsonObject;
  /** `duplicate field "spec.a"` for each member given twice: a warning, or an error under Strict. */
  readonly problems: readonly string[];
}

/** Reads the body. Errors: 400 in the words of Go's decoder for what is no JSON object; `null` is an empty patch. */
export function decodeStrategicMergePatch(
  body: PatchBody,
  { fieldValidation }: PatchDecoding,
): StrategicMergePatch {
  if (!body.ok) throw badRequest(body.error);
  if (body.overflow !== undefined) throw badRequest(overflowError(body.overflow));
  const { value } = body;
  if (value === null) return { patch: {}, problems: [] };
  if (!isJsonObject(value)) {
    throw badRequest(
      `json: cannot unmarshal ${goTypeName(value)} into Go value of type map[string]interface {}`,
    );
  }
  const silent = fieldValidation === 'Ignore';
  return { patch: value, problems: silent ? [] : body.duplicates.map((path) => `duplicate field "${path}"`) };
}

export interface StrategicMerge {
  readonly result: JsonObject;
  /** The patch without the directives that have been followed: what errors about the result show. */
  readonly left: JsonObject;
}

/**
 * The document after the patch; neither is changed, and the result may share parts with both.
 *
 * Errors: 400, 422 and 500 of directives and lists that cannot be followed (strategic-merge-patch-errors.ts).
 * Deviation: members are taken in the order of the patch, which in a real server is random.
 */
export function applyStrategicMergePatch(
  document: JsonObject,
  { patch }: StrategicMergePatch,
  type: StructType,
): StrategicMerge {
  const left = draftOf(patch);
  return { result: mergeMap(document, left, { type, pointer: false }), left };
}

/** A copy that is the merge's own: it takes out of it what it has followed. */
function draftOf(patch: JsonObject): Draft {
  const draft: Draft = {};
  for (const [name, value] of Object.entries(patch)) setMember(draft, name, ownCopy(value));
  return draft;
}

function ownCopy(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(ownCopy);
  return isJsonObject(value) ? draftOf(value) : value;
}

/** What is being merged, as a Go type. */
interface Place {
  readonly type: ValueType;
  readonly pointer: boolean;
}

function mergeMap(original: JsonObject, patch: Draft, place: Place): JsonObject {
  const directive = member(patch, DIRECTIVE);
  if (directive === 'replace') {
    Reflect.deleteProperty(patch, DIRECTIVE);
    return patch;
  }
  if (directive === 'delete') return {};
  if (directive !== undefined) throw unknownDirective(directive, patch);

  const result = copyObject(original);
  const retained = retainedNames(patch);
  if (retained !== undefined) {
    Reflect.deleteProperty(patch, RETAIN_KEYS);
    for (const name of Object.keys(result)) if (!retained.has(name)) Reflect.deleteProperty(result, name);
  }
  for (const name of Object.keys(patch)) {
    if (name.startsWith(ELEMENT_ORDER)) followElementOrder(result, patch, name, place);
  }
  for (const [name, value] of Object.entries(patch)) {
    if (name.startsWith(DELETE_FROM_LIST)) {
      deleteFromList(result, listNameOf(name, DELETE_FROM_LIST), value, place);
    } else {
      mergeMember(result, name, value, place);
    }
  }
  return result;
}

function mergeMember(result: MutableJsonObject, name: string, value: JsonValue, place: Place): void {
  if (value === null) {
    Reflect.deleteProperty(result, name);
    return;
  }
  const current = member(result, name);
  if (isJsonObject(current) && isDraft(value)) {
    const field = fieldOf(place, name);
    setMember(result, name, field.strategy === 'replace' ? value : mergeMap(current, value, field));
  } else if (isJsonArray(current) && isJsonArray(value)) {
    setMember(result, name, mergeListField(current, value, listFieldOf(place, name), false).list);
  } else {
    if (current === undefined || goKindOf(current) !== goKindOf(value)) discardNulls(value);
    putWithoutDirectives(result, name, value);
  }
}

function putWithoutDirectives(result: MutableJsonObject, name: string, value: JsonValue): void {
  const left = withoutDirectives(value);
  if (left === undefined) Reflect.deleteProperty(result, name);
  else setMember(result, name, left);
}

function deleteFromList(result: MutableJsonObject, name: string, value: JsonValue, place: Place): void {
  if (value === null) {
    Reflect.deleteProperty(result, name);
    return;
  }
  const current = member(result, name);
  if (isJsonArray(current) && isJsonArray(value)) {
    setMember(result, name, mergeListField(current, value, listFieldOf(place, name), true).list);
  } else if (isJsonObject(current) && isDraft(value)) {
    // A map here is a mistake of the patch, and is merged like any other.
    mergeMember(result, name, value, place);
  } else if (current !== undefined && goKindOf(current) === goKindOf(value)) {
    putWithoutDirectives(result, name, value);
  }
}

function mergeListField(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  { strategy, mergeKey, element }: ListField,
  deletes: boolean,
): MergedList {
  if (strategy !== 'merge' && !deletes) return { list: patch, before: original };
  return mergeLists(original, patch, {
    mergeKey,
    elementKind: goKindOfType(element.type, element.pointer),
    deletes,
    mergeElement: (one, by) => (isDraft(by) ? mergeMap(one, by, element) : by),
  });
}

/** Takes `$setElementOrder/…` and its list out of the patch, and puts the list into the result, in that order. */
function followElementOrder(result: MutableJsonObject, patch: Draft, directive: string, place: Place): void {
  const order = asList(member(patch, directive) ?? null);
  Reflect.deleteProperty(patch, directive);
  const name = listNameOf(directive, ELEMENT_ORDER);
  const current = optionalList(member(result, name));
  const change = optionalList(member(patch, name));
  const field = listFieldOf(place, name);
  checkElementOrder(change ?? [], order, field.mergeKey);
  const merged = mergedForOrder(current, change, field);
  if (merged === undefined) return;

  if (field.mergeKey === '') for (const one of [...order, ...merged.list]) scalarIdentity(one);
  const ofMaps = elementKind(merged.before, change ?? []) === 'map';
  // What is left of maps without merge key is an empty list; it is refused for what it is to be ordered by.
  const byKey = field.mergeKey !== '' || (ofMaps && merged.list.length === 0);
  const identityOf = byKey ? keyIdentity(field.mergeKey) : scalarIdentity;
  if (field.mergeKey !== '' && merged.list.length > 0) checkMaps(order);
  setMember(result, name, [...inOrder(merged.list, { identityOf, wanted: order, before: merged.before })]);
  Reflect.deleteProperty(patch, name);
}

/** Errors: 500 for an order list of a list of maps that does not itself hold maps. */
function checkMaps(order: readonly JsonValue[]): void {
  const place = order.findIndex((one) => !isJsonObject(one));
  if (place >= 0) throw elementNotAMap(place);
}

function mergedForOrder(
  current: readonly JsonValue[] | undefined,
  change: readonly JsonValue[] | undefined,
  field: ListField,
): MergedList | undefined {
  if (current === undefined) {
    if (change === undefined) return undefined;
    return { list: change.map(withoutDirectives).filter((one) => one !== undefined), before: [] };
  }
  if (change === undefined) return { list: current, before: current };
  return mergeListField(current, change, field, false);
}

/** Errors: 500. */
function asList(value: JsonValue): readonly JsonValue[] {
  if (!isJsonArray(value)) throw notAList(value);
  return value;
}

const optionalList = (value: JsonValue | undefined): readonly JsonValue[] | undefined =>
  value === undefined ? undefined : asList(value);

/** Errors: 500 when the type has no such field. */
function fieldOf({ type }: Place, name: string): FieldType {
  if (type.kind !== 'struct' && type.kind !== 'opaque') throw notAStruct(goKindOfType(type));
  const field = type.kind === 'struct' ? type.fields.get(name) : undefined;
  if (field === undefined) throw unknownField(type.name, name);
  return field;
}

interface ListField {
  readonly strategy: FieldType['strategy'];
  readonly mergeKey: string;
  readonly element: Place;
}

/** Errors: 500 when the type has no such field, or it is no list. */
function listFieldOf(place: Place, name: string): ListField {
  const { type, pointer, strategy, mergeKey } = fieldOf(place, name);
  if (type.kind === 'list') {
    if (type.element.kind === 'list') throw listOfListType();
    return { strategy, mergeKey, element: { type: type.element, pointer: false } };
  }
  // A pointer is taken for one to a list, whatever it points to.
  if (pointer || type.kind === 'bytes') return { strategy, mergeKey, element: { type, pointer: false } };
  throw notAListType(goKindOfType(place.type, place.pointer));
}
