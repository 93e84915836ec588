import { type FieldError, fieldErrorText } from '../../../../mockserver/ground/field-error.js';
import { goFloat } from '../../../../mockserver/ground/go-float.js';
import { type JsonValue } from '../../../../mockserver/ground/json.js';
import { compileSchema } from '../../../../mockserver/schema/structural/compile-schema.js';
import { followPath } from '../../../../mockserver/schema/structural/field-path.js';
import { formatCheck } from '../../../../mockserver/schema/structural/formats.js';
import { listTypeErrors } from '../../../../mockserver/schema/structural/list-types.js';
import { compilePattern, patternProblem } from '../../../../mockserver/schema/structural/pattern.js';
import { replicaErrors, selectorErrors } from '../../../../mockserver/schema/structural/replica-counts.js';

const shown = (errors: readonly FieldError[]): readonly string[] =>
  errors.map((error) => `${error.field}: ${fieldErrorText(error)}`);

/** As kube-apiserver 1.36.3 takes and refuses them. */
const FORMATS: Readonly<
  Record<string, { readonly good: readonly string[]; readonly bad: readonly string[] }>
> = {
  date: { good: ['2004-02-29'], bad: ['2003-02-29', '2004-2-9', ''] },
  'date-time': {
    good: ['2006-01-02T15:04:05Z', '2006-01-02t15:04:05.1z', '2006-01-02T15:04:05+99:99'],
    bad: ['2006-01-02T15:04:05', '2006-01-02T24:04:05Z'],
  },
  duration: { good: ['1h30m', '3 days', '-5s', '1minutes ago'], bad: ['5', '3 foo', ''] },
  uuid: { good: ['550e8400e29b41d4a716446655440000'], bad: ['550e8400'] },
  uuid4: { good: ['550E8400-E29B-41D4-A716-446655440000'], bad: ['550E8400-E29B-31D4-A716-446655440000'] },
  ipv4: { good: ['1.2.3.4', '01.2.3.4', '::ffff:1.2.3.4'], bad: ['1.2.3', '256.1.1.1'] },
  ipv6: { good: ['::1', '1:2:3:4:5:6:7::'], bad: ['1::2::3', '::1%eth0', '1.2.3.4'] },
  cidr: { good: ['10.0.0.0/8', '::/0'], bad: ['10.0.0.0/33', '10.0.0.0'] },
  mac: { good: ['aa:bb:cc:dd:ee:ff', '0123.4567.89ab', '0123456789ab'], bad: ['01:23:45-67:89:ab', 'x'] },
  email: {
    good: ['a@b', 'A <a@b>', '"q q"@b.c', 'a@[1.2.3.4]', 'g: a@b;'],
    bad: ['a..b@c', 'a@', 'a@b, c@d'],
  },
  uri: {
    good: ['http://x/y', '/path?q', 'mailto:x', '*'],
    bad: ['x', 'http://a b/', '/a%zz', 'http://a:b/'],
  },
  hostname: { good: ['host.example.com', 'a', '1.com'], bad: ['-a.com', 'a_b.com', ''] },
  byte: { good: ['QUJD', 'QQ=='], bad: ['Q', '', 'A-Q='] },
  isbn: { good: ['0-8044-2957-X', '978-3-16-148410-0'], bad: ['9783161484101'] },
  creditcard: { good: ['4111-1111-1111-1111'], bad: ['4111111111111112'] },
  ssn: { good: ['123-45-6789'], bad: ['123456789'] },
  hexcolor: { good: ['#fff', 'ABCDEF'], bad: ['#ffff'] },
  rgbcolor: { good: ['rgb( 1 ,2, 3 )'], bad: ['rgb(256,0,0)'] },
  bsonobjectid: { good: ['507f1f77bcf86cd799439011'], bad: ['507f'] },
  password: { good: ['', 'x'], bad: [] },
  'k8s-short-name': { good: ['a-b'], bad: ['A', 'a.b', 'a'.repeat(64)] },
  'k8s-long-name': { good: ['a.b'], bad: ['a..b', '-a'] },
};

describe('formats', () => {
  test.each(Object.entries(FORMATS))('%s', (name, { good, bad }) => {
    const check = formatCheck(name);
    expect(good.filter((text) => check?.(text) !== true)).toEqual([]);
    expect(bad.filter((text) => check?.(text) !== false)).toEqual([]);
  });

  test('other names are not checked', () => {
    expect(formatCheck('zzz')).toBeUndefined();
  });
});

describe('patterns', () => {
  test.each([
    ['^a+$', 'aaa', true],
    ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'a-b', true],
    ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'a-', false],
    ['b', 'abc', true],
    [String.raw`^\p{L}+$`, 'käse', true],
    ['^[^a]$', '\u{1f642}', true],
    ['(?i)^abc$', 'ABC', true],
  ])('%s on %s', (pattern, text, matches) => {
    expect(compilePattern(pattern).test(text)).toBe(matches);
  });

  test.each([
    ['(', 'error parsing regexp: missing closing ): `(`'],
    ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
    ['\\', 'error parsing regexp: trailing backslash at end of expression: ``'],
    ['a', undefined],
  ])('%s: %s', (pattern, problem) => {
    expect(patternProblem(pattern)).toBe(problem);
  });
});

describe('list types', () => {
  const items = (more: Record<string, JsonValue>) =>
    compileSchema({ type: 'object', properties: { l: { type: 'array', ...more } } });
  const map = (...keys: string[]) =>
    items({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys, items: { type: 'object' } });

  test('a set names the second of equal elements', () => {
    const set = items({ 'x-kubernetes-list-type': 'set', items: { type: 'string' } });
    expect(shown(listTypeErrors({ l: ['a', 'b', 'a', 'a'] }, set))).toEqual(['l[2]: Duplicate value: "a"']);
  });

  test('a map names the keys, and what stands without any', () => {
    expect(shown(listTypeErrors({ l: [{ k: 1 }, { k: 1, v: 2 }, {}, {}] }, map('k')))).toEqual([
      'l[1]: Duplicate value: {"k":1}',
      'l[3]: Duplicate value: {}',
    ]);
    expect(
      shown(
        listTypeErrors(
          {
            l: [
              { b: 1, a: 2 },
              { a: 2, b: 1 },
            ],
          },
          map('b', 'a'),
        ),
      ),
    ).toEqual(['l[1]: Duplicate value: {"a":2,"b":1}']);
  });

  test('a map has only objects', () => {
    expect(shown(listTypeErrors({ l: [{}, 5] }, map('k')))).toEqual([
      'l[1]: Invalid value: 5: must be an object for an array of list-type map',
    ]);
  });
});

describe('replica counts', () => {
  test.each([
    [-1, ['.spec.n: Invalid value: -1: should be a non-negative integer']],
    ['x', ['.spec.n: Invalid value: 0: .spec.n accessor error: x is of the type string, expected int64']],
    [2 ** 31, ['.spec.n: Invalid value: 2147483648: should be less than or equal to 2147483647']],
    [3, []],
  ])('%s', (n, errors) => {
    expect(shown(replicaErrors({ spec: { n } }, '.spec.n'))).toEqual(errors);
  });

  test('a path that leads through something else', () => {
    const error =
      'accessor error: [1 map[a:x]] is of the type []interface {}, expected map[string]interface{}';
    expect(shown(replicaErrors({ spec: [1, { a: 'x' }] }, '.spec.n'))).toEqual([
      `.spec.n: Invalid value: 0: .spec.n ${error}`,
    ]);
    expect(shown(selectorErrors({ status: {} }, '.status.selector'))).toEqual([]);
    expect(shown(selectorErrors({ status: { s: 1 } }, '.status.s'))).toEqual([
      '.status.s: Invalid value: "": .status.s accessor error: 1 is of the type int64, expected string',
    ]);
  });
});

describe('paths to fields', () => {
  const schema = compileSchema({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          'a.b': { type: 'string' },
          m: { type: 'object', additionalProperties: { type: 'integer' } },
        },
      },
    },
  });
  test.each([
    ['.spec.m.k', true, 'integer'],
    [`.spec['a.b']`, true, 'string'],
    [`.spec['a.b']`, false, 'array notation is not allowed'],
    ['.spec.none', true, 'does not refer to a valid field'],
    ['spec', true, 'expected [ or . but got: spec'],
    ['.spec.', true, 'unexpected end of JSON path'],
  ])('%s', (path, brackets, outcome) => {
    const found = followPath(path, schema, brackets);
    expect(found.ok ? found.schema?.type : found.error).toBe(outcome);
  });
});

test.each([
  [0.5, '0.5'],
  [100_000, '100000'],
  [1_000_000.5, '1.0000005e+06'],
  [1e20, '1e+20'],
  [0.00001234, '1.234e-05'],
  [-0, '-0'],
])('Go writes %d as %s', (value, text) => {
  expect(goFloat(value)).toBe(text);
});
