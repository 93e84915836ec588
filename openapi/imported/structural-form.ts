/** The schema of a kind as a definition of a custom resource could have it. */
import {
  type JsonObject,
  type MutableJsonObject,
  isJsonObject,
  objectMember,
  stringMember,
} from '../../mockserver/ground/json.js';

/** Deeper parts are taken as they come: nobody nests that deep but schemas that contain themselves. */
const DEEPEST = 24;

const ANYTHING: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const ANY_VALUE: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };
const TEXT_OR_NUMBER: JsonObject = { 'x-kubernetes-int-or-string': true };

/** What is kept of a schema as it stands; `required` is not: there it says what is written, not what has to be sent. */
const KEPT = [
  'type',
  'format',
  'enum',
  'default',
  'nullable',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'uniqueItems',
  'description',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-validations',
] as const;

/**
 * References are written out, down to where a schema contains itself, which is taken as it comes. Without a schema
 * anything is taken.
 *
 * @param definitionOf folded schemas by name
 */
export function structuralForm(
  name: string,
  definitionOf: (name: string) => JsonObject | undefined,
): JsonObject {
  const definition = definitionOf(name);
  if (definition === undefined) return ANYTHING;
  const form = structural(definition, definitionOf, [name]);
  const properties = objectMember(form, 'properties');
  if (form['type'] !== 'object' || properties === undefined) return ANYTHING;
  return {
    ...form,
    properties: {
      ...properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
    },
  };
}

function structural(
  schema: JsonObject,
  definitionOf: (name: string) => JsonObject | undefined,
  within: readonly string[],
): JsonObject {
  const reference = stringMember(schema, '$ref');
  if (reference !== undefined) {
    const target = definitionOf(reference);
    if (target === undefined || within.includes(reference) || within.length > DEEPEST) return ANY_VALUE;
    if (reference.endsWith('.api.resource.Quantity')) return TEXT_OR_NUMBER;
    const { default: given } = schema;
    const form = structural(target, definitionOf, [...within, reference]);
    // A default of `{}` stands at every struct of Go and fills in nothing there.
    return given === undefined || isEmpty(given) ? form : { ...form, default: given };
  }
  if (schema['oneOf'] !== undefined || schema['format'] === 'int-or-string') return TEXT_OR_NUMBER;
  if (schema['type'] === undefined) return ANY_VALUE;
  const form: MutableJsonObject = {};
  for (const keyword of KEPT) {
    const value = schema[keyword];
    if (value !== undefined && !(keyword === 'default' && (isEmpty(value) || isZero(value))))
      form[keyword] = value;
  }
  const inner = (part: JsonObject): JsonObject => structural(part, definitionOf, within);
  const properties = objectMember(schema, 'properties');
  const additional = objectMember(schema, 'additionalProperties');
  const items = objectMember(schema, 'items');
  if (properties !== undefined) {
    form['properties'] = Object.fromEntries(
      Object.entries(properties).map(([property, one]) => [
        property,
        isJsonObject(one) ? inner(one) : ANY_VALUE,
      ]),
    );
  } else if (additional !== undefined) form['additionalProperties'] = inner(additional);
  else if (schema['type'] === 'object') form['x-kubernetes-preserve-unknown-fields'] = true;
  if (schema['type'] === 'array') form['items'] = items === undefined ? ANY_VALUE : inner(items);
  return form;
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Defaults of version 3 that say what Go writes for an unset value. */
const isZero = (value: unknown): boolean => value === '' || value === 0 || value === false;
