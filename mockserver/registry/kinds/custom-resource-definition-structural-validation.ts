/** Whether a schema is structural: every field has a type of its own, outside allOf, anyOf, oneOf and not. */
import { type FieldError, fieldErrorText, forbidden, invalid, required } from '../../ground/field-error.js';
import {
  type JsonObject,
  arrayMember,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  jsonEqual,
  member,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { patternProblem } from '../../schema/structural/pattern.js';
import {
  allSchemas,
  hasDefault,
  isSet,
  isTrue,
  propertiesOf,
  rulesOf,
  schemasOf,
  typeOf,
} from './custom-resource-definition-schema-json.js';

type Level = 'root' | 'item' | 'field';

/**
 * Errors in the order of their texts; undefined for a schema with keywords that cannot be structural (`$ref`,
 * `definitions`, …), which is complained of elsewhere.
 * Source: KEP-1142; apiextensions-apiserver apiserver/schema/validation.go and complete.go.
 */
export function structuralErrors(schema: JsonObject, path: string): readonly FieldError[] | undefined {
  if (conversionProblem(schema) !== undefined) return undefined;
  const errors: FieldError[] = [];
  checkInvariants(schema, 'root', path, errors);
  checkCompleteness(schema, schema, path, path, errors);
  return errors
    .map((error) => ({ error, text: `${error.field}: ${fieldErrorText(error)}` }))
    .sort((a, b) => compareUtf8(a.text, b.text))
    .map(({ error }) => error);
}

/**
 * What is wrong with the first part of a schema that no structural schema can have; undefined when there is none.
 * Source: apiserver/schema/convert.go, NewStructural.
 */
export function conversionProblem(schema: JsonObject): string | undefined {
  for (const one of allSchemas(schema)) {
    const problem = ownProblem(one);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const UNSUPPORTED = [
  'id',
  '$schema',
  '$ref',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
];

function ownProblem(schema: JsonObject): string | undefined {
  for (const name of UNSUPPORTED) {
    const value = member(schema, name);
    if (isSet(value) || (name === 'additionalItems' && (value ?? null) !== null))
      return `OpenAPIV3Schema '${name === '$schema' ? 'schema' : name}' is not supported`;
  }
  if (member(schema, 'x-kubernetes-preserve-unknown-fields') === false)
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  return isJsonArray(member(schema, 'items'))
    ? "OpenAPIV3Schema 'items' must be a schema, but is an array"
    : undefined;
}

function checkInvariants(schema: JsonObject, level: Level, path: string, errors: FieldError[]): void {
  const type = typeOf(schema);
  const items = objectMember(schema, 'items');
  const embedded = isTrue(schema, 'x-kubernetes-embedded-resource');
  const additional = member(schema, 'additionalProperties') ?? null;
  if (type === 'array' && items === undefined) errors.push(required(`${path}.items`, 'must be specified'));
  if (items !== undefined) checkInvariants(items, 'item', `${path}.items`, errors);
  for (const [name, property] of propertiesOf(schema))
    checkInvariants(property, 'field', `${path}.properties[${name}]`, errors);
  if (additional !== null) {
    const field = `${path}.additionalProperties`;
    if (level === 'root') errors.push(forbidden(field, 'must not be used at the root'));
    if (isJsonObject(additional)) checkInvariants(additional, 'field', field, errors);
  }
  checkExtensions(schema, path, errors);
  checkValues(schema, path, isIntOrStringPattern(schema), isIntOrStringPattern(firstOfAll(schema)), errors);
  checkType(schema, level, path, errors);
  if (embedded && additional !== null) {
    const why = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbidden(`${path}.additionalProperties`, why));
  }
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(invalid(`${path}.type`, type, 'must be object at the root'));
  checkObjectMembers(schema, level, path, errors);
  const isKept = isTrue(schema, 'x-kubernetes-preserve-unknown-fields');
  if (embedded && !isKept && propertiesOf(schema).length === 0) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(`${path}.properties`, why));
  }
}

function checkType(schema: JsonObject, level: Level, path: string, errors: FieldError[]): void {
  const type = typeOf(schema);
  const field = `${path}.type`;
  if (isTrue(schema, 'x-kubernetes-embedded-resource')) {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    if (type === '') errors.push(required(field, why));
    else if (type !== 'object') errors.push(invalid(field, type, why));
    return;
  }
  const free =
    isTrue(schema, 'x-kubernetes-int-or-string') || isTrue(schema, 'x-kubernetes-preserve-unknown-fields');
  if (type !== '' || free) return;
  const where = {
    root: 'at the root',
    item: 'for specified array items',
    field: 'for specified object fields',
  };
  errors.push(required(field, `must not be empty ${where[level]}`));
}

function checkExtensions(schema: JsonObject, path: string, errors: FieldError[]): void {
  if (!isTrue(schema, 'x-kubernetes-int-or-string')) return;
  for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource']) {
    if (isTrue(schema, name))
      errors.push(invalid(`${path}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'));
  }
}

/** apiVersion, kind and metadata: at the root and in embedded objects they are what they are everywhere. */
function checkObjectMembers(schema: JsonObject, level: Level, path: string, errors: FieldError[]): void {
  const properties = objectMember(schema, 'properties');
  const isObject = level === 'root' || isTrue(schema, 'x-kubernetes-embedded-resource');
  for (const name of ['kind', 'apiVersion']) {
    const property = objectMember(properties, name);
    if (property !== undefined && isObject && typeOf(property) !== 'string')
      errors.push(invalid(`${path}.properties[${name}].type`, typeOf(property), 'must be string'));
  }
  const metadata = objectMember(properties, 'metadata');
  if (metadata === undefined) return;
  const field = `${path}.properties[metadata]`;
  if (isObject && typeOf(metadata) !== 'object')
    errors.push(invalid(`${field}.type`, typeOf(metadata), 'must be object'));
  if (level !== 'root') return;
  const known = ['name', 'generateName'];
  const restricts = Object.keys(metadata).some((name) =>
    name === 'properties'
      ? propertiesOf(metadata).some(([one]) => !known.includes(one))
      : name !== 'type' && name !== 'default' && isSet(metadata[name]),
  );
  const more =
    'must not specify anything other than name and generateName, but metadata is implicitly specified';
  if (restricts || member(metadata, 'additionalProperties') === false) errors.push(forbidden(field, more));
}

/** The one form in which types may stand under anyOf, as int-or-string fields had it before they had a name. */
const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

const isIntOrStringPattern = (schema: JsonObject | undefined): boolean =>
  jsonEqual(arrayMember(schema, 'anyOf'), INT_OR_STRING);

const firstOfAll = (schema: JsonObject): JsonObject | undefined => schemasOf(schema, 'allOf')[0];

/** What stands under allOf, anyOf, oneOf and not, and the pattern. */
function checkValues(
  schema: JsonObject,
  path: string,
  skipAnyOf: boolean,
  skipFirstAnyOf: boolean,
  errors: FieldError[],
): void {
  if (!skipAnyOf)
    schemasOf(schema, 'anyOf').forEach((one, i) => checkNested(one, false, `${path}.anyOf[${i}]`, errors));
  schemasOf(schema, 'allOf').forEach((one, i) =>
    checkNested(one, skipFirstAnyOf && i === 0, `${path}.allOf[${i}]`, errors),
  );
  schemasOf(schema, 'oneOf').forEach((one, i) => checkNested(one, false, `${path}.oneOf[${i}]`, errors));
  const not = objectMember(schema, 'not');
  if (not !== undefined) checkNested(not, false, `${path}.not`, errors);
  const pattern = stringMember(schema, 'pattern') ?? '';
  const problem = pattern === '' ? undefined : patternProblem(pattern);
  if (problem !== undefined) {
    const why = `must be a valid regular expression, but isn't: ${problem}`;
    errors.push(invalid(`${path}.pattern`, pattern, why));
  }
}

const MUST = {
  type: 'empty',
  default: 'undefined',
  title: 'empty',
  description: 'empty',
  nullable: 'false',
  'x-kubernetes-preserve-unknown-fields': 'false',
  'x-kubernetes-embedded-resource': 'false',
  'x-kubernetes-int-or-string': 'false',
  'x-kubernetes-list-map-keys': 'empty',
  'x-kubernetes-list-type': 'undefined',
  'x-kubernetes-map-type': 'undefined',
  'x-kubernetes-validations': 'empty',
} as const;

/** A schema that may say something of values, and nothing of structure. */
function checkNested(schema: JsonObject, skipAnyOf: boolean, path: string, errors: FieldError[]): void {
  checkValues(schema, path, skipAnyOf, false, errors);
  const items = objectMember(schema, 'items');
  if (items !== undefined) checkNested(items, false, `${path}.items`, errors);
  for (const [name, property] of propertiesOf(schema))
    checkNested(property, false, `${path}.properties[${name}]`, errors);
  const additional = member(schema, 'additionalProperties');
  if (isJsonObject(additional) || additional === true)
    errors.push(forbidden(`${path}.additionalProperties`, 'must be undefined to be structural'));
  for (const [name, must] of Object.entries(MUST)) {
    const set = name === 'default' ? hasDefault(schema) : isPresent(schema, name, must);
    if (set) errors.push(forbidden(`${path}.${name}`, `must be ${must} to be structural`));
  }
  if (objectMember(objectMember(schema, 'properties'), 'metadata') !== undefined)
    errors.push(forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
}

const isPresent = (schema: JsonObject, name: string, must: string): boolean =>
  name === 'x-kubernetes-validations'
    ? rulesOf(schema).length > 0
    : must === 'undefined'
      ? typeof member(schema, name) === 'string'
      : isSet(member(schema, name));

/** What is said of values must be said of fields that are there. */
function checkCompleteness(
  values: JsonObject,
  schema: JsonObject | undefined,
  path: string,
  valuePath: string,
  errors: FieldError[],
): void {
  const nested = (one: JsonObject, place: string): void =>
    checkNestedCompleteness(one, schema, path, `${valuePath}.${place}`, errors);
  const not = objectMember(values, 'not');
  if (not !== undefined) nested(not, 'not');
  for (const name of ['allOf', 'anyOf', 'oneOf'])
    schemasOf(values, name).forEach((one, i) => {
      nested(one, `${name}[${i}]`);
    });
}

function checkNestedCompleteness(
  values: JsonObject,
  schema: JsonObject | undefined,
  path: string,
  valuePath: string,
  errors: FieldError[],
): void {
  if (schema === undefined) {
    errors.push(required(path, `because it is defined in ${valuePath}`));
    return;
  }
  checkCompleteness(values, schema, path, valuePath, errors);
  const items = objectMember(values, 'items');
  if (items !== undefined)
    checkNestedCompleteness(
      items,
      objectMember(schema, 'items'),
      `${path}.items`,
      `${valuePath}.items`,
      errors,
    );
  for (const [name, property] of propertiesOf(values)) {
    const place = `properties[${name}]`;
    const own = objectMember(objectMember(schema, 'properties'), name);
    checkNestedCompleteness(property, own, `${path}.${place}`, `${valuePath}.${place}`, errors);
  }
}
