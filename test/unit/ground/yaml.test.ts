/** Reading YAML bodies. Expectations recorded from sigs.k8s.io/yaml 1.6.0 over go.yaml.in/yaml/v2 2.4.3. */
import { type JsonValue, Float } from '../../../mockserver/ground/json.js';
import { writeJson } from '../../../mockserver/ground/json-write.js';
import { readYaml, readYamlDocuments } from '../../../mockserver/ground/yaml.js';

function valueOf(text: string): JsonValue {
  const reading = readYaml(text);
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
}

describe('plain scalars are those of YAML 1.1', () => {
  test.each<[string, JsonValue]>([
    ...['yes', 'Yes', 'on', 'y', 'TRUE', 'true'].map((text): [string, JsonValue] => [text, true]),
    ...['no', 'off', 'n', 'N', 'False'].map((text): [string, JsonValue] => [text, false]),
    ...['~', 'null', 'Null', ''].map((text): [string, JsonValue] => [text, null]),
    ['017', 15],
    ['0o17', 15],
    ['08', 8],
    ['0x1f', 31],
    ['-0x1F', -31],
    ['0b11', 3],
    ['1_000', 1000],
    ['+5', 5],
    ['1:30', '1:30'],
    ['2001-12-14', '2001-12-14'],
    ['2001-12-14t21:59:43.10-05:00', '2001-12-14t21:59:43.10-05:00'],
    ['1.0', 1],
    ['1e3', 1000],
    ['.5', 0.5],
    ['1.5', 1.5],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775808', new Float(9223372036854775808)],
    ['1e21', new Float(1e21)],
    ['1e400', '1e400'],
    ['0x', '0x'],
    ['_1', '_1'],
    ['nginx:1.25', 'nginx:1.25'],
    ['"yes"', 'yes'],
    ["'017'", '017'],
    ['!!str 1', '1'],
    ['!!int "5"', 5],
    ['!!float 3', 3],
    ['!other z', 'z'],
    ['!!binary aGk=', 'hi'],
    ['<<', '<<'],
  ])('%s', (text, value) => {
    expect(valueOf(`a: ${text}\n`)).toEqual({ a: value });
  });

  test('names become texts', () => {
    expect(valueOf('1: a\nn: b\n1.5: c\nyes: d\n0.1: e\n123456789.5: f\n0x10: g\n')).toEqual({
      '1': 'a',
      false: 'b',
      '1.5': 'c',
      true: 'd',
      '0.1': 'e',
      '1.2345679e+08': 'f',
      '16': 'g',
    });
    expect(writeJson(valueOf('__proto__: 1\ntoString: 2\n'))).toBe('{"__proto__":1,"toString":2}');
  });
});

test.each<[string, string, JsonValue]>([
  ['an empty text', '', null],
  ['a comment alone', '# x\n', null],
  ['an empty document', '---\n', null],
  ['block scalars', 'a: |\n  x\n  y\nb: >-\n  f\n  g\n\n  h\n', { a: 'x\ny\n', b: 'f g\nh' }],
  ['flow collections', 'a: [1, two, {three: 3}, ]\n', { a: [1, 'two', { three: 3 }] }],
  ['lists in lists', '- 1\n- - 2\n  - 3\n- a: b\n  c: d\n', [1, [2, 3], { a: 'b', c: 'd' }]],
  ['CRLF', 'a:\r\n  b: c\r\n', { a: { b: 'c' } }],
  [
    'JSON',
    '{"a": 1.0, "b": [1e3, 1.5], "c": 9007199254740993, "d": "x\\u00e9"}',
    { a: 1, b: [1000, 1.5], c: 9007199254740993n, d: 'xé' },
  ],
  ['anchors', 'a: &x {b: 1}\nc: *x\n', { a: { b: 1 }, c: { b: 1 } }],
  ['merged maps', 'a: &x {b: 1, c: 1}\nd:\n  <<: *x\n  b: 2\n', { a: { b: 1, c: 1 }, d: { b: 2, c: 1 } }],
  ['merged lists of maps, the first counts', 'd:\n  <<: [{b: 1}, {b: 2, c: 2}]\n', { d: { b: 1, c: 2 } }],
  ['an anchor named again', 'a: &x 1\nb: *x\nc: &x 2\nd: *x\n', { a: 1, b: 1, c: 2, d: 2 }],
])('%s', (_name, text, value) => {
  expect(valueOf(text)).toEqual(value);
});

test('only the first document counts, and what follows it may be anything', () => {
  expect(valueOf('a: 1\n---\nb: [\n')).toEqual({ a: 1 });
  expect(valueOf('a: 1\n...\nb')).toEqual({ a: 1 });
});

describe('a name given again', () => {
  test.each([
    ['a: 1\nb: 2\nc: 3\na: 4\n', ['line 4: key "a" already set in map']],
    [
      'x:\n  k: 1\n  k: 2\nl: [{a: 1, a: 2}]\n',
      ['line 3: key "k" already set in map', 'line 4: key "a" already set in map'],
    ],
    [
      '1: x\n1: y\ntrue: a\nyes: b\n',
      ['line 2: key 1 already set in map', 'line 4: key true already set in map'],
    ],
    ['spec:\n  a: 1\nspec:\n  a: 2\n', ['line 4: key "spec" already set in map']],
    ['{"a":1,"a":2}', ['line 1: key "a" already set in map']],
    ['a: &x {b: 1}\nf:\n  b: 3\n  <<: *x\n', ['line 1: key "b" already set in map']],
    ['a: 1\nb: 1\n', []],
  ])('%j', (text, warnings) => {
    expect(readYaml(text)).toMatchObject({ ok: true, duplicates: warnings });
  });

  test('the last value counts', () => {
    expect(valueOf('a: 1\na: 2\n')).toEqual({ a: 2 });
  });
});

describe('errors', () => {
  test.each([
    ['a: [1, 2\nb: 1\n', "yaml: line 1: did not find expected ',' or ']'"],
    ['a: [1, 2', "yaml: line 1: did not find expected ',' or ']'"],
    ['x: 1\na: {b: 1\nc: 2\n', "yaml: line 2: did not find expected ',' or '}'"],
    ['{"a": 1 "b": 2}\n', "yaml: did not find expected ',' or '}'"],
    ['a: b: c\n', 'yaml: mapping values are not allowed in this context'],
    ['x: 1\na: b: c\n', 'yaml: line 2: mapping values are not allowed in this context'],
    ['a: 1\n b: 2\n', 'yaml: line 2: mapping values are not allowed in this context'],
    ['key\nb: 1\n', 'yaml: line 2: mapping values are not allowed in this context'],
    ['apiVersion: v1\nkind ConfigMap\nmetadata:\n', "yaml: line 3: could not find expected ':'"],
    ['a: b\nc\nd: e\n', "yaml: line 3: could not find expected ':'"],
    ['a:\n\t- b\n', 'yaml: line 2: found character that cannot start any token'],
    ['a: 1\n\tb: 2\n', 'yaml: line 2: found a tab character that violates indentation'],
    ['a: @b\n', 'yaml: found character that cannot start any token'],
    ['a: "abc\n', 'yaml: line 2: found unexpected end of stream'],
    ['a: "\\q"\n', 'yaml: found unknown escape character'],
    ['a: "\\xzz"\n', 'yaml: did not find expected hexdecimal number'],
    ['a:\n  b: 1\n c: 2\n', 'yaml: line 2: did not find expected key'],
    ['a: 1\n- b\n', 'yaml: line 1: did not find expected key'],
    ['- a\nb: 1\n', "yaml: line 1: did not find expected '-' indicator"],
    ['a: - b\n', 'yaml: block sequence entries are not allowed in this context'],
    ['a: "x" y\n', 'yaml: did not find expected key'],
    ['a: *\n', 'yaml: did not find expected alphabetic or numeric character'],
    ['a: *x\n', "yaml: unknown anchor 'x' referenced"],
    ['a: &x [*x]\n', "yaml: anchor 'x' value contains itself"],
    ['a: \x01\n', 'yaml: control characters are not allowed'],
    ['%YAML 1.3\n---\na: 1\n', 'yaml: found incompatible YAML document'],
    ['a: !!int x\n', 'yaml: cannot decode !!str `x` as a !!int'],
    ['a: !!bool 3\n', 'yaml: cannot decode !!int `3` as a !!bool'],
    ['<<: 1\n', 'yaml: map merge requires map or sequence of maps as the value'],
    ['[a]: 1\n', 'yaml: invalid map key: []interface {}{"a"}'],
    ['~: x\n', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "x"'],
    ['a: .inf\n', 'json: unsupported value: +Inf'],
    ['a: -.inf\n', 'json: unsupported value: -Inf'],
    ['a: .nan\n', 'json: unsupported value: NaN'],
  ])('%j', (text, error) => {
    expect(readYaml(text)).toEqual({ ok: false, error });
  });

  test('aliases that multiply are refused', () => {
    const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x]'];
    for (let i = 1; i < 9; i++)
      lines.push(
        `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(',')}]`,
      );
    expect(readYaml(lines.join('\n'))).toEqual({
      ok: false,
      error: 'yaml: document contains excessive aliasing',
    });
  });

  test('nesting without end is refused, not a crash', () => {
    expect(readYaml('['.repeat(50_000))).toMatchObject({ ok: false });
  });
});

describe('manifest files', () => {
  test('all documents but the empty ones are read, with their lines', () => {
    expect(readYamlDocuments('# first\na: 1\n---\n---\nb: 2\n---\n# nothing\n---\n- c\n')).toEqual({
      ok: true,
      documents: [
        { line: 2, value: { a: 1 } },
        { line: 5, value: { b: 2 } },
        { line: 9, value: ['c'] },
      ],
    });
  });

  test('JSON after JSON is read too', () => {
    expect(readYamlDocuments('{"a":1}\n---\n{"b":2}\n')).toMatchObject({
      ok: true,
      documents: [{ value: { a: 1 } }, { value: { b: 2 } }],
    });
  });

  test.each([
    ['a: 1\n---\nb: 1\nc: d: e\n', 'yaml: line 4: mapping values are not allowed in this context'],
    ['a: 1\n---\nb: .inf\n', 'json: unsupported value: +Inf (document at line 3)'],
  ])('an error names its line: %j', (text, error) => {
    expect(readYamlDocuments(text)).toEqual({ ok: false, error });
  });

  test('an empty file holds no documents', () => {
    expect(readYamlDocuments('')).toEqual({ ok: true, documents: [] });
  });
});
