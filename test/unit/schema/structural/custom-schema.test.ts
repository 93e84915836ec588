import { type JsonObject, type JsonValue } from '../../../../mockserver/ground/json.js';
import { type ApiObject } from '../../../../mockserver/ground/object.js';
import { customCodec } from '../../../../mockserver/schema/custom-codec.js';
import { CustomSchema } from '../../../../mockserver/schema/structural/custom-schema.js';

const schema = (spec: JsonObject): CustomSchema => new CustomSchema({ type: 'object', properties: { spec } });

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const text = { type: 'string' };
const preserved = { 'x-kubernetes-preserve-unknown-fields': true };

interface Row {
  readonly name: string;
  readonly schema: JsonObject;
  readonly spec: JsonValue;
  readonly becomes: JsonValue;
  readonly unknown?: readonly string[];
}

const rows: readonly Row[] = [
  {
    name: 'unknown members go, at any depth, and are named in byte order',
    schema: object({ a: object({ b: text }), list: { type: 'array', items: object({ c: text }) } }),
    spec: { z: 1, list: [{ c: 'x' }, { d: 1, c: 'y' }], a: { e: {}, b: 'x' } },
    becomes: { a: { b: 'x' }, list: [{ c: 'x' }, { c: 'y' }] },
    unknown: ['spec.a.e', 'spec.list[1].d', 'spec.z'],
  },
  {
    name: 'preserved members stay, and what the schema knows of is pruned again',
    schema: object({ a: object({ b: text }) }, preserved),
    spec: { z: { y: 1 }, a: { x: 1, b: 'x' } },
    becomes: { a: { b: 'x' }, z: { y: 1 } },
    unknown: ['spec.a.x'],
  },
  {
    name: 'elements of a preserved list are preserved, their known members pruned',
    schema: object({ list: { type: 'array', items: object({ a: object({}) }), ...preserved } }),
    spec: { list: [{ b: 1, a: { c: 1 } }] },
    becomes: { list: [{ a: {}, b: 1 }] },
    unknown: ['spec.list[0].a.c'],
  },
  {
    name: 'values of a map are pruned by its schema',
    schema: object({ map: { type: 'object', additionalProperties: object({ a: text }) } }),
    spec: { map: { 'k.1': { a: 'x', b: 1 } } },
    becomes: { map: { 'k.1': { a: 'x' } } },
    unknown: ['spec.map.k.1.b'],
  },
  {
    name: 'objects in a map of anything lose their members',
    schema: object({ map: { type: 'object', additionalProperties: true } }),
    spec: { map: { k: { a: 1 }, l: [{ b: 1 }], m: 1 } },
    becomes: { map: { k: {}, l: [{}], m: 1 } },
    unknown: ['spec.map.k.a', 'spec.map.l[0].b'],
  },
  {
    name: 'int-or-string values stay as they are',
    schema: object({ port: { 'x-kubernetes-int-or-string': true } }),
    spec: { port: 'http' },
    becomes: { port: 'http' },
  },
  {
    name: 'nulls go where they are not allowed, not in lists',
    schema: object({
      a: text,
      b: { type: 'string', nullable: true },
      list: { type: 'array', items: text },
      map: { type: 'object', additionalProperties: text },
    }),
    spec: { a: null, b: null, list: [null, 'x'], map: { k: null } },
    becomes: { b: null, list: [null, 'x'], map: {} },
  },
  {
    name: 'defaults fill what is absent, or null where that is not allowed',
    schema: object({
      a: { type: 'string', default: 'x' },
      b: { type: 'string', default: 'y' },
      c: { type: 'string', nullable: true, default: 'z' },
      d: { type: 'string', nullable: true, default: 'z' },
    }),
    spec: { b: null, c: null },
    becomes: { a: 'x', b: 'y', c: null, d: 'z' },
  },
  {
    name: 'defaults stand inside lists, maps and defaults',
    schema: object({
      list: { type: 'array', items: object({ a: { type: 'integer', default: 1 } }, { default: {} }) },
      map: { type: 'object', additionalProperties: object({ a: { type: 'integer', default: 2 } }) },
      made: object({ a: { type: 'integer', default: 3 } }, { default: {} }),
      not: object({ a: { type: 'integer', default: 4 } }),
    }),
    spec: { list: [{}, null], map: { k: {} } },
    becomes: { list: [{ a: 1 }, { a: 1 }], made: { a: 3 }, map: { k: { a: 2 } } },
  },
  {
    name: 'embedded objects keep kind, apiVersion and known metadata',
    schema: object({ t: { type: 'object', 'x-kubernetes-embedded-resource': true } }),
    spec: { t: { kind: 'A', apiVersion: 'v1', metadata: { name: 'x', foo: 1 }, data: 1 } },
    becomes: { t: { apiVersion: 'v1', kind: 'A', metadata: { name: 'x' } } },
    unknown: ['spec.t.data', 'spec.t.metadata.foo'],
  },
];

const codec = (of: CustomSchema) => customCodec({ apiVersion: 'ex.io/v1', kind: 'A' }, of);
const sent = (spec: JsonValue): JsonObject => ({
  spec,
  metadata: { name: 'x' },
  kind: 'A',
  apiVersion: 'ex.io/v1',
});
const expected = (spec: JsonValue): JsonObject => ({
  apiVersion: 'ex.io/v1',
  kind: 'A',
  metadata: { name: 'x' },
  spec,
});

describe('what a schema makes of what was sent', () => {
  test.each(rows)('$name', ({ schema: spec, spec: value, becomes, unknown = [] }) => {
    const decoding = codec(schema(spec)).decode(sent(value));
    // As text: the order of members counts.
    expect(JSON.stringify(decoding)).toBe(JSON.stringify({ ok: true, object: expected(becomes), unknown }));
  });

  test.each(rows)('once more changes nothing: $name', ({ schema: spec, becomes }) => {
    const once = expected(becomes) as ApiObject; // it has the three members
    expect(schema(spec).restore(once)).toBe(once);
  });

  test.each(rows)('the input stays as it was: $name', ({ schema: spec, spec: value }) => {
    const input = sent(value);
    const before = JSON.stringify(input);
    schema(spec).receive(input);
    expect(JSON.stringify(input)).toBe(before);
  });

  test('unknown members of metadata are named first', () => {
    const decoding = codec(schema(object({}))).decode({
      ...sent({ a: 1 }),
      metadata: { name: 'x', zzz: 1 },
      above: 1,
    });
    expect(decoding).toMatchObject({ ok: true, unknown: ['metadata.zzz', 'above', 'spec.a'] });
  });

  test.each([
    ['kind', 5, 'spec.t.kind: Invalid value: 5: must be a string'],
    [
      'metadata',
      { name: 1 },
      'spec.t.metadata: Invalid value: {"name":1}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
    ],
  ])('an embedded %s of the wrong type is refused', (name, value, error) => {
    const of = schema(object({ t: { type: 'object', 'x-kubernetes-embedded-resource': true } }));
    expect(codec(of).decode(sent({ t: { [name]: value } }))).toEqual({ ok: false, error });
  });

  test('what another version brings is pruned and gets no defaults', () => {
    const of = schema(object({ a: { type: 'string', default: 'x' } }));
    const other = expected({ b: 1 }) as ApiObject; // it has the three members
    expect(of.convert(other)).toEqual(expected({}));
    expect(of.restore(other)).toEqual(expected({ a: 'x' }));
  });

  test('another kind is left as it is', () => {
    const decoding = codec(schema(object({}))).decode({ ...sent({ a: 1 }), kind: 'B' });
    expect(decoding).toMatchObject({ ok: true, unknown: [], object: { spec: { a: 1 } } });
  });
});
