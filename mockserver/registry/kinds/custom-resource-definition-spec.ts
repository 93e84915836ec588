/** A CustomResourceDefinition read: its names, its versions, its conditions. */
import {
  type JsonArray,
  type JsonObject,
  arrayMember,
  booleanMember,
  isJsonObject,
  member,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type ApiObject, EMPTY } from '../../ground/object.js';

export const specOf = (crd: ApiObject): JsonObject => objectMember(crd, 'spec') ?? EMPTY;
export const statusOf = (crd: ApiObject): JsonObject => objectMember(crd, 'status') ?? EMPTY;
export const groupOf = (crd: ApiObject): string => stringMember(specOf(crd), 'group') ?? '';

/** The names of a resource; what is not set is `''` or empty. */
export interface ResourceNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

export function readNames(names: JsonObject | undefined): ResourceNames {
  return {
    plural: stringMember(names, 'plural') ?? '',
    singular: stringMember(names, 'singular') ?? '',
    kind: stringMember(names, 'kind') ?? '',
    listKind: stringMember(names, 'listKind') ?? '',
    shortNames: textsOf(arrayMember(names, 'shortNames')),
    categories: textsOf(arrayMember(names, 'categories')),
  };
}

/** The names as JSON: empty ones left out, but for plural and kind, in the order of the wire. */
export function writeNames(names: ResourceNames): JsonObject {
  const { plural, singular, kind, listKind, shortNames, categories } = names;
  return {
    plural,
    ...(singular === '' ? {} : { singular }),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    kind,
    ...(listKind === '' ? {} : { listKind }),
    ...(categories.length === 0 ? {} : { categories }),
  };
}

export const requestedNames = (crd: ApiObject): ResourceNames =>
  readNames(objectMember(specOf(crd), 'names'));
export const acceptedNames = (crd: ApiObject): ResourceNames =>
  readNames(objectMember(statusOf(crd), 'acceptedNames'));

/** One entry of spec.versions. */
export interface DefinedVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly json: JsonObject;
}

export function versionsOf(crd: ApiObject): readonly DefinedVersion[] {
  return (arrayMember(specOf(crd), 'versions') ?? []).filter(isJsonObject).map((json) => ({
    name: stringMember(json, 'name') ?? '',
    served: booleanMember(json, 'served') ?? false,
    storage: booleanMember(json, 'storage') ?? false,
    deprecated: booleanMember(json, 'deprecated') ?? false,
    json,
  }));
}

export const storedVersionsOf = (crd: ApiObject): readonly string[] =>
  textsOf(arrayMember(statusOf(crd), 'storedVersions'));

export type ConditionStatus = 'True' | 'False';

export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
}

export function conditionOf(crd: ApiObject, type: string): JsonObject | undefined {
  return (arrayMember(statusOf(crd), 'conditions') ?? [])
    .filter(isJsonObject)
    .find((condition) => member(condition, 'type') === type);
}

export const isConditionTrue = (crd: ApiObject, type: string): boolean =>
  stringMember(conditionOf(crd, type), 'status') === 'True';

/**
 * The definition with one condition set, at its place or at the end.
 * @param time when the status of the condition changed, if it does (`2026-01-01T00:00:00Z`)
 */
export function withCondition(crd: ApiObject, condition: Condition, time: string): ApiObject {
  const before = conditionOf(crd, condition.type);
  const kept =
    before !== undefined && member(before, 'status') === condition.status
      ? stringMember(before, 'lastTransitionTime')
      : undefined;
  const { type, status, reason, message } = condition;
  const next: JsonObject = { type, status, lastTransitionTime: kept ?? time, reason, message };
  const conditions: JsonArray = arrayMember(statusOf(crd), 'conditions') ?? [];
  return {
    ...crd,
    status: {
      ...statusOf(crd),
      conditions:
        before === undefined ? [...conditions, next] : conditions.map((one) => (one === before ? next : one)),
    },
  };
}

function textsOf(list: JsonArray | undefined): readonly string[] {
  return (list ?? []).filter((one): one is string => typeof one === 'string');
}
