/** Writing YAML. Expectations recorded from sigs.k8s.io/yaml 1.6.0, JSONToYAML, and a kube-apiserver 1.36.3. */
import fc from 'fast-check';
import { type JsonValue, Float, jsonEqual } from '../../../mockserver/ground/json.js';
import { readYaml } from '../../../mockserver/ground/yaml.js';
import { writeYaml } from '../../../mockserver/ground/yaml-write.js';

describe('texts', () => {
  test.each([
    ['word', 'word'],
    ['', '""'],
    ['yes', '"yes"'],
    ['n', '"n"'],
    ['~', '"~"'],
    ['017', '"017"'],
    ['0o17', '"0o17"'],
    ['1_000', '"1_000"'],
    ['1:30', '"1:30"'],
    ['2001-12-14', '"2001-12-14"'],
    ['2001-02-30', '2001-02-30'],
    ['2001-12-14T21:59:43Z', '"2001-12-14T21:59:43Z"'],
    ['1e3', '"1e3"'],
    ['1e400', '1e400'],
    ['.inf', '".inf"'],
    ['<<', '<<'],
    ['=', '='],
    ['500m', '500m'],
    ['nginx:1.25', 'nginx:1.25'],
    ['a: b', "'a: b'"],
    ['a:', "'a:'"],
    ['a #b', "'a #b'"],
    ['a#b', 'a#b'],
    ['- x', "'- x'"],
    ['-x', '-x'],
    ['-', "'-'"],
    ['*a', "'*a'"],
    ['{{ .x }}', "'{{ .x }}'"],
    ['@', "'@'"],
    ['---', "'---'"],
    [' lead', "' lead'"],
    ['trail ', "'trail '"],
    ["it's", "it's"],
    ["'", "''''"],
    ['say "hi"', 'say "hi"'],
    ['tab\there', '"tab\\there"'],
    ['\r', '"\\r"'],
    ['é', 'é'],
    ['😀', '"\\U0001F600"'],
    ['\u001b', '"\\e"'],
    ['\ufeffa', '"\\uFEFF\\x61"'],
    ['a\nb', '|-\n  a\n  b'],
    ['a\nb\n', '|\n  a\n  b'],
    ['a\n\n', '|+\n  a\n'],
    ['\na', '|2-\n\n  a'],
    ['a \nb', '"a \\nb"'],
    ['a\tb\nc', '"a\\tb\\nc"'],
  ])('%j', (text, written) => {
    expect(writeYaml({ a: text })).toBe(`a: ${written}\n`);
  });

  test('long ones are folded behind column 80', () => {
    const words = 'word '.repeat(20);
    const first = 'word word word word word word word word word word word word word word word word';
    expect(writeYaml({ long: `${words}end` })).toBe(`long: ${first}\n  word word word word end\n`);
    expect(writeYaml({ long: words })).toBe(`long: '${first.slice(0, -5)}\n  word word word word word '\n`);
    expect(writeYaml({ long: `\u0007${words}end` })).toBe(
      `long: "\\a${first.slice(0, -5)}\n  word word word word word end"\n`,
    );
  });

  test('a control character that YAML has no place for is an error, as on a real server', () => {
    expect(() => writeYaml({ a: 'x\x7f' })).toThrow('yaml: control characters are not allowed');
  });
});

test.each<[string, JsonValue, string]>([
  ['null', null, 'null'],
  ['booleans', true, 'true'],
  ['integers', -7, '-7'],
  ['big integers', 9007199254740993n, '9007199254740993'],
  ['a float that reads as an integer', new Float(1000), '1000'],
  ['fractions', 1.5, '1.5'],
  ['small floats', 0.00001, '1e-05'],
  ['floats from a million on', 123456789.12345679, '1.2345678912345679e+08'],
  ['2^63', new Float(2 ** 63), '9223372036854776000'],
  ['2^64', new Float(2 ** 64), '1.8446744073709552e+19'],
  ['1e20', new Float(1e20), '1e+20'],
])('%s', (_name, value, text) => {
  expect(writeYaml([value])).toBe(`- ${text}\n`);
});

test('lists stand at the indentation of their names', () => {
  const value = {
    spec: { containers: [{ name: 'x', args: ['a', ['b', 'c'], []], env: {} }] },
    list: [[1, [2]], {}],
  };
  expect(writeYaml(value)).toBe(
    [
      'list:',
      '- - 1',
      '  - - 2',
      '- {}',
      'spec:',
      '  containers:',
      '  - args:',
      '    - a',
      '    - - b',
      '      - c',
      '    - []',
      '    env: {}',
      '    name: x',
      '',
    ].join('\n'),
  );
});

test('names are sorted as people do', () => {
  const names = ['a10', 'a2', 'B', 'b', '10', '9', '_x', 'a', 'z', 'é'];
  const value = Object.fromEntries(names.map((name) => [name, 1]));
  const order = Array.from(writeYaml(value).matchAll(/^"?([^":]+)"?: 1$/gm), (found) => found[1]);
  expect(order).toEqual(['_x', '9', '10', 'B', 'a', 'a2', 'a10', 'b', 'z', 'é']);
});

test('a name that does not fit on a line gets a question mark', () => {
  const long = 'y'.repeat(129);
  expect(writeYaml({ 'a\nb': [1], [long]: { c: 1 } })).toBe(`? |-\n  a\n  b\n: - 1\n? ${long}\n: c: 1\n`);
});

test('10,000 levels are written', () => {
  let deep: JsonValue = 1;
  for (let i = 0; i < 10_000; i++) deep = [deep];
  expect(writeYaml(deep)).toBe(`${'- '.repeat(10_000)}1\n`);
});

// Not so a member named `<<`, which yaml.v2 writes without quotes and then takes for a merge.
test('what is written is read back', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...Array.from('ab 1:-#\n\'"\\{}[],&*!|>%@`~?.é😀\t\u0007')) }),
    fc.constantFrom('yes', '017', '1:30', '2001-12-14', 'null', '', '---', 'word '.repeat(30)),
  );
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.constantFrom<JsonValue[]>(null, true, 0, -1.5, 2n ** 60n),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  fc.assert(
    fc.property(value, (one) => {
      const reading = readYaml(writeYaml(one));
      expect(reading).toMatchObject({ ok: true, duplicates: [] });
      if (reading.ok) expect(jsonEqual(reading.value, one)).toBe(true);
    }),
    { numRuns: 400 },
  );
});
