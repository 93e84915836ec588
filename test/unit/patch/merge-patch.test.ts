import * as fc from 'fast-check';
import {
  type JsonObject,
  type JsonValue,
  Float,
  isJsonObject,
  jsonEqual,
} from '../../../mockserver/ground/json.js';
import { applyMergePatch, decodeMergePatch } from '../../../mockserver/patch/merge-patch.js';
import { refusal } from '../refusal.js';

const apply = (document: JsonObject, patch: JsonObject): JsonValue =>
  applyMergePatch(document, { patch, problems: [] });

const ORIGINAL: JsonObject = {
  s: 'a',
  n: 1,
  nul: null,
  o: { x: null, y: [] },
  arr: [1, null, { a: null }],
};

// RFC 7386; the rows about arrays as kube-apiserver 1.36.3 answered them.
describe('a merge patch', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['sets and adds', { s: 'b', t: 1 }, { ...ORIGINAL, s: 'b', t: 1 }],
    [
      'removes what is null',
      { s: null, none: null },
      { n: 1, nul: null, o: { x: null, y: [] }, arr: ORIGINAL['arr'] ?? [] },
    ],
    ['goes into objects', { o: { x: null, z: 1 } }, { ...ORIGINAL, o: { y: [], z: 1 } }],
    ['replaces arrays', { arr: [2] }, { ...ORIGINAL, arr: [2] }],
    [
      'leaves no nulls in what it adds',
      { new: { a: null, b: { c: null } } },
      { ...ORIGINAL, new: { b: {} } },
    ],
    [
      'leaves none in what takes the place of no object',
      { n: { a: null }, nul: { a: null } },
      { ...ORIGINAL, n: {}, nul: {} },
    ],
    [
      'leaves none in the objects of an added array',
      { l: [{ a: null }, null, [{ b: null }]] },
      { ...ORIGINAL, l: [{}, null, [{}]] },
    ],
    [
      'keeps them in an array that takes the place of an object',
      { o: [{ z: null }] },
      { ...ORIGINAL, o: [{ z: null }] },
    ],
    ['tells a float from an integer', { n: new Float(1) }, { ...ORIGINAL, n: new Float(1) }],
    ['of nothing changes nothing', {}, ORIGINAL],
  ])('%s', (_name, patch, expected) => {
    expect(apply(ORIGINAL, patch)).toEqual(expected);
  });

  test('takes __proto__ for a name like any other', () => {
    // JSON.parse answers `any`; this text is an object.
    const patch = JSON.parse('{"__proto__":{"a":1},"constructor":null}') as JsonObject;
    const result = apply({ a: 1 }, patch);
    expect(JSON.stringify(result)).toBe('{"a":1,"__proto__":{"a":1}}');
    expect(JSON.stringify(apply({ b: 2 }, { ...patch, b: null }))).toBe('{"__proto__":{"a":1}}');
  });
});

const name = fc.constantFrom('a', 'b', 'c', '__proto__');
/** Objects, with or without lists in them. */
const objects = (lists: boolean): fc.Arbitrary<JsonObject> =>
  fc.letrec<{ object: JsonObject; value: JsonValue }>((tie) => ({
    object: fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonValue>(null, true, 'x', 7),
      tie('object'),
      ...(lists ? [fc.array(tie('value'), { maxLength: 3 })] : []),
    ),
  })).object;
const json = objects(true);

describe('whatever the document and the merge patch', () => {
  const deepFreeze = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
    return value;
  };

  test('neither is changed', () => {
    fc.assert(
      fc.property(json, json, (document, patch) => {
        expect(() => apply(deepFreeze(document), deepFreeze(patch))).not.toThrow();
      }),
    );
  });

  // With lists it may, as on a server: nulls that an object kept from them go once it is a list itself.
  test('without lists, a second time changes nothing more', () => {
    fc.assert(
      fc.property(json, objects(false), (document, patch) => {
        const once = apply(document, patch);
        expect(isJsonObject(once) && jsonEqual(apply(once, patch), once)).toBe(true);
      }),
    );
  });

  test('members that are not named stay, members that are null go', () => {
    fc.assert(
      fc.property(json, json, (document, patch) => {
        const result = apply(document, patch);
        if (!isJsonObject(result)) throw new Error('not an object');
        for (const [name, value] of Object.entries(document)) {
          if (!Object.hasOwn(patch, name)) expect(result[name]).toBe(value);
        }
        for (const [name, value] of Object.entries(patch))
          expect(Object.hasOwn(result, name)).toBe(value !== null);
      }),
    );
  });
});

// Texts seen on kube-apiserver 1.36.3.
describe('the body of a merge patch', () => {
  const body = (value: JsonValue) => ({ ok: true as const, value, duplicates: ['spec.a'] });
  const wrong = (what: string): string =>
    `error decoding patch: json: cannot unmarshal ${what} into Go value of type map[string]interface {}`;
  const NOT_JSON = { ok: false as const, error: 'unexpected end of JSON input' };

  test.each([
    ['not JSON', 'Warn' as const, NOT_JSON, 'error decoding patch: unexpected end of JSON input'],
    ['null', 'Warn' as const, body(null), 'Invalid JSON Patch'],
    ['a list', 'Strict' as const, body([]), wrong('array')],
    ['a text', 'Warn' as const, body('x'), wrong('string')],
    ['a number', 'Warn' as const, body(5), wrong('number')],
    ['a boolean', 'Warn' as const, body(true), wrong('bool')],
    ['not JSON, unvalidated', 'Ignore' as const, NOT_JSON, 'Invalid JSON Patch'],
    ['null, unvalidated', 'Ignore' as const, body(null), 'Invalid JSON Patch'],
    ['a text, unvalidated', 'Ignore' as const, body('x'), 'Invalid JSON Patch'],
  ])('%s is refused', (_name, fieldValidation, reading, message) => {
    expect(refusal(() => decodeMergePatch(reading, { fieldValidation }))).toMatchObject({
      code: 400,
      message,
    });
  });

  test('with a number beyond float64 is refused', () => {
    const reading = { ...body({ a: new Float(Infinity) }), overflow: '1e400' };
    expect(refusal(() => decodeMergePatch(reading, { fieldValidation: 'Warn' }))).toMatchObject({
      code: 400,
      message: 'error decoding patch: json: cannot unmarshal number 1e400 into Go value of type float64',
    });
  });

  test('tells what was given twice, unless nothing is validated', () => {
    expect(decodeMergePatch(body({}), { fieldValidation: 'Warn' }).problems).toEqual([
      'duplicate field "spec.a"',
    ]);
    expect(decodeMergePatch(body({}), { fieldValidation: 'Ignore' }).problems).toEqual([]);
  });

  test('may be a list that takes the place of all when nothing is validated', () => {
    const patch = decodeMergePatch(body([{ a: null }]), { fieldValidation: 'Ignore' });
    expect(applyMergePatch({ a: 1 }, patch)).toEqual([{}]);
  });
});
