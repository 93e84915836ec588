/** What every object's metadata must be, on create and on update. */
import { type FieldError, forbidden, invalid, required, tooLong } from '../ground/field-error.js';
import {
  arrayMember,
  isJsonObject,
  jsonEqual,
  member,
  numberMember,
  objectMember,
  stringMember,
  type JsonObject,
} from '../ground/json.js';
import {
  dns1123LabelProblems,
  labelKeyProblems,
  labelValueProblems,
  pathSegmentProblems,
} from '../ground/name-syntax.js';
import { type ApiObject, deletionTimestampOf, finalizersOf, generationOf } from '../ground/object.js';
import { goQuote } from '../ground/revision.js';
import { BANNED_OWNER, nameProblems as formProblems } from './kinds/names.js';
import { groupResourceOf, type Resource } from './resource.js';

const ANNOTATIONS_LIMIT_BYTES = 262_144;
const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';
/** Finalizers without a domain that built-in kinds may have. Source: pkg/apis/core/helper, IsStandardFinalizerName. */
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', ORPHAN, FOREGROUND]);
const IMMUTABLE = 'field is immutable';

/** Names of a resource's objects: the kind's own rule, else DNS subdomains. */
export function nameProblems(
  resource: Resource,
  object: ApiObject,
  name: string,
  isPrefix: boolean,
): readonly string[] {
  const own = resource.store.rules?.nameProblems;
  return own === undefined
    ? formProblems(groupResourceOf(resource), name, isPrefix)
    : own(name, isPrefix, object);
}

/**
 * @param domains whether finalizers need one
 * Source: apimachinery api/validation/objectmeta.go, ValidateObjectMetaAccessor.
 */
export function validateMetadata(resource: Resource, object: ApiObject, domains: boolean): FieldError[] {
  return metadataErrors(object.metadata, {
    namespaced: resource.namespaced,
    nameProblems: (name, isPrefix) => nameProblems(resource, object, name, isPrefix),
    qualifiedFinalizers: domains,
  });
}

/**
 * What is checked of every kind's update before the kind's own checks: any name will do that can stand in a path.
 * Source: apiserver registry/rest/update.go, validateCommonFields.
 */
export const commonMetadataErrors = ({ namespaced }: Resource, { metadata }: ApiObject): FieldError[] =>
  metadataErrors(metadata, { namespaced, nameProblems: pathSegmentProblems, qualifiedFinalizers: false });

interface MetadataRules {
  readonly namespaced: boolean;
  readonly nameProblems: (name: string, isPrefix: boolean) => readonly string[];
  /** Whether finalizers need a domain. */
  readonly qualifiedFinalizers: boolean;
}

/**
 * Errors of metadata that stands inside an object. It needs no name, and any name will do that can stand in a path.
 * @param path where it stands: `spec.template.metadata`
 * Source: apiextensions-apiserver apiserver/schema/objectmeta/validation.go.
 */
export function validateEmbeddedMetadata(metadata: JsonObject, path: string): FieldError[] {
  const named = (stringMember(metadata, 'name') ?? '') === '' ? { ...metadata, name: 'unnamed' } : metadata;
  return metadataErrors(named, {
    namespaced: (stringMember(metadata, 'namespace') ?? '') !== '',
    // Of a prefix, the whole is not known.
    nameProblems: (name, isPrefix) => pathSegmentProblems(isPrefix ? `${name}x` : name),
    qualifiedFinalizers: false,
  }).map((error) => ({ ...error, field: error.field.replace(/^metadata/, () => path) }));
}

function metadataErrors(metadata: JsonObject, rules: MetadataRules): FieldError[] {
  const errors: FieldError[] = [];
  const prefix = stringMember(metadata, 'generateName') ?? '';
  if (prefix !== '') {
    for (const problem of rules.nameProblems(prefix, true))
      errors.push(invalid('metadata.generateName', prefix, problem));
  }
  const name = stringMember(metadata, 'name') ?? '';
  if (name === '') errors.push(required('metadata.name', 'name or generateName is required'));
  else
    for (const problem of rules.nameProblems(name, false))
      errors.push(invalid('metadata.name', name, problem));
  const namespace = stringMember(metadata, 'namespace') ?? '';
  if (rules.namespaced) {
    if (namespace === '') errors.push(required('metadata.namespace'));
    else
      for (const problem of dns1123LabelProblems(namespace))
        errors.push(invalid('metadata.namespace', namespace, problem));
  }
  const generation = numberMember(metadata, 'generation') ?? 0;
  if (generation < 0) {
    errors.push(invalid('metadata.generation', generation, 'must be greater than or equal to 0'));
  }
  return [
    ...errors,
    ...labelErrors(metadata),
    ...annotations(metadata),
    ...owners(metadata),
    ...finalizers(textsIn(metadata, 'finalizers'), rules.qualifiedFinalizers),
  ];
}

const textsIn = (metadata: JsonObject, name: string): readonly string[] =>
  (arrayMember(metadata, name) ?? []).filter((one): one is string => typeof one === 'string');

/**
 * What an update may not do to metadata.
 * Source: apimachinery api/validation/objectmeta.go, ValidateObjectMetaAccessorUpdate.
 */
export function validateMetadataUpdate(next: ApiObject, previous: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const now = next.metadata;
  const before = previous.metadata;
  if (deletionTimestampOf(previous) !== undefined) {
    const known = new Set(finalizersOf(previous));
    const added = [...new Set(finalizersOf(next))].filter((one) => !known.has(one)).sort();
    if (added.length > 0) {
      errors.push(
        forbidden(
          'metadata.finalizers',
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map(goQuote).join(', ')}}`,
        ),
      );
    }
  }
  if (generationOf(next) < generationOf(previous)) {
    errors.push(invalid('metadata.generation', generationOf(next), 'must not be decremented'));
  }
  for (const name of [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ]) {
    if (!jsonEqual(member(now, name), member(before, name))) {
      errors.push(invalid(`metadata.${name}`, member(now, name) ?? null, IMMUTABLE));
    }
  }
  return [...errors, ...labelErrors(now), ...annotations(now), ...owners(now)];
}

/** Keys and values of metadata.labels. Source: apimachinery meta/v1/validation, ValidateLabels. */
export function labelErrors(metadata: JsonObject): FieldError[] {
  const all = objectMember(metadata, 'labels');
  if (all === undefined) return [];
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(all)) {
    for (const problem of labelKeyProblems(key)) errors.push(invalid('metadata.labels', key, problem));
    for (const problem of labelValueProblems(typeof value === 'string' ? value : ''))
      errors.push(invalid('metadata.labels', value, problem));
  }
  return errors;
}

function annotations(metadata: JsonObject): FieldError[] {
  const all = objectMember(metadata, 'annotations');
  if (all === undefined) return [];
  let bytes = 0;
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(all)) {
    bytes += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
    for (const problem of labelKeyProblems(key.toLowerCase()))
      errors.push(invalid('metadata.annotations', key, problem));
  }
  if (bytes > ANNOTATIONS_LIMIT_BYTES) errors.push(tooLong('metadata.annotations', ANNOTATIONS_LIMIT_BYTES));
  return errors;
}

/** Owners are shown as their type has them, whatever order the object is kept in. */
const OWNER_MEMBERS = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'] as const;

const inTypedOrder = (owner: JsonObject): JsonObject =>
  Object.fromEntries(
    OWNER_MEMBERS.flatMap((name) => {
      const value = member(owner, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

function owners(metadata: JsonObject): FieldError[] {
  const field = 'metadata.ownerReferences';
  const all = arrayMember(metadata, 'ownerReferences') ?? [];
  const errors: FieldError[] = [];
  let first: string | undefined;
  for (const owner of all) {
    if (!isJsonObject(owner)) continue;
    const text = (name: string): string => stringMember(owner, name) ?? '';
    const version = text('apiVersion').split('/').at(-1) ?? '';
    if (version === '')
      errors.push(invalid(`${field}.apiVersion`, text('apiVersion'), 'version must not be empty'));
    for (const name of ['kind', 'name', 'uid']) {
      if (text(name) === '') errors.push(invalid(`${field}.${name}`, '', 'must not be empty'));
    }
    if (text('apiVersion') === BANNED_OWNER.apiVersion && text('kind') === BANNED_OWNER.kind) {
      errors.push(
        invalid(
          field,
          inTypedOrder(owner),
          `/${version}, Kind=${text('kind')} is disallowed from being an owner`,
        ),
      );
    }
    if (member(owner, 'controller') === true) {
      const current = `${text('kind')}/${text('name')}`;
      if (first !== undefined) {
        errors.push(
          invalid(
            field,
            all.map((one) => (isJsonObject(one) ? inTypedOrder(one) : one)),
            `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${current}`,
          ),
        );
      } else first = current;
    }
  }
  return errors;
}

/** @param domains whether the kind wants them: custom resources are only warned */
function finalizers(all: readonly string[], domains: boolean): FieldError[] {
  const field = 'metadata.finalizers';
  const errors = all.flatMap((one) => labelKeyProblems(one).map((problem) => invalid(field, one, problem)));
  if (all.includes(ORPHAN) && all.includes(FOREGROUND)) {
    errors.push(invalid(field, all, `finalizer ${ORPHAN} and ${FOREGROUND} cannot be both set`));
  }
  return domains ? [...errors, ...domainErrors(all)] : errors;
}

/** Finalizers of built-in kinds that are no standard ones and have no domain. */
export const domainErrors = (finalizers: readonly string[]): FieldError[] =>
  finalizers.flatMap((one, i) =>
    one.includes('/') || STANDARD_FINALIZERS.has(one)
      ? []
      : [
          invalid(
            `metadata.finalizers[${i}]`,
            one,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );

/** Warnings about finalizers of custom resources. Source: apiextensions registry/customresource/validator.go. */
export function finalizerWarnings(all: readonly string[]): string[] {
  const tail = 'to avoid accidental conflicts with other finalizer writers';
  return all.flatMap((one) => {
    if (one === ORPHAN || one === FOREGROUND || labelKeyProblems(one).length > 0) return [];
    const [domain = '', path] = one.split('/');
    if (path !== undefined) return [];
    return domain.includes('.')
      ? [
          `metadata.finalizers: ${goQuote(one)}: prefer a domain-qualified finalizer name including a path (/) ${tail}`,
        ]
      : [`metadata.finalizers: ${goQuote(one)}: prefer a domain-qualified finalizer name ${tail}`];
  });
}
