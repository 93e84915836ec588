/** Writing JSON as Go's encoder does. */
import fc from 'fast-check';
import { readJson } from '../../../mockserver/ground/json-read.js';
import { type JsonValue, Float, jsonEqual } from '../../../mockserver/ground/json.js';
import {
  asStored,
  sealJson,
  writeJson,
  writeJsonBytes,
  writePlainJson,
  writePretty,
  withoutHtmlEscapes,
} from '../../../mockserver/ground/json-write.js';

function parse(text: string): JsonValue {
  const reading = readJson(Buffer.from(text));
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
}

test.each<[string, JsonValue, string]>([
  ['HTML characters', '<a>&', '"\\u003ca\\u003e\\u0026"'],
  ['line separators', '\u2028\u2029', '"\\u2028\\u2029"'],
  ['controls', '\0\b\t\n\v\f\r\x1b', '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001b"'],
  ['DEL and the rest raw', '\x7f\x85é😀/', '"\x7f\x85é😀/"'],
  ['names', { '<': 1 }, '{"\\u003c":1}'],
  ['big integers', [9007199254740993n, -9223372036854775808n], '[9007199254740993,-9223372036854775808]'],
  ['floats', [new Float(1), new Float(1000), new Float(-0)], '[1,1000,0]'],
  [
    'large floats',
    [new Float(2 ** 63), new Float(2 ** 64), new Float(1e20), new Float(1e21)],
    '[9223372036854776000,18446744073709552000,100000000000000000000,1e+21]',
  ],
  ['small floats', [0.000001, 1e-7, 1.5], '[0.000001,1e-7,1.5]'],
  ['the order of members', { b: 1, a: { d: 2, c: 3 } }, '{"b":1,"a":{"d":2,"c":3}}'],
  ['scalars', [null, true, false, ''], '[null,true,false,""]'],
  ['empty collections', { a: {}, b: [] }, '{"a":{},"b":[]}'],
])('%s', (_name, value, text) => {
  expect(writeJson(value)).toBe(text);
  expect(writeJsonBytes(value).toString()).toBe(text);
});

test('an object with names like indexes is written in byte order', () => {
  const data = parse('{"9":1,"10":1,"b":1,"1":1,"__proto__":1,"B":1,"_":1,"-":1,"a.b":1,"é":1,"z":1}');
  expect(writeJson({ x: data, w: 0 })).toBe(
    '{"x":{"-":1,"1":1,"10":1,"9":1,"B":1,"_":1,"__proto__":1,"a.b":1,"b":1,"z":1,"é":1},"w":0}',
  );
});

test('10,000 levels are written', () => {
  const text = '{"a":['.repeat(5000) + ']}'.repeat(5000);
  expect(writeJson(parse(text))).toBe(text);
});

test('indented text keeps empty collections on one line', () => {
  const value = { kind: 'Status', metadata: {}, list: [], n: [1, { a: '<' }] };
  const text = [
    '{',
    '  "kind": "Status",',
    '  "metadata": {},',
    '  "list": [],',
    '  "n": [',
    '    1,',
    '    {',
    '      "a": "\\u003c"',
    '    }',
    '  ]',
    '}',
  ].join('\n');
  expect(writePretty(value)).toBe(text);
  expect(writePretty({ ...value, n: [1n, { a: '<' }] })).toBe(text);
});

const value = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<JsonValue[]>(null, true, 1, -1.5, 2n ** 60n, new Float(3), 'a', '<b>'),
    fc.string(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('10', '9', '__proto__')),
      tie('value'),
      {
        maxKeys: 4,
      },
    ),
  ),
})).value;

test('a value called plain is written alike by the plain writer', () => {
  fc.assert(
    fc.property(value, (one) => {
      if (sealJson(one)) expect(writePlainJson(one)).toBe(writeJson(one));
    }),
    { numRuns: 500 },
  );
});

test('both writers agree on values that both can write', () => {
  fc.assert(
    fc.property(value, (one) => {
      // A bigint beside it sends the whole array down the exact road.
      expect(writeJson([one, 2n ** 60n])).toBe(`[${writeJson(one)},1152921504606846976]`);
      expect(writePretty([one, 2n ** 60n]).replace(/\n {2}1152921504606846976\n\]$/, '')).toBe(
        writePretty([one, 0]).replace(/\n {2}0\n\]$/, ''),
      );
    }),
    { numRuns: 500 },
  );
});

describe('sealing', () => {
  test('freezes everything inside', () => {
    const one = { a: [{ b: new Float(1) }], c: { d: 2n } };
    sealJson(one);
    for (const part of [one, one.a, one.a[0], one.a[0]?.b, one.c]) expect(Object.isFrozen(part)).toBe(true);
  });

  test.each<[string, JsonValue, boolean]>([
    ['an ordinary object', { a: [1, 'x', null, { b: 1.5 }] }, true],
    ['a float', { a: new Float(1) }, true],
    ['a big integer', { a: [2n ** 60n] }, false],
    ['a big integer alone', 2n ** 60n, false],
    ['a name like an index', { a: { b: 1, '10': 2 } }, false],
    ['depth', parse('['.repeat(2000) + ']'.repeat(2000)), false],
  ])('%s', (_name, one, plain) => {
    expect(sealJson(one)).toBe(plain);
  });

  test('10,000 levels are frozen', () => {
    const deep = parse('['.repeat(10_000) + ']'.repeat(10_000));
    sealJson(deep);
    let inner: JsonValue | undefined = deep;
    while (Array.isArray(inner) && inner.length > 0) inner = inner[0] as JsonValue;
    expect(Object.isFrozen(inner)).toBe(true);
  });
});

describe('storing', () => {
  test('floats whose text is an integer become integers', () => {
    const one = parse('{"a":1.0,"b":[1e3,1.5],"c":1e18,"d":1e21,"e":9223372036854775808}');
    const stored = asStored(one);
    expect(
      jsonEqual(
        stored,
        parse('{"a":1,"b":[1000,1.5],"c":1000000000000000000,"d":1e21,"e":9223372036854775808}'),
      ),
    ).toBe(true);
    expect(jsonEqual(one, stored)).toBe(false);
  });

  test('a value without floats is itself', () => {
    const one = parse('{"a":[1,{"b":"c"}]}');
    expect(asStored(one)).toBe(one);
  });
});

describe('equality', () => {
  test('reaches the depth of any body', () => {
    const nested = (inner: string): JsonValue =>
      parse(`${'{"a":['.repeat(4999)}${inner}${']}'.repeat(4999)}`);
    expect(jsonEqual(nested('1'), nested('1'))).toBe(true);
    expect(jsonEqual(nested('1'), nested('2'))).toBe(false);
    expect(jsonEqual(nested('[1]'), nested('{}'))).toBe(false);
  });

  test('tells an int64 from a float64, not the order of members', () => {
    expect(jsonEqual(parse('{"a":1}'), parse('{"a":1.0}'))).toBe(false);
    expect(jsonEqual(parse('{"a":1.0}'), parse('{"a":1e0}'))).toBe(true);
    expect(jsonEqual(parse('{"a":1,"b":2}'), parse('{"b":2,"a":1}'))).toBe(true);
    expect(jsonEqual(parse('{"__proto__":1}'), parse('{"a":1}'))).toBe(false);
  });
});

test('a text without escapes for browsers says the same, and what was escaped by hand stays', () => {
  const value = { '<a>': 'b & c \u2028', text: String.raw`\u003c and \\u003e` };
  const text = withoutHtmlEscapes(writeJson(value));
  expect(text).toBe('{"<a>":"b & c \u2028","text":"\\\\u003c and \\\\\\\\u003e"}');
  expect(JSON.parse(text)).toEqual(value);
});
