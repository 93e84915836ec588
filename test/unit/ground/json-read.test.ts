/** Reading JSON bodies: nothing is lost, whichever road a body takes. */
import fc from 'fast-check';
import { readExactly } from '../../../mockserver/ground/json-exact.js';
import { isFaithful } from '../../../mockserver/ground/json-faithful.js';
import {
  type JsonReading,
  type JsonReadOptions,
  memberPaths,
  numberLiteralAt,
  overflowError,
  readJson,
  showBody,
} from '../../../mockserver/ground/json-read.js';
import { type JsonValue, Float } from '../../../mockserver/ground/json.js';
import { writeJson } from '../../../mockserver/ground/json-write.js';

const read = (text: string, options?: JsonReadOptions): JsonReading => readJson(Buffer.from(text), options);

function valueOf(text: string | Buffer, options?: JsonReadOptions): JsonValue {
  const reading = readJson(Buffer.from(text), options);
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
}

function duplicatesOf(text: string): readonly string[] {
  const reading = read(text);
  if (!reading.ok) throw new Error(reading.error);
  return reading.duplicates;
}

describe('numbers', () => {
  test.each<[string, JsonValue]>([
    ['0', 0],
    ['-0', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['1.50', 1.5],
    ['1e-6', 0.000001],
    ['1234567890.5', 1234567890.5],
  ])('%s keeps value and type', (literal, value) => {
    for (const [text, expected] of [
      [literal, value],
      [`{"a":${literal}}`, { a: value }],
      [`[${literal}]`, [value]],
      [`{"a" : ${literal} }`, { a: value }],
    ] as const) {
      const found = valueOf(text);
      expect(found).toEqual(expected);
      expect(Object.is(found, -0)).toBe(false);
    }
  });

  test.each([
    ['1.0', 1],
    ['1e3', 1000],
    ['1E2', 100],
    ['9223372036854775808', 9223372036854775808],
    ['-9223372036854775809', -9223372036854775809],
    ['18446744073709551616', 18446744073709551616],
    ['1e21', 1e21],
    ['9007199254740993.0', 9007199254740992],
    ['12345678901234567.5', 12345678901234568],
    ['1e-400', 0],
  ])('%s is a float64', (literal, value) => {
    for (const text of [`{"a":${literal}}`, `{"a":\n ${literal}}`]) {
      const found = valueOf(text);
      expect(found).toEqual({ a: new Float(value) });
      expect((found as { a: Float }).a.literal).toBe(literal);
    }
  });

  test('a number beyond float64 is told, as its reader decides what that means', () => {
    const reading = read('{"a":1e400,"b":-1e999}');
    expect(reading).toMatchObject({ ok: true, overflow: '1e400' });
    expect(overflowError('1e400')).toBe('json: cannot unmarshal number 1e400 into Go value of type float64');
  });

  test('a literal is found by its path', () => {
    const body = Buffer.from('{"spec":{"replicas":1.50,"list":[{"n":1},{"n":2e0}],"replicas":2.50}}');
    expect(numberLiteralAt(body, 'spec.replicas')).toBe('2.50');
    expect(numberLiteralAt(body, 'spec.list[1].n')).toBe('2e0');
    expect(numberLiteralAt(body, 'spec.nope')).toBeUndefined();
  });
});

describe('members given again', () => {
  test.each([
    ['once', '{"a":1,"b":{"a":1}}', []],
    ['at the top', '{"data":{},"data":{}}', ['data']],
    ['inside', '{"data":{"k":"1","k":"2"}}', ['data.k']],
    ['in a list', '{"list":[{},{"k":1,"k":2}]}', ['list[1].k']],
    [
      'inner ones first',
      '{"spec":{"k":1,"k":2,"o":{"x":1,"x":2}},"spec":{}}',
      ['spec.k', 'spec.o.x', 'spec'],
    ],
    ['three times, told once', '{"a":1,"a":2,"a":3}', ['a']],
    ['spelled with an escape', '{"a":1,"\\u0061":2}', ['a']],
    ['with a blank before the colon', '{"a" :1,"a":2}', ['a']],
    ['hidden by a text that begins with a colon', '{"a" :":x","a":2}', ['a']],
    ['hidden by an escaped quote', '{"a" :"\\":","a":2}', ['a']],
    ['named like a prototype member', '{"__proto__":1,"__proto__":2,"toString":1}', ['__proto__']],
    ['in a list at the top', '[{"a":1,"a":1}]', ['[0].a']],
    ['with an empty name', '{"":{"a":1,"a":2},"":1}', ['.a', '']],
  ])('%s', (_name, text, duplicates) => {
    expect(duplicatesOf(text)).toEqual(duplicates);
  });

  test('the last value counts', () => {
    expect(valueOf('{"data":{"k":"1"},"data":{"j":"3"}}')).toEqual({ data: { j: '3' } });
  });

  test.each<[string, string, JsonValue]>([
    ['maps', '{"data":{"k":"1"},"data":{"k":"2","j":"3"}}', { data: { k: '2', j: '3' } }],
    ['structs', '{"m":{"labels":{"a":"b"}},"m":{"name":"x"}}', { m: { labels: { a: 'b' }, name: 'x' } }],
    ['items by position', '{"l":[{"a":1},{"b":2}],"l":[{"c":3}]}', { l: [{ a: 1, c: 3 }] }],
    ['but not scalars', '{"a":{"b":1},"a":2}', { a: 2 }],
    ['three of them', '{"m":{"a":1},"m":{"b":2},"m":{"c":3}}', { m: { a: 1, b: 2, c: 3 } }],
    [
      'a member named __proto__',
      '{"m":{"__proto__":{"a":1}},"m":{"__proto__":{"b":2}}}',
      valueOf('{"m":{"__proto__":{"a":1,"b":2}}}'),
    ],
  ])('built-in kinds merge %s', (_name, text, value) => {
    expect(writeJson(valueOf(text, { onDuplicate: 'merge' }))).toBe(writeJson(value));
  });

  test('at most 100 are told', () => {
    const text = `{${Array.from({ length: 150 }, (_, i) => `"k${i}":1,"k${i}":2`).join(',')}}`;
    expect(duplicatesOf(text)).toHaveLength(100);
  });

  test('paths of all members come in the order of the text', () => {
    expect(memberPaths(Buffer.from('{"b":{"x":1},"a":[{"y":2}],"b":3}'))).toEqual([
      'b',
      'b.x',
      'a',
      'a[0].y',
      'b',
    ]);
  });
});

describe('text', () => {
  test.each([
    ['one stray byte', [0xff], '\ufffd'],
    ['a character cut off, byte by byte', [0xe2, 0x82], '\ufffd\ufffd'],
    ['four bytes cut off', [0xf0, 0x9f, 0x98, 0x78], '\ufffd\ufffd\ufffdx'],
    ['an encoded surrogate', [0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
    ['an overlong form', [0xc0, 0xaf], '\ufffd\ufffd'],
    ['beyond Unicode', [0xf5, 0x80, 0x80, 0x80], '\ufffd'.repeat(4)],
    ['good neighbours', [0xc3, 0xa9, 0xff, 0xc3, 0xa9], 'é\ufffdé'],
    ['a real U+FFFD', [0xef, 0xbf, 0xbd], '\ufffd'],
  ])('%s', (_name, bytes, text) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(valueOf(body)).toEqual({ a: text });
  });

  test('names that become equal by replacement are one member', () => {
    const body = Buffer.from('{"\xff":1,"\xfe":2}', 'latin1');
    expect(readJson(body)).toEqual({ ok: true, value: { '\ufffd': 2 }, duplicates: ['\ufffd'] });
  });

  test.each([
    ['"\\ud800"', '\ufffd'],
    ['"\\udc00x"', '\ufffdx'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\ud83d\\ud83d\\ude00"', '\ufffd😀'],
    ['"\\/\\b\\f\\n\\r\\t\\u0000"', '/\b\f\n\r\t\0'],
    ['"\\\\ud800"', '\\ud800'],
  ])('%s', (literal, text) => {
    expect(valueOf(`{"a":${literal}}`)).toEqual({ a: text });
    expect(valueOf(literal)).toBe(text);
  });

  test('__proto__ is a member like any other', () => {
    for (const text of ['{"__proto__":{"a":1}}', '{"__proto__" :{"a":1}}']) {
      const value = valueOf(text) as object;
      expect(Object.keys(value)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  });
});

describe('depth', () => {
  test.each(['[', '{"a":'])('10,000 levels of %j are read, one more is refused', (open) => {
    const close = open === '[' ? ']' : '}';
    const nested = (levels: number): string =>
      `${open.repeat(levels)}${open === '[' ? '' : '1'}${close.repeat(levels)}`;
    expect(writeJson(valueOf(nested(10_000)))).toBe(nested(10_000));
    expect(read(nested(10_001))).toEqual({
      ok: false,
      error: `invalid character '${open.charAt(0)}' exceeded max depth`,
    });
  });
});

describe('showing a body in an error', () => {
  test.each([
    ['nothing', '', '<empty>'],
    ['blanks', '  ', '2020'],
    ['an array', '[]', '5b5d'],
    ['null', 'null', '6e756c6c'],
    ['a short object', '{"a":', '{"a":'],
    ['exactly thirty bytes', `{${'x'.repeat(29)}`, `{${'x'.repeat(29)}`],
    ['a longer object', `{${'x'.repeat(30)}`, `{${'x'.repeat(29)} ...`],
    ['a longer text', 'x'.repeat(31), `${'78'.repeat(30)} ...`],
  ])('%s', (_name, text, shown) => {
    expect(showBody(Buffer.from(text))).toBe(shown);
  });
});

describe('the quick road', () => {
  test.each([0, 1, 2, 3])('a body of two bytes may begin %i bytes into its buffer', (offset) => {
    const bytes = Buffer.alloc(8);
    bytes.write('{}', offset);
    expect(readJson(bytes.subarray(offset, offset + 2))).toMatchObject({ ok: true, value: {} });
  });

  const typical = [
    '{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"image":"nginx:1.25","args":["--bind=:8080","a: b"]}]}}',
    '{"metadata":{"annotations":{"last":"{\\"a\\":1,\\"b\\":{\\"c\\":\\"d\\"}}\\n"},"uid":"3e45-1e3","t":"2026-11-29T12:14:06Z"}}',
    '{"a":"\\\\","b\\\\":1,"":"","c":[],"d":{},"e":null,"f":true,"g":-1.5}',
    JSON.stringify({ spec: { replicas: 3, list: [{ port: 80 }], text: 'é\u2028' } }, null, 2),
  ];
  test.each(typical)('%s takes it', (text) => {
    // At each alignment of its bytes, since they are looked at by fours.
    for (let shift = 0; shift < 4; shift++) {
      const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]).subarray(shift);
      expect(isFaithful(bytes, JSON.parse(text) as JsonValue)).toBe(true);
    }
  });

  const pieces = [
    'a',
    'b',
    ':',
    ' ',
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    '1',
    '1.0',
    'é',
    '\n',
    '__proto__',
    '10',
  ];
  const name = fc
    .array(fc.constantFrom(...pieces), { maxLength: 3 })
    .map((parts) => JSON.stringify(parts.join('')));
  const number = fc.oneof(
    fc.constantFrom(
      '0',
      '-0',
      '1.0',
      '1e2',
      '-1.5',
      '999999999999999',
      '9007199254740993',
      '0.10',
      '123456789012.5',
    ),
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  );
  const blank = fc.constantFrom('', '', '', ' ', '\n', '\t ');
  const body = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(name, number, fc.constantFrom('true', 'false', 'null')),
      fc
        .tuple(blank, fc.array(tie('value'), { maxLength: 3 }))
        .map(([b, items]) => `[${b}${items.join(`,${b}`)}]`),
      fc
        .array(fc.tuple(name, blank, blank, tie('value')), { maxLength: 4 })
        .map((members) => `{${members.map(([n, b, c, v]) => `${c}${n}${b}:${c}${v}${b}`).join(',')}}`),
    ),
  })).value;

  test('it says what the exact road says, and never loses a member or a number', () => {
    fc.assert(
      fc.property(body, (text) => {
        const exact = readExactly(text, 'replace');
        const reading = read(text);
        expect(reading).toEqual({ ok: true, value: exact.value, duplicates: exact.duplicates });
        if (isFaithful(Buffer.from(text), JSON.parse(text) as JsonValue)) {
          expect(exact.duplicates).toEqual([]);
          expect(JSON.parse(text)).toEqual(exact.value);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('what is written is read back', () => {
    fc.assert(
      fc.property(body, (text) => {
        const once = writeJson(valueOf(text));
        expect(writeJson(valueOf(once))).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  test('any bytes are read or refused, as JSON.parse reads or refuses their text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...Array.from('{}[],:"\\ 01-.etrufalsn\t')), { maxLength: 12 }),
        (chars) => {
          const text = chars.join('');
          let parses = true;
          try {
            JSON.parse(text);
          } catch {
            parses = false;
          }
          expect(read(text).ok).toBe(parses);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
