import { type FieldError, fieldErrorText } from '../../../../mockserver/ground/field-error.js';
import { Float, type JsonObject, type JsonValue } from '../../../../mockserver/ground/json.js';
import { compileSchema } from '../../../../mockserver/schema/structural/compile-schema.js';
import { Correlation } from '../../../../mockserver/schema/structural/correlation.js';
import { valueErrors } from '../../../../mockserver/schema/structural/validate-value.js';
import { compileRules } from '../../../../mockserver/schema/structural/value-rules.js';

const shown = (errors: readonly FieldError[]): readonly string[] =>
  errors.map((error) => `${error.field}: ${fieldErrorText(error)}`);

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});

/** Errors of a value that stands at `spec`. */
const found = (schema: JsonObject, spec: JsonValue): readonly string[] =>
  shown(valueErrors({ spec }, compileRules(object({ spec: schema })), ''));

interface Row {
  readonly name: string;
  readonly schema: JsonObject;
  readonly value: JsonValue;
  readonly errors: readonly string[];
}

/** Answers of kube-apiserver 1.36.3 to such objects. */
const rows: readonly Row[] = [
  {
    name: 'a value of another type is named by its type',
    schema: object({ color: { type: 'string' } }),
    value: { color: 1 },
    errors: ['spec.color: Invalid value: "integer": spec.color in body must be of type string: "integer"'],
  },
  {
    name: 'a fraction is no int32, twice',
    schema: object({ n: { type: 'integer', format: 'int32' } }),
    value: { n: 1.5 },
    errors: [
      'spec.n: Invalid value: "float64": spec.n in body must be of type int32: "float64"',
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.n',
    ],
  },
  {
    name: 'a whole float is an integer',
    schema: object({ n: { type: 'integer' } }),
    value: { n: new Float(2) },
    errors: [],
  },
  {
    name: 'null is of no type',
    schema: object({ a: { type: 'string' }, b: { type: 'string', nullable: true } }),
    value: { a: null, b: null },
    errors: ['spec.a: Invalid value: "null": spec.a in body must be of type string: "null"'],
  },
  {
    name: 'int-or-string is one of both',
    schema: object({ p: { 'x-kubernetes-int-or-string': true } }),
    value: { p: true },
    errors: ['spec.p: Invalid value: "boolean": spec.p in body must be of type integer,string: "boolean"'],
  },
  {
    name: 'required members',
    schema: object({ a: { type: 'string' } }, { required: ['a', 'b'] }),
    value: {},
    errors: ['spec.a: Required value', 'spec.b: Required value'],
  },
  {
    name: 'an enum shows its values in order',
    schema: object({ a: { type: 'string', enum: ['red', 'green'] } }),
    value: { a: 'purple' },
    errors: ['spec.a: Unsupported value: "purple": supported values: "red", "green"'],
  },
  {
    name: 'lengths count characters; the first rule that fails is named',
    schema: object({
      a: { type: 'string', maxLength: 2, pattern: '^x' },
      b: { type: 'string', minLength: 2 },
      c: { type: 'string', maxLength: 1 },
    }),
    value: { a: 'abc', b: 'a', c: '\u{1f642}' },
    errors: [
      'spec.a: Too long: may not be more than 2 bytes',
      'spec.b: Invalid value: "a": spec.b in body should be at least 2 chars long',
    ],
  },
  {
    name: 'patterns',
    schema: object({ a: { type: 'string', pattern: '^a+$' } }),
    value: { a: 'b' },
    errors: [`spec.a: Invalid value: "b": spec.a in body should match '^a+$'`],
  },
  {
    name: 'formats that are known; others are ignored',
    schema: object({ a: { type: 'string', format: 'date' }, b: { type: 'string', format: 'zzz' } }),
    value: { a: 'x', b: 'x' },
    errors: ['spec.a: Invalid value: "x": spec.a in body must be of type date: "x"'],
  },
  {
    name: 'bounds, included or not',
    schema: object({
      a: { type: 'integer', maximum: 10 },
      b: { type: 'integer', minimum: 0, exclusiveMinimum: true },
      c: { type: 'number', maximum: 1.5 },
    }),
    value: { a: 11, b: 0, c: 12_345_678.5 },
    errors: [
      'spec.a: Invalid value: 11: spec.a in body should be less than or equal to 10',
      'spec.b: Invalid value: 0: spec.b in body should be greater than 0',
      'spec.c: Invalid value: 1.23456785e+07: spec.c in body should be less than or equal to 1.5',
    ],
  },
  {
    name: 'a bound that is no integer is complained of, and applied',
    schema: object({ a: { type: 'integer', minimum: 0.5 } }),
    value: { a: 0 },
    errors: [
      '<nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in spec.a',
      'spec.a: Invalid value: 0: spec.a in body should be greater than or equal to 0.5',
    ],
  },
  {
    name: 'factors',
    schema: object({ a: { type: 'integer', multipleOf: 2 }, b: { type: 'number', multipleOf: 0.5 } }),
    value: { a: 3, b: 1.25 },
    errors: [
      'spec.a: Invalid value: 3: spec.a in body should be a multiple of 2',
      'spec.b: Invalid value: 1.25: spec.b in body should be a multiple of 0.5',
    ],
  },
  {
    name: 'sizes of lists and maps',
    schema: object({
      l: { type: 'array', items: { type: 'integer' }, maxItems: 1 },
      m: { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 1 },
      n: { type: 'array', items: { type: 'integer' }, minItems: 1 },
    }),
    value: { l: [1, 2], m: { a: 1, b: 2 }, n: [] },
    errors: [
      'spec.l: Too many: 2: must have at most 1 item',
      'spec.m: Too many: 2: must have at most 1 item',
      'spec.n: Invalid value: 0: spec.n in body should have at least 1 items',
    ],
  },
  {
    name: 'elements and values of maps',
    schema: object({
      l: { type: 'array', items: { type: 'integer' } },
      m: { type: 'object', additionalProperties: { type: 'integer' } },
    }),
    value: { l: [1, 'x'], m: { k: 'x' } },
    errors: [
      'spec.l[1]: Invalid value: "string": spec.l[1] in body must be of type integer: "string"',
      'spec.m.k: Invalid value: "string": spec.m.k in body must be of type integer: "string"',
    ],
  },
  {
    name: 'anyOf shows the branch that came farthest',
    schema: object({ a: { type: 'string', anyOf: [{ maxLength: 1 }, { pattern: '^a' }] } }),
    value: { a: 'bb' },
    errors: [
      '<nil>: Invalid value: "": "spec.a" must validate at least one schema (anyOf)',
      'spec.a: Too long: may not be more than 1 byte',
    ],
  },
  {
    name: 'oneOf takes exactly one',
    schema: object({ a: { type: 'integer', oneOf: [{ minimum: 0 }, { maximum: 9 }] } }),
    value: { a: 5 },
    errors: [
      '<nil>: Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  },
  {
    name: 'allOf and not',
    schema: object({
      a: { type: 'integer', allOf: [{ minimum: 6 }], not: { enum: [5] } },
    }),
    value: { a: 5 },
    errors: [
      'spec.a: Invalid value: 5: spec.a in body should be greater than or equal to 6',
      '<nil>: Invalid value: "": "spec.a" must validate all the schemas (allOf). None validated',
      '<nil>: Invalid value: "": "spec.a" must not validate the schema (not)',
    ],
  },
];

describe('values', () => {
  test.each(rows)('$name', ({ schema, value, errors }) => {
    expect(found(schema, value)).toEqual(errors);
  });

  test('what is said of a whole object has no field', () => {
    const rules = compileRules({ type: 'object', maxProperties: 0 });
    expect(shown(valueErrors({ a: 1 }, rules, ''))).toEqual([
      '<nil>: Too many: 1: must have at most 0 items',
    ]);
    expect(shown(valueErrors('x', rules, 'status'))).toEqual([
      'status: Invalid value: "string":  in body must be of type object: "string"',
    ]);
  });

  test('a hostile pattern answers', () => {
    expect(
      found(object({ a: { type: 'string', pattern: '^(a+)+$' } }), { a: `${'a'.repeat(5000)}b` }),
    ).toHaveLength(1);
  });
});

describe('an update', () => {
  const schema = object({
    spec: object({
      text: { type: 'string', maxLength: 1 },
      other: { type: 'string' },
      atomic: { type: 'array', items: { type: 'string', maxLength: 1 } },
      keyed: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: object({ k: { type: 'string' }, v: { type: 'string', maxLength: 1 } }),
      },
      any: { type: 'object', maxProperties: 0, 'x-kubernetes-preserve-unknown-fields': true },
    }),
  });
  const errors = (previous: JsonObject, next: JsonObject): readonly string[] =>
    shown(
      valueErrors(
        { spec: next },
        compileRules(schema),
        '',
        new Correlation({ spec: next }, { spec: previous }, compileSchema(schema)),
      ),
    );
  const tooLong = (field: string): string => `${field}: Too long: may not be more than 1 byte`;

  test.each([
    { name: 'keeps what it was', previous: { text: 'xx' }, next: { text: 'xx', other: 'y' }, errors: [] },
    {
      name: 'may not change to another wrong value',
      previous: { text: 'xx' },
      next: { text: 'xy' },
      errors: [tooLong('spec.text')],
    },
    {
      name: 'keeps an element of a keyed list, wherever it stands now',
      previous: { keyed: [{ k: 'a', v: 'xx' }] },
      next: {
        keyed: [
          { k: 'b', v: 'yy' },
          { k: 'a', v: 'xx' },
        ],
      },
      errors: [tooLong('spec.keyed[0].v')],
    },
    {
      name: 'does not keep an element of another list that has changed',
      previous: { atomic: ['xx'] },
      next: { atomic: ['xx', 'y'] },
      errors: [tooLong('spec.atomic[0]')],
    },
    {
      name: 'does not keep what its schema does not know',
      previous: { any: { a: 1 } },
      next: { any: { a: 1 } },
      errors: ['spec.any: Too many: 1: must have at most 0 items'],
    },
  ])('$name', (row) => {
    expect(errors(row.previous, row.next)).toEqual(row.errors);
  });
});
