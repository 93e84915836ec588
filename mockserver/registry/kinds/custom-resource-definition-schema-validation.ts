/** The schemas of CustomResourceDefinitions: what may stand in them. */
import { type FieldError, forbidden, invalid, notSupported } from '../../ground/field-error.js';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  member,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { compileSchema } from '../../schema/structural/compile-schema.js';
import { isTypeMember } from '../../schema/structural/type-members.js';
import { defaultErrors } from './custom-resource-definition-default-validation.js';
import { listAndMapErrors } from './custom-resource-definition-list-validation.js';
import { ruleCompileErrors } from './custom-resource-definition-rule-compilation.js';
import { ruleTextErrors } from './custom-resource-definition-rule-validation.js';
import {
  additionalSchemaOf,
  hasDefault,
  isSet,
  isTrue,
  propertiesOf,
  schemasOf,
  typeOf,
} from './custom-resource-definition-schema-json.js';
import { structuralErrors } from './custom-resource-definition-structural-validation.js';

/**
 * Errors of one schema: that it is structural, that its defaults are values of it, keyword by keyword, and
 * that its rules compile.
 * @param path of the schema, `spec.validation.openAPIV3Schema`
 * @param hasStatus whether status is a subresource, which leaves fewer keywords for the root
 * @param isKnown whether the version had the same schema before
 * Source: apiextensions apis/apiextensions/validation, validateCustomResourceDefinitionValidation.
 */
export function schemaErrors(
  schema: JsonObject,
  path: string,
  hasStatus: boolean,
  isKnown: boolean,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (hasStatus) errors.push(...rootErrors(schema, path));
  if (isTrue(schema, 'nullable'))
    errors.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));
  const structural = structuralErrors(schema, path);
  if (structural !== undefined) {
    errors.push(...(structural.length > 0 ? structural : defaultErrors(compileSchema(schema), path)));
  }
  const keywords: FieldError[] = [];
  keywordErrors(schema, path, { isRoot: true, insideMeta: false, noDefaults: undefined }, keywords);
  errors.push(...keywords);
  if (structural?.length === 0)
    errors.push(...ruleCompileErrors(compileSchema(schema), path, keywords, isKnown));
  return errors;
}

/** In the order in which a server looks for those that are not allowed. */
const ROOT_KEYWORDS: readonly (readonly [keyword: string, allowed: boolean])[] = [
  ['id', false],
  ['$schema', false],
  ['$ref', false],
  ['type', true],
  ['nullable', false],
  ['default', false],
  ['enum', false],
  ['maxProperties', false],
  ['minProperties', false],
  ['allOf', false],
  ['oneOf', false],
  ['anyOf', false],
  ['not', false],
  ['additionalProperties', false],
  ['patternProperties', false],
  ['dependencies', false],
  ['additionalItems', false],
  ['definitions', false],
  ['x-kubernetes-embedded-resource', false],
  ['x-kubernetes-int-or-string', false],
  ['x-kubernetes-list-map-keys', false],
  ['x-kubernetes-list-type', false],
  ['x-kubernetes-map-type', false],
];

const ROOT_FIELDS =
  '[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]';

/** The first keyword that would be lost when the schema of status is taken out. */
function rootErrors(schema: JsonObject, path: string): readonly FieldError[] {
  for (const [keyword, allowed] of ROOT_KEYWORDS) {
    const value = member(schema, keyword);
    if (keyword === 'type' && isSet(value) && value !== 'object') {
      const why =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalid(`${path}.type`, value ?? null, why)];
    }
    if (allowed || !isGiven(keyword, value)) continue;
    const why = `only ${ROOT_FIELDS} fields are allowed at the root of the schema if the status subresource is enabled`;
    return [invalid(path, { ID: '', Schema: '' }, why)];
  }
  return [];
}

/** Whether a keyword is there at all: empty lists and objects count, and so does `additionalProperties: false`. */
const isGiven = (keyword: string, value: JsonValue | undefined): boolean =>
  (value ?? null) !== null && value !== '' && (value !== false || keyword === 'additionalProperties');

interface Place {
  readonly isRoot: boolean;
  /** In apiVersion, kind or metadata of the object or of an embedded one. */
  readonly insideMeta: boolean;
  /** Why no default may be set here; undefined where one may. */
  readonly noDefaults: string | undefined;
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Source: the same, ValidateCustomResourceDefinitionOpenAPISchema. */
function keywordErrors(schema: JsonObject, path: string, place: Place, errors: FieldError[]): void {
  errors.push(...plainErrors(schema, path, place));
  const inner: Place = { ...place, isRoot: false };
  const nested = (one: JsonObject | undefined, where: string, at: Place = inner): void => {
    if (one !== undefined) keywordErrors(one, `${path}.${where}`, at, errors);
  };
  nested(
    additionalSchemaOf(schema),
    'additionalProperties',
    place.insideMeta
      ? { ...inner, noDefaults: 'inside additionalProperties applying to object metadata' }
      : inner,
  );
  const isObject = place.isRoot || isTrue(schema, 'x-kubernetes-embedded-resource');
  for (const [name, property] of propertiesOf(schema)) {
    const meta = isObject && isTypeMember(name);
    nested(property, `properties[${name}]`, {
      isRoot: false,
      insideMeta: place.insideMeta || meta,
      noDefaults: meta && place.isRoot ? `in top-level ${name}` : place.noDefaults,
    });
  }
  nested(objectMember(schema, 'not'), 'not');
  for (const name of ['allOf', 'oneOf', 'anyOf'])
    schemasOf(schema, name).forEach((one, i) => {
      nested(one, `${name}[${i}]`);
    });
  for (const [name, one] of propertiesOf(schema, 'definitions')) nested(one, `definitions[${name}]`);
  nested(objectMember(schema, 'items'), 'items');
  schemasOf(schema, 'items').forEach((one, i) => {
    nested(one, `items[${i}]`);
  });
  for (const [name, one] of propertiesOf(schema, 'dependencies')) nested(one, `dependencies[${name}]`);
  if (member(schema, 'x-kubernetes-preserve-unknown-fields') === false) {
    const field = `${path}.x-kubernetes-preserve-unknown-fields`;
    errors.push(invalid(field, false, 'must be true or undefined'));
  }
  errors.push(...listAndMapErrors(schema, path), ...ruleTextErrors(schema, path));
}

function plainErrors(schema: JsonObject, path: string, place: Place): readonly FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (name: string, why: string): void => {
    errors.push(forbidden(`${path}.${name}`, why));
  };
  const type = typeOf(schema);
  if (type !== '' && !TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, TYPES));
  if (place.noDefaults !== undefined && hasDefault(schema))
    forbid('default', `must not be set ${place.noDefaults}`);
  if ((stringMember(schema, 'id') ?? '') !== '') forbid('id', 'id is not supported');
  if ((member(schema, 'additionalItems') ?? null) !== null)
    forbid('additionalItems', 'additionalItems is not supported');
  if (isSet(member(schema, 'patternProperties')))
    forbid('patternProperties', 'patternProperties is not supported');
  if (isSet(member(schema, 'definitions'))) forbid('definitions', 'definitions is not supported');
  if (isJsonObject(member(schema, 'dependencies'))) forbid('dependencies', 'dependencies is not supported');
  if (member(schema, '$ref') !== undefined) forbid('$ref', '$ref is not supported');
  if (type === 'null') forbid('type', 'type cannot be set to null, use nullable as an alternative');
  if (isJsonArray(member(schema, 'items'))) forbid('items', 'items must be a schema object and not an array');
  if (place.insideMeta && isTrue(schema, 'x-kubernetes-embedded-resource'))
    forbid('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
  if (isTrue(schema, 'uniqueItems')) {
    forbid('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  }
  const additional = member(schema, 'additionalProperties');
  if (propertiesOf(schema).length > 0 && (additional === false || isJsonObject(additional))) {
    forbid('additionalProperties', 'additionalProperties and properties are mutual exclusive');
  }
  return errors;
}
