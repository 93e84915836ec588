/** What holds of every custom resource, whatever its schema. */
import fc from 'fast-check';
import { type JsonObject, type JsonValue } from '../../../../mockserver/ground/json.js';
import { readJson } from '../../../../mockserver/ground/json-read.js';
import { writeJson } from '../../../../mockserver/ground/json-write.js';
import { type ApiObject } from '../../../../mockserver/ground/object.js';
import { customValidation } from '../../../../mockserver/registry/custom-validation.js';
import { customCodec } from '../../../../mockserver/schema/custom-codec.js';
import { CustomSchema } from '../../../../mockserver/schema/structural/custom-schema.js';
import { applyDefaults } from '../../../../mockserver/schema/structural/defaults.js';
import { prune } from '../../../../mockserver/schema/structural/prune.js';
import { anyJson, schematics } from './random-schema.js';

const RUNS = { numRuns: 300 };
const rooted = (spec: JsonObject): CustomSchema => new CustomSchema({ type: 'object', properties: { spec } });
const codecOf = (schema: CustomSchema) => customCodec({ apiVersion: 'ex.io/v1', kind: 'A' }, schema);
const sent = (spec: JsonValue): JsonObject => ({
  apiVersion: 'ex.io/v1',
  kind: 'A',
  metadata: { name: 'x' },
  spec,
});

function decoded(schema: CustomSchema, value: JsonObject): { object: ApiObject; unknown: readonly string[] } {
  const decoding = codecOf(schema).decode(value);
  if (!decoding.ok) throw new Error(decoding.error);
  return decoding;
}

function reread(object: JsonObject): JsonObject {
  const reading = readJson(Buffer.from(writeJson(object)));
  if (!reading.ok) throw new Error('what was written is no JSON');
  // An object was written.
  return reading.value as JsonObject;
}

test('a valid object is accepted, and nothing of it is unknown', () => {
  fc.assert(
    fc.property(schematics, ({ schema, value }) => {
      const custom = rooted(schema);
      const { object, unknown } = decoded(custom, sent(value));
      const rules = customValidation(
        { group: 'ex.io', resource: 'as' },
        { schema: custom, scale: undefined },
      );
      const request = { apiVersion: 'ex.io/v1', subresource: '' };
      expect(unknown).toEqual([]);
      expect(rules.validateCreate?.(object, request)).toEqual([]);
    }),
    RUNS,
  );
});

test('a valid object is the same after it is written, read, pruned and completed', () => {
  fc.assert(
    fc.property(schematics, ({ schema, value }) => {
      const custom = rooted(schema);
      const { object } = decoded(custom, sent(value));
      const again = decoded(custom, reread(object));
      expect(again.unknown).toEqual([]);
      expect(writeJson(again.object)).toBe(writeJson(object));
      expect(custom.restore(object)).toBe(object);
      expect(custom.convert(object)).toBe(object);
    }),
    RUNS,
  );
});

test('what is pruned already is not pruned again, whatever was sent', () => {
  fc.assert(
    fc.property(schematics, anyJson, ({ schema }, value) => {
      const { structural } = rooted(schema);
      const once = prune({ spec: value }, structural);
      const twice = prune(once.value, structural);
      expect(twice).toEqual({ value: once.value, unknown: [] });
    }),
    RUNS,
  );
});

test('what is completed already gets no further defaults, whatever was sent', () => {
  fc.assert(
    fc.property(schematics, anyJson, ({ schema }, value) => {
      const { structural } = rooted(schema);
      const once = applyDefaults({ spec: value }, structural);
      expect(applyDefaults(once, structural)).toBe(once);
    }),
    RUNS,
  );
});
