import * as fc from 'fast-check';
import { Float, type JsonObject, type JsonValue, jsonEqual } from '../../../mockserver/ground/json.js';
import { readLiteral } from '../../../mockserver/patch/json-literal.js';
import { decodeJsonPatch } from '../../../mockserver/patch/json-patch.js';
import { MAX_COPIED_BYTES, applyJsonPatch } from '../../../mockserver/patch/json-patch-apply.js';
import { refusal } from '../refusal.js';

const DOCUMENT: JsonObject = {
  s: 'x',
  n: 1,
  nul: null,
  o: { x: null, y: [] },
  l: ['p', 'q', 'r'],
  arr: [1, null, { a: null }],
};

type Operations = readonly Record<string, unknown>[];

/** The text goes with the value, as it does in a request. */
function applyText(document: JsonObject, text: string): JsonValue {
  // JSON.parse answers `any`; JSON text holds nothing but JSON values.
  const value = JSON.parse(text) as JsonValue;
  const patch = decodeJsonPatch({ ok: true, value, duplicates: [] }, { fieldValidation: 'Warn', text });
  return applyJsonPatch(document, patch);
}
const apply = (...operations: Operations): JsonValue => applyText(DOCUMENT, JSON.stringify(operations));

const REJECTED = { code: 422, message: 'the server rejected our request due to an error in our request' };

// Every row as kube-apiserver 1.36.3 answered it.
describe('a JSON patch', () => {
  const with_ = (changes: JsonObject): JsonObject => ({ ...DOCUMENT, ...changes });
  const withoutNul: JsonObject = Object.fromEntries(
    Object.entries(DOCUMENT).filter(([name]) => name !== 'nul'),
  );
  test.each<[string, Operations, JsonValue]>([
    ['adds', [{ op: 'add', path: '/c', value: 1 }], with_({ c: 1 })],
    ['adds over what is there', [{ op: 'add', path: '/s', value: 1 }], with_({ s: 1 })],
    ['adds null for no value', [{ op: 'add', path: '/c' }], with_({ c: null })],
    ['adds a member without a name', [{ op: 'add', path: '/', value: 1 }], with_({ '': 1 })],
    ['ignores what stands before the first slash', [{ op: 'add', path: 'x/c', value: 1 }], with_({ c: 1 })],
    ['reads ~1 and ~0 in one pass', [{ op: 'add', path: '/~01~1', value: 1 }], with_({ '~1/': 1 })],
    ['leaves any other ~ alone', [{ op: 'add', path: '/~2~', value: 1 }], with_({ '~2~': 1 })],
    ['inserts into lists', [{ op: 'add', path: '/l/1', value: 'z' }], with_({ l: ['p', 'z', 'q', 'r'] })],
    ['inserts at the end', [{ op: 'add', path: '/l/3', value: 'z' }], with_({ l: ['p', 'q', 'r', 'z'] })],
    ['appends at -', [{ op: 'add', path: '/l/-', value: 'z' }], with_({ l: ['p', 'q', 'r', 'z'] })],
    ['appends at -1', [{ op: 'add', path: '/l/-1', value: 'z' }], with_({ l: ['p', 'q', 'r', 'z'] })],
    [
      'inserts at the beginning at -4',
      [{ op: 'add', path: '/l/-4', value: 'z' }],
      with_({ l: ['z', 'p', 'q', 'r'] }),
    ],
    ['takes +0 for an index', [{ op: 'add', path: '/l/+0', value: 'z' }], with_({ l: ['z', 'p', 'q', 'r'] })],
    ['removes members', [{ op: 'remove', path: '/nul' }], withoutNul],
    ['removes elements', [{ op: 'remove', path: '/l/-3' }], with_({ l: ['q', 'r'] })],
    ['replaces', [{ op: 'replace', path: '/l/-1', value: 'z' }], with_({ l: ['p', 'q', 'z'] })],
    ['replaces by null for no value', [{ op: 'replace', path: '/l/0' }], with_({ l: [null, 'q', 'r'] })],
    ['replaces a member that is not there', [{ op: 'replace', path: '/c', value: 1 }], with_({ c: 1 })],
    [
      'replaces everything',
      [
        { op: 'replace', path: '', value: { a: 1 } },
        { op: 'add', path: '/b', value: 2 },
      ],
      { a: 1, b: 2 },
    ],
    [
      'replaces everything by a list',
      [
        { op: 'replace', path: '', value: [] },
        { op: 'add', path: '/-', value: 1 },
      ],
      [1],
    ],
    ['copies', [{ op: 'copy', from: '/l', path: '/l/0' }], with_({ l: [['p', 'q', 'r'], 'p', 'q', 'r'] })],
    ['copies what is not there as null', [{ op: 'copy', from: '/none', path: '/c' }], with_({ c: null })],
    ['moves', [{ op: 'move', from: '/nul', path: '/c' }], { ...withoutNul, c: null }],
    ['moves within a list', [{ op: 'move', from: '/l/0', path: '/l/-' }], with_({ l: ['q', 'r', 'p'] })],
    ['moves to where it was', [{ op: 'move', from: '/n', path: '/n' }], DOCUMENT],
    [
      'changes a copy apart from its original',
      [
        { op: 'copy', from: '/o', path: '/c' },
        { op: 'add', path: '/c/y/-', value: 1 },
        { op: 'add', path: '/o/z', value: 2 },
      ],
      with_({ c: { x: null, y: [1] }, o: { x: null, y: [], z: 2 } }),
    ],
    ['without operations changes nothing', [], DOCUMENT],
  ])('%s', (_name, operations, expected) => {
    expect(apply(...operations)).toEqual(expected);
  });

  test.each<[string, Operations]>([
    ['adds the whole', [{ op: 'add', path: '', value: {} }]],
    ['removes the whole', [{ op: 'remove', path: '' }]],
    ['copies the whole', [{ op: 'copy', from: '', path: '/c' }]],
    ['has no slash in its path', [{ op: 'add', path: 'c', value: 1 }]],
    ['replaces everything by null', [{ op: 'replace', path: '', value: null }]],
    ['replaces everything by a text', [{ op: 'replace', path: '', value: 'x' }]],
    ['adds below what is not there', [{ op: 'add', path: '/none/x', value: 1 }]],
    ['adds below null', [{ op: 'add', path: '/nul/x', value: 1 }]],
    ['adds below a text', [{ op: 'add', path: '/s/x', value: 1 }]],
    ['adds below a name of Object.prototype', [{ op: 'add', path: '/__proto__/x', value: 1 }]],
    ['adds beyond the end', [{ op: 'add', path: '/l/4', value: 1 }]],
    ['adds before the beginning', [{ op: 'add', path: '/l/-5', value: 1 }]],
    ['adds at no index', [{ op: 'add', path: '/l/', value: 1 }]],
    ['replaces at -', [{ op: 'replace', path: '/l/-', value: 1 }]],
    ['replaces beyond the end', [{ op: 'replace', path: '/l/3', value: 1 }]],
    ['replaces at an index beyond int64', [{ op: 'replace', path: '/l/99999999999999999999', value: 1 }]],
    ['removes what is not there', [{ op: 'remove', path: '/none' }]],
    ['removes before the beginning', [{ op: 'remove', path: '/l/-4' }]],
    ['moves what is not there', [{ op: 'move', from: '/none', path: '/c' }]],
    ['moves into itself', [{ op: 'move', from: '/o', path: '/o/z' }]],
    ['lacks from', [{ op: 'copy', path: '/c' }]],
    ['lacks path', [{ op: 'add', value: 1 }]],
    ['lacks op', [{ path: '/c', value: 1 }]],
    ['has an op in another case', [{ op: 'Add', path: '/c', value: 1 }]],
    ['has null for an op', [{ op: null, path: '/c', value: 1 }]],
    [
      'fails at the end only',
      [
        { op: 'add', path: '/c', value: 1 },
        { op: 'test', path: '/c', value: 2 },
      ],
    ],
  ])('that %s is a 422 that says nothing', (_name, operations) => {
    expect(refusal(() => apply(...operations))).toMatchObject(REJECTED);
  });

  test('an operation that is null is such a 422 too', () => {
    expect(refusal(() => applyText(DOCUMENT, '[null]'))).toMatchObject(REJECTED);
  });

  test('may add 3 MiB by copying, not more', () => {
    const big: JsonObject = { a: 'x'.repeat(MAX_COPIED_BYTES / 2 - 2) };
    const copy = (to: string) => ({ op: 'copy', from: '/a', path: `/${to}` });
    const copies = (...names: string[]) => JSON.stringify(names.map(copy));
    expect(() => applyText(big, copies('b', 'c'))).not.toThrow();
    expect(refusal(() => applyText(big, copies('b', 'c', 'd')))).toMatchObject(REJECTED);
  });
});

// A server compares texts; every row as kube-apiserver 1.36.3 answered it.
describe('the test of a JSON patch', () => {
  const cases: [path: string, value: string | undefined, passes: boolean][] = [
    ['/s', '"x"', true],
    ['/s', '"\\u0078"', false],
    ['/n', '1', true],
    ['/n', '1.0', false],
    ['/n', '1e0', false],
    ['/nul', 'null', true],
    ['/nul', undefined, true],
    ['/none', 'null', true],
    ['/none', undefined, true],
    ['/none', '1', false],
    ['/n', undefined, false],
    ['/toString', 'null', true],
    ['/o', ' { "y" : [ ] , "x" : null } ', true],
    ['/o', '{"y":[]}', false],
    ['/arr/1', 'null', true],
    ['/arr/2', '{"a":null}', true],
    ['/arr', '[1,null]', false],
    ['/l/-1', '"r"', true],
    ['/l/-4', '"r"', false],
    ['/l/+1', '"q"', true],
    ['/l/01', '"q"', true],
    ['/l/-', '"r"', false],
    ['/l/3', 'null', false],
    ['/l/x', 'null', false],
    ['/n/x', 'null', false],
    ['/nul/x', 'null', false],
    ['/none/x', 'null', false],
    ['', '{}', false],
    ['', 'null', false],
    ['/', 'null', true],
    ['s', 'null', false],
    ['x/n', '1', true],
  ];
  test.each(cases)('at %j of %s: %s', (path, value, passes) => {
    const text = `[{"op":"test","path":${JSON.stringify(path)}${value === undefined ? '' : `,"value":${value}`}}]`;
    if (passes) expect(applyText(DOCUMENT, text)).toEqual(DOCUMENT);
    else expect(refusal(() => applyText(DOCUMENT, text))).toMatchObject(REJECTED);
  });

  test('sees the escapes of a stored text', () => {
    const run = (value: string) => applyText({ h: '<&' }, `[{"op":"test","path":"/h","value":${value}}]`);
    expect(run('"\\u003c\\u0026"')).toEqual({ h: '<&' });
    expect(refusal(() => run('"<&"'))).toMatchObject(REJECTED);
  });

  test('takes the whole document', () => {
    expect(apply({ op: 'test', path: '', value: DOCUMENT })).toEqual(DOCUMENT);
  });

  test.each<[JsonValue, JsonValue, boolean]>([
    [1, 1, true],
    [new Float(1), 1, true],
    [1, new Float(1), false],
    [1.5, 1.5, true],
    [9007199254740993n, 9007199254740993n, true],
    [2 ** 53, 9007199254740993n, false],
    ['a', 'a', true],
    ['1', 1, false],
    [[1, { a: 'b' }], [1, { a: 'b' }], true],
    [[1], { 0: 1 }, false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
  ])('compares values when there is no text: %j and %j', (stored, sent, passes) => {
    const value = [{ op: 'test', path: '/v', value: sent }];
    const patch = decodeJsonPatch({ ok: true, value, duplicates: [] }, { fieldValidation: 'Warn' });
    const run = () => applyJsonPatch({ v: stored }, patch);
    if (passes) expect(run()).toEqual({ v: stored });
    else expect(refusal(run)).toMatchObject(REJECTED);
  });
});

// Texts seen on kube-apiserver 1.36.3.
describe('the body of a JSON patch', () => {
  const decode = (value: JsonValue, fieldValidation: 'Warn' | 'Ignore' = 'Warn', duplicates: string[] = []) =>
    decodeJsonPatch({ ok: true, value, duplicates }, { fieldValidation });
  const into = (what: string, type: string): string => `json: cannot unmarshal ${what} into Go ${type}`;

  test.each<[JsonValue, string]>([
    [{}, into('object', 'value of type []handlers.jsonPatchOp')],
    ['x', into('string', 'value of type []handlers.jsonPatchOp')],
    [[null, 5, 'a'], into('number', 'value of type handlers.jsonPatchOp')],
    [[[]], into('array', 'value of type handlers.jsonPatchOp')],
    [[{ op: 5 }, 1], into('number', 'struct field jsonPatchOp.op of type string')],
    [[{ op: 'add', path: true }], into('bool', 'struct field jsonPatchOp.path of type string')],
    [[{ op: 'copy', from: {} }], into('object', 'struct field jsonPatchOp.from of type string')],
  ])('%j is refused', (value, error) => {
    expect(refusal(() => decode(value))).toMatchObject({
      code: 400,
      message: `error decoding patch: ${error}`,
    });
  });

  test.each<[JsonValue, string]>([
    [{}, into('object', 'value of type jsonpatch.Patch')],
    [[{ op: 5 }, 1], into('number', 'value of type jsonpatch.Operation')],
  ])('%j is refused in other words when nothing is validated', (value, message) => {
    expect(refusal(() => decode(value, 'Ignore'))).toMatchObject({ code: 400, message });
  });

  test('that is not JSON is refused', () => {
    const body = { ok: false as const, error: 'unexpected end of JSON input' };
    expect(refusal(() => decodeJsonPatch(body, { fieldValidation: 'Strict' })).message).toBe(
      'error decoding patch: unexpected end of JSON input',
    );
    expect(refusal(() => decodeJsonPatch(body, { fieldValidation: 'Ignore' })).message).toBe(
      'unexpected end of JSON input',
    );
  });

  test('has up to 10,000 operations', () => {
    const operations = (count: number) =>
      Array.from({ length: count }, () => ({ op: 'test', path: '/none' }));
    expect(decode(operations(10_000)).operations).toHaveLength(10_000);
    expect(refusal(() => decode(operations(10_001)))).toMatchObject({
      code: 413,
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
  });

  test('with a value beyond float64 is refused', () => {
    const overflowing = (value: JsonValue) => ({
      ok: true as const,
      value,
      duplicates: [],
      overflow: '1e400',
    });
    const huge = new Float(Infinity);
    const decodeHuge = (one: JsonObject) => decodeJsonPatch(overflowing([one]), { fieldValidation: 'Warn' });
    expect(refusal(() => decodeHuge({ op: 'add', path: '/a', value: { x: [huge] } }))).toMatchObject({
      code: 400,
      message:
        'error decoding patch: json: cannot unmarshal number 1e400 into Go struct field jsonPatchOp.value of type float64',
    });
    expect(decodeHuge({ op: 'add', path: '/a', value: 1, zz: huge }).operations).toHaveLength(1);
  });

  test('may be null', () => {
    expect(decode(null)).toEqual({ operations: [], problems: [] });
  });

  test('tells what is unknown or given twice, in the order of the text', () => {
    const value = [
      { op: 'add', path: '/c', value: 3, zz: 1 },
      { yy: 1, op: 'test', path: '/none', from: '' },
    ];
    const duplicates = ['[0].value.a', '[0].zz.x', '[0].value', '[0].zz', '[1].op'];
    expect(decode(value, 'Warn', duplicates).problems).toEqual([
      'json patch duplicate field "[0].value.a"',
      'json patch unknown field "[0].zz"',
      'json patch duplicate field "[0].value"',
      'json patch unknown field "[1].yy"',
      'json patch duplicate field "[1].op"',
    ]);
    expect(decode(value, 'Ignore', duplicates).problems).toEqual([]);
  });
});

test('a literal keeps numbers and texts as they were written', () => {
  expect(readLiteral(' [1.0, "\\u0061\\"]", {"a" : -1E+2, "\\u0061": true}, {}, []] ')).toEqual({
    kind: 'array',
    items: [
      { kind: 'scalar', text: '1.0' },
      { kind: 'scalar', text: '"\\u0061\\"]"' },
      { kind: 'object', members: new Map([['a', { kind: 'scalar', text: 'true' }]]) },
      { kind: 'object', members: new Map() },
      { kind: 'array', items: [] },
    ],
  });
});

describe('whatever the document', () => {
  const name = fc.constantFrom('a', 'b', '/', '~', '__proto__', '0', '');
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonValue>(null, true, 'x', 7),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value;
  const document = fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true });
  const pointer = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const path = fc
    .array(fc.oneof(name, fc.constantFrom('-', '-1', '1')), { maxLength: 3 })
    .map((keys) => keys.map(pointer).join(''));
  const operation = fc.record({
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
    path,
    from: path,
    value,
  });
  const deepFreeze = (one: JsonValue): void => {
    if (typeof one === 'object' && one !== null) Object.values(Object.freeze(one)).forEach(deepFreeze);
  };
  const run = (to: JsonObject, operations: JsonValue[]): JsonValue =>
    applyJsonPatch(
      to,
      decodeJsonPatch({ ok: true, value: operations, duplicates: [] }, { fieldValidation: 'Warn' }),
    );

  test('it and the patch are never changed', () => {
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 6 }), (to, operations) => {
        deepFreeze(to);
        deepFreeze(operations);
        try {
          run(to, operations);
        } catch (error) {
          expect(error).toMatchObject(REJECTED);
        }
      }),
    );
  });

  test('what has been added passes the test, and is gone when removed', () => {
    fc.assert(
      fc.property(document, name, value, (to, key, one) => {
        const at = pointer(key);
        const added = run(to, [
          { op: 'add', path: at, value: one },
          { op: 'test', path: at, value: one },
        ]);
        const others: JsonObject = Object.fromEntries(Object.entries(to).filter(([other]) => other !== key));
        expect(
          jsonEqual(
            run({ ...to }, [
              { op: 'add', path: at, value: one },
              { op: 'remove', path: at },
            ]),
            others,
          ),
        ).toBe(true);
        expect(jsonEqual(added, { ...others, [key]: one })).toBe(true);
      }),
    );
  });

  test('a move is a copy and a remove', () => {
    fc.assert(
      fc.property(document, name, name, (to, from, key) => {
        fc.pre(Object.hasOwn(to, from) && from !== key);
        const [a, b] = [pointer(from), pointer(key)];
        const moved = run(to, [{ op: 'move', from: a, path: b }]);
        expect(
          jsonEqual(
            run(to, [
              { op: 'copy', from: a, path: b },
              { op: 'remove', path: a },
            ]),
            moved,
          ),
        ).toBe(true);
      }),
    );
  });
});
