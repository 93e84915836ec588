/** Structural schemas by chance, each with values that are valid by it. */
import fc from 'fast-check';
import { type JsonObject, type JsonValue } from '../../../../mockserver/ground/json.js';

export interface Schematic {
  readonly schema: JsonObject;
  /** Valid by the schema, and nothing that it does not know. */
  readonly value: JsonValue;
}

const NAMES = ['a', 'b-c', 'ä', 'toString', '__proto__', 'metadata', 'kind'] as const;
const names = fc.constantFrom(...NAMES);

/** Values with every form that JSON has, under names that schemas use too. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(null, true, 0, 1.5, '', 'x'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  ),
})).value;

const known = (schema: JsonObject, value: fc.Arbitrary<JsonValue>): fc.Arbitrary<Schematic> =>
  value.map((one) => ({ schema, value: one }));

const short = fc.string({ maxLength: 5 });
const scalar: fc.Arbitrary<Schematic> = fc.oneof(
  known({ type: 'string', maxLength: 5 }, short),
  known({ type: 'string', pattern: '^[a-c]*$' }, fc.constantFrom('', 'a', 'abc')),
  known({ type: 'string', enum: ['x', 'y'] }, fc.constantFrom('x', 'y')),
  known({ type: 'integer', minimum: -3, maximum: 3 }, fc.integer({ min: -3, max: 3 })),
  known({ type: 'number' }, fc.constantFrom(0, 1.5, -2)),
  known({ type: 'boolean' }, fc.boolean()),
  known({ 'x-kubernetes-int-or-string': true }, fc.oneof(fc.nat(9), short)),
  known({ type: 'string', nullable: true }, fc.constantFrom(null, 'x')),
);

const preserved = known(
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  fc.dictionary(names, anyJson, { maxKeys: 3 }),
);
const embedded = known(
  {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  },
  fc.constant({ apiVersion: 'v1', kind: 'X', metadata: { labels: { a: 'b' }, name: 'x' }, more: [null] }),
);

const set = known(
  { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  fc.uniqueArray(short, { maxLength: 4 }),
);
const keyed = known(
  {
    type: 'array',
    items: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, size: { type: 'integer', default: 1 } },
    },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
  fc.uniqueArray(short, { maxLength: 4 }).map((all) => all.map((name) => ({ name }))),
);

const listOf = ({ schema, value }: Schematic): fc.Arbitrary<Schematic> =>
  known({ type: 'array', items: schema }, fc.constantFrom<JsonValue>([], [value], [value, value]));

const mapOf = ({ schema, value }: Schematic): fc.Arbitrary<Schematic> =>
  known(
    { type: 'object', additionalProperties: schema },
    fc.uniqueArray(names, { maxLength: 3 }).map((keys) => entriesOf(keys.map((key) => [key, value]))),
  );

/** Also `__proto__` becomes a member. */
const entriesOf = (entries: readonly (readonly [string, JsonValue])[]): JsonObject =>
  Object.fromEntries(entries);

interface Property {
  readonly name: string;
  readonly of: Schematic;
  readonly form: 'required' | 'optional' | 'absent' | 'default';
}

/** An embedded object's own members are no properties of a schema. */
const propertyNames = fc.constantFrom(...NAMES.filter((name) => name !== 'metadata' && name !== 'kind'));

const objectWith = (properties: readonly Property[]): Schematic => ({
  schema: {
    type: 'object',
    required: properties.filter(({ form }) => form === 'required').map(({ name }) => name),
    properties: entriesOf(
      properties.map(({ name, of, form }) => [
        name,
        form === 'default' ? { ...of.schema, default: of.value } : of.schema,
      ]),
    ),
  },
  value: entriesOf(
    properties.flatMap(({ name, of, form }) =>
      form === 'required' || form === 'optional' ? [[name, of.value] as const] : [],
    ),
  ),
});

const objectOf = (member: fc.Arbitrary<Schematic>): fc.Arbitrary<Schematic> =>
  fc
    .uniqueArray(
      fc.record<Property>({
        name: propertyNames,
        of: member,
        form: fc.constantFrom('required', 'optional', 'absent', 'default'),
      }),
      { selector: ({ name }) => name, maxLength: 4 },
    )
    .map(objectWith);

const depth = (left: number): fc.Arbitrary<Schematic> => {
  if (left === 0) return scalar;
  const below = depth(left - 1);
  return fc.oneof(
    scalar,
    preserved,
    embedded,
    set,
    keyed,
    below.chain(listOf),
    below.chain(mapOf),
    objectOf(below),
  );
};

/** An object schema, some levels deep. */
export const schematics: fc.Arbitrary<Schematic> = objectOf(depth(3));
