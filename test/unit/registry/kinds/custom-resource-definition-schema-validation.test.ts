import { fieldErrorText } from '../../../../mockserver/ground/field-error.js';
import { type JsonObject } from '../../../../mockserver/ground/json.js';
import { schemaErrors } from '../../../../mockserver/registry/kinds/custom-resource-definition-schema-validation.js';

const P = 'spec.validation.openAPIV3Schema';
const errorsOf = (schema: JsonObject, hasStatus = false): readonly string[] =>
  schemaErrors(schema, P, hasStatus, false).map(
    (error) => `${error.field.replace(P, '')}: ${fieldErrorText(error)}`,
  );

/** A schema with one property `a`. */
const a = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { a: schema } });
const text = { type: 'string' };

/** Refused so by kube-apiserver 1.36.3. */
const rows: readonly { name: string; schema: JsonObject; errors: readonly string[] }[] = [
  { name: 'a sound schema', schema: a(text), errors: [] },
  {
    name: 'a field without a type',
    schema: a({ properties: { b: text } }),
    errors: ['.properties[a].type: Required value: must not be empty for specified object fields'],
  },
  {
    name: 'another root than an object',
    schema: text,
    errors: ['.type: Invalid value: "string": must be object at the root'],
  },
  {
    name: 'metadata with more than names',
    schema: { type: 'object', properties: { metadata: a({ type: 'object' }) } },
    errors: [
      '.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ],
  },
  {
    name: 'metadata with names',
    schema: { type: 'object', properties: { metadata: { type: 'object', properties: { name: text } } } },
    errors: [],
  },
  {
    name: 'a default of another type',
    schema: a({ type: 'integer', default: 'x' }),
    errors: ['.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"'],
  },
  {
    name: 'a default with unknown members',
    schema: a({ type: 'object', properties: { b: text }, default: { c: 1 } }),
    errors: ['.properties[a].default: Invalid value: {"c":1}: must not have unknown fields'],
  },
  {
    name: 'a map list without keys',
    schema: a({ type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } }),
    errors: [
      '.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
    ],
  },
  {
    name: 'a map list whose key may be absent',
    schema: a({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: text } },
    }),
    errors: [
      '.properties[a].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    ],
  },
  {
    name: 'a list type that is none',
    schema: a({ type: 'array', 'x-kubernetes-list-type': 'bag', items: text }),
    errors: [
      '.properties[a].x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"',
    ],
  },
  {
    name: 'an array without items',
    schema: a({ type: 'array' }),
    errors: ['.properties[a].items: Required value: must be specified'],
  },
  {
    name: 'keywords that are not supported end the search for others',
    schema: a({ $ref: '#/x' }),
    errors: ['.properties[a].$ref: Forbidden: $ref is not supported'],
  },
  {
    name: 'properties beside additionalProperties',
    schema: a({ type: 'object', properties: { b: text }, additionalProperties: text }),
    errors: [
      '.properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    ],
  },
  {
    name: 'uniqueItems',
    schema: a({ type: 'array', uniqueItems: true, items: text }),
    errors: [
      '.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    ],
  },
  {
    name: 'a pattern that is none',
    schema: a({ type: 'string', pattern: '(' }),
    errors: [
      `.properties[a].pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
    ],
  },
  {
    name: 'structure under anyOf',
    schema: a({ type: 'integer', anyOf: [{ type: 'integer' }, { default: 1 }] }),
    errors: [
      '.properties[a].anyOf[0].type: Forbidden: must be empty to be structural',
      '.properties[a].anyOf[1].default: Forbidden: must be undefined to be structural',
    ],
  },
  {
    name: 'int-or-string as it was written of old',
    schema: a({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, text] }),
    errors: [],
  },
  {
    name: 'values of fields that are not there',
    schema: { ...a(text), anyOf: [{ required: ['b'], properties: { b: {} } }] },
    errors: [`.properties[b]: Required value: because it is defined in ${P}.anyOf[0].properties[b]`],
  },
  {
    name: 'a rule without a text',
    schema: a({ type: 'string', 'x-kubernetes-validations': [{ rule: ' ' }, { rule: 'true', reason: 'X' }] }),
    errors: [
      '.properties[a].x-kubernetes-validations[0].rule: Required value: rule is not specified',
      '.properties[a].x-kubernetes-validations[1].reason: Unsupported value: "X": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
    ],
  },
];

test.each(rows)('$name', ({ schema, errors }) => {
  expect(errorsOf(schema)).toEqual(errors);
});

test('where status is a subresource, the root has only what stays true of status alone', () => {
  expect(errorsOf({ ...a(text), maxProperties: 1 })).toEqual([]);
  expect(errorsOf({ ...a(text), maxProperties: 1 }, true)).toEqual([
    expect.stringContaining(
      'fields are allowed at the root of the schema if the status subresource is enabled',
    ),
  ]);
});
