/** What is checked of CustomResourceDefinitions, apart from their schemas. */
import { type FieldError, invalid, notSupported, required } from '../../ground/field-error.js';
import {
  type JsonObject,
  type JsonValue,
  arrayMember,
  booleanMember,
  jsonEqual,
  member,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { APPROVAL_ANNOTATION, approvalOf, isProtectedGroup } from './custom-resource-definition-approval.js';
import { conversionErrors } from './custom-resource-definition-conversion.js';
import {
  type DefinedVersion,
  type ResourceNames,
  acceptedNames,
  groupOf,
  isConditionTrue,
  requestedNames,
  specOf,
  statusOf,
  storedVersionsOf,
  versionsOf,
} from './custom-resource-definition-spec.js';
import { deprecationErrors, versionPartErrors } from './custom-resource-definition-version-validation.js';
import { dns1035LabelProblems, dns1123SubdomainProblems } from '../../ground/name-syntax.js';

const IMMUTABLE = 'field is immutable';

/** Source: apiextensions apis/apiextensions/validation/validation.go, ValidateCustomResourceDefinition. */
export function createErrors(crd: ApiObject): readonly FieldError[] {
  return [
    ...specErrors(crd, undefined),
    ...statusErrors(crd),
    ...storedVersionErrors(crd),
    ...approvalErrors(crd, undefined),
    ...preserveErrors(crd, undefined),
  ];
}

/** Source: the same, ValidateCustomResourceDefinitionUpdate. */
export function updateErrors(next: ApiObject, previous: ApiObject): readonly FieldError[] {
  return [
    ...specErrors(next, previous),
    ...immutableErrors(next, previous),
    ...statusErrors(next),
    ...storedVersionErrors(next),
    ...approvalErrors(next, previous),
    ...preserveErrors(next, previous),
  ];
}

/** Of an update through /status too. */
export function statusErrors(crd: ApiObject): readonly FieldError[] {
  return nameErrors(acceptedNames(crd), 'status.acceptedNames');
}

function specErrors(crd: ApiObject, previous: ApiObject | undefined): FieldError[] {
  const spec = specOf(crd);
  const versions = versionsOf(crd);
  const hoisted = hoistedParts(versions);
  const errors: FieldError[] = [...groupErrors(groupOf(crd)), ...scopeErrors(spec)];
  versions.forEach((version, i) => {
    if (objectMember(objectMember(version.json, 'schema'), 'openAPIV3Schema') === undefined) {
      errors.push(required(`spec.versions[${i}].schema.openAPIV3Schema`));
    }
  });
  versions.forEach((version, i) => {
    const path = `spec.versions[${i}]`;
    const problems = dns1035LabelProblems(version.name);
    if (problems.length > 0) errors.push(invalid(`${path}.name`, version.name, problems.join(',')));
    errors.push(
      ...deprecationErrors(version, path),
      ...versionPartErrors(version.json, {
        path,
        hoisted,
        atTop: false,
        hasStatus: hasStatus(version),
        isKnown: isKnownSchema(version, previous),
      }),
    );
  });
  const names = versions.map((version) => version.name);
  if (new Set(names).size < names.length) {
    errors.push(invalid('spec.versions', shownVersions(crd, hoisted), 'must contain unique version names'));
  }
  if (versions.filter((version) => version.storage).length !== 1) {
    errors.push(
      invalid(
        'spec.versions',
        shownVersions(crd, hoisted),
        'must have exactly one version marked as storage version',
      ),
    );
  }
  const first = versions[0];
  // The name that spec.version had in older versions of the API, which a server fills in.
  const nameProblems = first === undefined || first.name === '' ? [] : dns1035LabelProblems(first.name);
  if (nameProblems.length > 0)
    errors.push(invalid('spec.version', first?.name ?? '', nameProblems.join(',')));
  const requested = requestedNames(crd);
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (requested[name] === '') errors.push(required(`spec.names.${name}`));
  }
  errors.push(...nameErrors(requested, 'spec.names'));
  if (first !== undefined) {
    errors.push(
      ...versionPartErrors(first.json, {
        path: 'spec',
        hoisted,
        atTop: true,
        hasStatus: versions.some(hasStatus),
        isKnown: isKnownSchema(first, previous),
      }),
    );
  }
  errors.push(...conversionErrors(objectMember(spec, 'conversion')));
  return errors;
}

function isKnownSchema({ name, json }: DefinedVersion, previous: ApiObject | undefined): boolean {
  const before = previous && versionsOf(previous).find((one) => one.name === name);
  const [schema, old] = [member(json, 'schema'), before && member(before.json, 'schema')];
  return schema !== undefined && old !== undefined && jsonEqual(schema, old);
}

const hasStatus = ({ json }: DefinedVersion): boolean =>
  objectMember(objectMember(json, 'subresources'), 'status') !== undefined;

/**
 * The parts that all versions have alike: a server moves them up, to the spec, and errors name them there.
 * Source: apis/apiextensions/v1/conversion.go.
 */
function hoistedParts(versions: readonly DefinedVersion[]): ReadonlySet<string> {
  const parts = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'];
  const [first, ...others] = versions;
  return new Set(
    first === undefined
      ? []
      : parts.filter((part) =>
          others.every((one) => jsonEqual(member(one.json, part), member(first.json, part))),
        ),
  );
}

/** spec.versions as an error shows them: with the names of Go's fields. */
function shownVersions(crd: ApiObject, hoisted: ReadonlySet<string>): JsonValue {
  if (arrayMember(specOf(crd), 'versions') === undefined) return null;
  const part = (version: JsonObject, name: string): JsonValue =>
    hoisted.has(name) ? null : (member(version, name) ?? null);
  return versionsOf(crd).map(({ name, served, storage, deprecated, json }) => ({
    Name: name,
    Served: served,
    Storage: storage,
    Deprecated: deprecated,
    DeprecationWarning: member(json, 'deprecationWarning') ?? null,
    Schema: part(json, 'schema'),
    Subresources: part(json, 'subresources'),
    AdditionalPrinterColumns: part(json, 'additionalPrinterColumns'),
    SelectableFields: part(json, 'selectableFields'),
  }));
}

function groupErrors(group: string): readonly FieldError[] {
  if (group === '') return [required('spec.group')];
  const problems = dns1123SubdomainProblems(group);
  if (problems.length > 0) return [invalid('spec.group', group, problems.join(','))];
  return group.includes('.')
    ? []
    : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function scopeErrors(spec: JsonObject): readonly FieldError[] {
  const scope = stringMember(spec, 'scope') ?? '';
  const known = ['Cluster', 'Namespaced'];
  if (scope === '') return [required('spec.scope')];
  return known.includes(scope) ? [] : [notSupported('spec.scope', scope, known)];
}

function nameErrors(names: ResourceNames, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const check = (field: string, name: string, asked: string, lead = ''): void => {
    const problems = dns1035LabelProblems(asked);
    if (problems.length > 0) errors.push(invalid(`${path}.${field}`, name, lead + problems.join(',')));
  };
  const mixedCase = 'may have mixed case, but should otherwise match: ';
  if (names.plural !== '') check('plural', names.plural, names.plural);
  if (names.singular !== '') check('singular', names.singular, names.singular);
  if (names.kind !== '') check('kind', names.kind, names.kind.toLowerCase(), mixedCase);
  if (names.listKind !== '') check('listKind', names.listKind, names.listKind.toLowerCase(), mixedCase);
  names.shortNames.forEach((name, i) => check(`shortNames[${i}]`, name, name));
  if (names.kind !== '' && names.kind === names.listKind) {
    errors.push(invalid(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'));
  }
  names.categories.forEach((name, i) => check(`categories[${i}]`, name, name));
  return errors;
}

function storedVersionErrors(crd: ApiObject): readonly FieldError[] {
  const field = 'status.storedVersions';
  const stored = storedVersionsOf(crd);
  if (stored.length === 0) {
    const shown = arrayMember(statusOf(crd), 'storedVersions') === undefined ? null : [];
    return [invalid(field, shown, 'must have at least one stored version')];
  }
  const errors: FieldError[] = [];
  const versions = versionsOf(crd);
  // A name that stands twice is found once.
  const left = new Set(stored);
  for (const { name, storage } of versions) {
    if (!left.delete(name) && storage)
      errors.push(invalid(field, stored, `must have the storage version ${name}`));
  }
  stored.forEach((name, i) => {
    if (versions.some((version) => version.name === name)) return;
    const remain = `must remain in spec.versions until a storage migration ensures no data remains persisted in ${name}`;
    errors.push(
      invalid(
        `${field}[${i}]`,
        name,
        `missing from spec.versions; ${name} was previously a storage version, and ${remain} and removes ${name} from status.storedVersions`,
      ),
    );
  });
  return errors;
}

function approvalErrors(next: ApiObject, previous: ApiObject | undefined): readonly FieldError[] {
  if (!isProtectedGroup(groupOf(next))) return [];
  const annotations = objectMember(next.metadata, 'annotations');
  const { reason, message } = approvalOf(annotations);
  const before = previous && approvalOf(objectMember(previous.metadata, 'annotations')).reason;
  if (reason === before) return [];
  const field = `metadata.annotations[${APPROVAL_ANNOTATION}]`;
  switch (reason) {
    case 'MissingAnnotation':
      return [required(field, message)];
    case 'InvalidAnnotation':
      return [invalid(field, stringMember(annotations, APPROVAL_ANNOTATION) ?? '', message)];
    case 'ApprovedAnnotation':
    case 'UnapprovedAnnotation':
      return [];
  }
}

function preserveErrors(next: ApiObject, previous: ApiObject | undefined): readonly FieldError[] {
  const preserves = (crd: ApiObject): boolean => booleanMember(specOf(crd), 'preserveUnknownFields') ?? false;
  if (!preserves(next) || (previous !== undefined && preserves(previous))) return [];
  const why =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid('spec.preserveUnknownFields', true, why)];
}

function immutableErrors(next: ApiObject, previous: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const check = (field: string, value: string, before: string): void => {
    if (value !== before) errors.push(invalid(field, value, IMMUTABLE));
  };
  const scopeOf = (crd: ApiObject): string => stringMember(specOf(crd), 'scope') ?? '';
  if (isConditionTrue(previous, 'Established')) {
    check('spec.scope', scopeOf(next), scopeOf(previous));
    check('spec.names.kind', requestedNames(next).kind, requestedNames(previous).kind);
  }
  check('spec.group', groupOf(next), groupOf(previous));
  check('spec.names.plural', requestedNames(next).plural, requestedNames(previous).plural);
  return errors;
}
