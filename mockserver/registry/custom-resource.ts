/** What discovery and the OpenAPI documents need to know of one installed custom resource. */
import {
  type JsonObject,
  arrayMember,
  booleanMember,
  isJsonObject,
  objectMember,
  stringMember,
} from '../ground/json.js';

export interface CustomNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

export interface CustomVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** `schema.openAPIV3Schema`, defaults of the definition itself applied. */
  readonly schema?: JsonObject;
  readonly hasStatus: boolean;
  readonly hasScale: boolean;
  /** Paths such as `.spec.color`. */
  readonly selectableFields: readonly string[];
}

export interface CustomResource {
  readonly group: string;
  readonly namespaced: boolean;
  /** As asked for: what the OpenAPI documents show. */
  readonly names: CustomNames;
  /** As accepted: what discovery shows. */
  readonly accepted: CustomNames;
  readonly versions: readonly CustomVersion[];
  readonly established: boolean;
  readonly terminating: boolean;
}

/** Reads a definition object (apiextensions.k8s.io/v1) that has been validated; absent members become empty. */
export function customResourceOf(definition: JsonObject): CustomResource {
  const spec = objectMember(definition, 'spec');
  const status = objectMember(definition, 'status');
  const names = namesOf(objectMember(spec, 'names'));
  const accepted = namesOf(objectMember(status, 'acceptedNames'));
  const conditions = new Set(
    objects(status, 'conditions')
      .filter((condition) => stringMember(condition, 'status') === 'True')
      .map((condition) => stringMember(condition, 'type')),
  );
  return {
    group: stringMember(spec, 'group') ?? '',
    namespaced: stringMember(spec, 'scope') === 'Namespaced',
    names,
    accepted: accepted.plural === '' ? names : accepted,
    versions: objects(spec, 'versions').map(versionOf),
    established: conditions.has('Established'),
    terminating: conditions.has('Terminating'),
  };
}

function namesOf(names: JsonObject | undefined): CustomNames {
  const kind = stringMember(names, 'kind') ?? '';
  return {
    plural: stringMember(names, 'plural') ?? '',
    singular: stringMember(names, 'singular') ?? kind.toLowerCase(),
    kind,
    listKind: stringMember(names, 'listKind') ?? `${kind}List`,
    shortNames: texts(names, 'shortNames'),
    categories: texts(names, 'categories'),
  };
}

function versionOf(version: JsonObject): CustomVersion {
  const schema = objectMember(objectMember(version, 'schema'), 'openAPIV3Schema');
  const subresources = objectMember(version, 'subresources');
  return {
    name: stringMember(version, 'name') ?? '',
    served: booleanMember(version, 'served') ?? false,
    storage: booleanMember(version, 'storage') ?? false,
    ...(schema === undefined ? {} : { schema }),
    hasStatus: objectMember(subresources, 'status') !== undefined,
    hasScale: objectMember(subresources, 'scale') !== undefined,
    selectableFields: objects(version, 'selectableFields').map(
      (field) => stringMember(field, 'jsonPath') ?? '',
    ),
  };
}

const objects = (parent: JsonObject | undefined, name: string): JsonObject[] =>
  (arrayMember(parent, name) ?? []).filter(isJsonObject);

const texts = (parent: JsonObject | undefined, name: string): string[] =>
  (arrayMember(parent, name) ?? []).filter((one): one is string => typeof one === 'string');
