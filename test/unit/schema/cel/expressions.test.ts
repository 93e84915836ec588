/** Expressions give what a real server's give; each was asked of kube-apiserver 1.36. */
import { NOWHERE, issuesText } from '../../../../mockserver/schema/cel/issue.js';
import { evaluate } from './evaluate.js';

test.each([
  ['(1 + 2) * 3 - 4 / 2 == 7'],
  ['7 / 2 == 3 && -7 % 3 == -1'],
  ['1 < 2.5 && 2u > 1'],
  ['"é".size() == 1 && bytes("é").size() == 2'],
  ["'\\u00e9\\x41\\101' == 'éAA' && r'\\n'.size() == 2"],
  ['true || 1 / 0 == 1'],
  ['1 / 0 == 1 || true'],
  ['!(1 / 0 == 1 && false)'],
  ['1 == 1 ? true : false'],
  ["'a' in ['a', 'b'] && !('z' in {'a': 1})"],
  ['[1, 2] + [3] == [1, 2, 3]'],
  ['[1, 2, 3].all(x, x > 0) && [1, 2].exists(x, x == 2) && [1, 2].exists_one(x, x == 1)'],
  ['[1, 2, 3].map(x, x > 1, x * 2) == [4, 6] && [1, 2, 3].filter(x, x > 1) == [2, 3]'],
  ["{'a': 1, 'b': 2}.all(k, v, v > 0) && {'a': 1}.transformMap(k, v, v + 1) == {'a': 2}"],
  ["['a', 'b'].transformList(i, v, v + string(i)) == ['a0', 'b1']"],
  ["has({'a': 1}.a) && !has({'a': 1}.b)"],
  ["{'a': 1}.?b.orValue(7) == 7 && [1][?4].hasValue() == false"],
  ['optional.of(5).optMap(x, x + 1).value() == 6'],
  ["type(1) == int && type('a') == string && type([]) == list"],
  ["int('12') == 12 && int(2.9) == 2 && double('1e3') == 1000.0 && string(1000000.0) == '1e+06'"],
  ["duration('90m') == duration('1h30m') && string(duration('1.5s')) == '1.5s'"],
  ["timestamp('2024-02-29T10:20:30.5Z').getFullYear() == 2024"],
  ["timestamp('2024-02-29T10:20:30Z').getHours('America/New_York') == 5"],
  ["timestamp('2024-02-29T10:20:30Z').getHours('+05:30') == 15"],
  ["timestamp('2024-03-01T00:00:00Z').getDayOfWeek() == 5"],
  ["'abc'.startsWith('a') && 'abc'.endsWith('c') && 'abc'.contains('b') && 'abc'.matches('^a.c$')"],
  ["'héllo'.charAt(1) == 'é' && 'héllo'.indexOf('l') == 2 && 'héllo'.lastIndexOf('l') == 3"],
  ["'a,b,c'.split(',', 2) == ['a', 'b,c'] && ['a', 'b'].join('-') == 'a-b'"],
  ["'aaa'.replace('a', 'b', 2) == 'bba' && 'abc'.substring(1, 2) == 'b' && ' x '.trim() == 'x'"],
  ["'AbC'.lowerAscii() == 'abc' && 'abc'.upperAscii() == 'ABC' && strings.quote('a\"b') == '\"a\\\\\"b\"'"],
  ["'%s is %d of %x, %b'.format(['a', 5, 255, 5]) == 'a is 5 of ff, 101'"],
  ["'%s %s'.format([[1.5, 'a'], {'a': 1}]) == '[1.500000, \"a\"] {\"a\":1}'"],
  ["'%.2f'.format([1234567.891]) == '1,234,567.89'"],
  ["'abc123'.find('[0-9]+') == '123' && 'a1b2'.findAll('[0-9]', 1) == ['1']"],
  ['[3, 1, 2].sum() == 6 && [3, 1].min() == 1 && [3, 1].max() == 3 && ![3, 1].isSorted()'],
  ['[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2'],
  ['[3, 1].sort() == [1, 3] && [[1], [2]].flatten() == [1, 2] && [1, 1].distinct() == [1]'],
  ['[1, 2, 3].slice(0, 2) == [1, 2] && lists.range(2) == [0, 1] && [1, 2].reverse() == [2, 1]'],
  ['[3, 1].sortBy(x, -x) == [3, 1] && [1, 2].first().value() == 1'],
  ['sets.contains([1, 2], [1]) && sets.equivalent([1, 1], [1]) && !sets.intersects([1], [2])'],
  ["url('https://example.com:8080/a%20b?x=1&x=2').getHost() == 'example.com:8080'"],
  [
    "url('https://e.com/a?x=1&x=2').getQuery()['x'] == ['1', '2'] && url('https://[::1]:80/').getHostname() == '::1'",
  ],
  ["isURL('https://a.b/c') && !isURL('../a')"],
  [
    "ip('::1').isLoopback() && ip('192.168.0.1').family() == 4 && string(ip('2001:0db8::0:1')) == '2001:db8::1'",
  ],
  ["!isIP('::ffff:1.2.3.4') && !ip.isCanonical('2001:DB8::1')"],
  ["cidr('10.0.0.0/8').containsIP('10.1.2.3') && string(cidr('10.1.2.3/8').masked()) == '10.0.0.0/8'"],
  ["cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !isCIDR('10.0.0.0/33')"],
  ["quantity('500m').isLessThan(quantity('1')) && quantity('1Gi').compareTo(quantity('1G')) == 1"],
  [
    "quantity('1k').add(quantity('1')).asInteger() == 1001 && sign(quantity('-1')) == -1 && !isQuantity('1Kii')",
  ],
  ["semver('1.2.3').isLessThan(semver('1.10.0')) && semver('1.0.0-a').isLessThan(semver('1.0.0'))"],
  ["semver('v1.2', true).minor() == 2 && !isSemver('1.2')"],
  ["!format.dns1123Label().validate('abc').hasValue() && format.named('uuid').hasValue()"],
])('%s', (source) => {
  expect(evaluate(source)).toBe(true);
});

test.each([
  ['1 / 0 == 1', 'division by zero'],
  ['1 % 0 == 1', 'modulus by zero'],
  ['9223372036854775807 + 1 == 0', 'integer overflow'],
  ["{'a': 1}['b'] == 1", 'no such key: b'],
  ['[1][5] == 1', 'index out of bounds: 5'],
  ["dyn('a') + 1 == 2", 'no such overload'],
  ["'abc'.substring(2, 1) == ''", 'invalid substring range. start: 2, end: 1'],
  ["'abc'.charAt(9) == ''", 'index out of range: 9'],
  ['[1].slice(0, 9) == []', 'cannot slice(0, 9), list is length 1'],
  ['optional.none().value() == 1', 'optional.none() dereference'],
  [
    "ip('1.2.3').family() == 4",
    'IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short',
  ],
])('%s fails: %s', (source, error) => {
  expect(evaluate(source)).toBe(error);
});

const OPERAND =
  "'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";

test.each([
  ['x == 1', "0: undeclared reference to 'x' (in container '')"],
  ['foo(1)', "3: undeclared reference to 'foo' (in container '')"],
  ["1 == 'x'", "2: found no matching overload for '_==_' applied to '(int, string)'"],
  ["1.matches('a')", "9: found no matching overload for 'matches' applied to 'int.(string)'"],
  ["[1, 'a'] == []", "4: expected type 'int' but found 'string'"],
  ['1 > ', `Syntax error: mismatched input '<EOF>' expecting {${OPERAND}}`],
  ['1 1', "Syntax error: extraneous input '1' expecting <EOF>"],
  ['1 2 3', "Syntax error: mismatched input '2' expecting <EOF>"],
  ['1 + * 2', `Syntax error: extraneous input '*' expecting {${OPERAND}}`],
  ['a.', "Syntax error: no viable alternative at input '.'"],
  ['(1', "Syntax error: missing ')' at '<EOF>'"],
  ['[1 2]', "Syntax error: extraneous input '2' expecting {']', ','}"],
  ['true ? 1 2', "Syntax error: missing ':' at '2'"],
  ['{1', "Syntax error: mismatched input '<EOF>' expecting ':'"],
  ["'a'.matches('(')", '12: invalid matches argument'],
  ["'%z'.format([1])", '11: could not parse formatting clause: unrecognized formatting clause "z"'],
  ["'%s'.format([])", '11: index 0 out of range'],
])('%s does not compile: %s', (source, error) => {
  expect(evaluate(source)).toBe(error);
});

/** The largest count that a real server accepts, for forms that put expressions into expressions. */
const DEPTHS: readonly [form: string, most: number, text: (count: number) => string][] = [
  ['operators', 250, (count) => Array.from({ length: count + 1 }, () => '1').join(' + ')],
  ['calls of members', 250, (count) => `'a'${'.trim()'.repeat(count)}`],
  ['selections in a comparison', 249, (count) => `x${'.a'.repeat(count)} == 1`],
  ['operators in an argument', 250, (count) => `size(${'1 + '.repeat(count)}1)`],
  ['operators in a macro', 249, (count) => `[1].all(x, ${'1 + '.repeat(count)}1)`],
  ['operators in a conditional', 249, (count) => `true ? true : ${'1 + '.repeat(count)}1`],
];

test.each(DEPTHS)('%s may stand %d deep, not deeper', (_form, most, text) => {
  expect(evaluate(text(most))).not.toBe('max recursion depth exceeded');
  expect(evaluate(text(most + 1))).toBe('max recursion depth exceeded');
});

test('parentheses may stand 249 deep, not deeper', () => {
  const nested = (count: number): string => `${'('.repeat(count)}true${')'.repeat(count)}`;
  expect(evaluate(nested(249))).toBe(true);
  expect(evaluate(nested(250))).toBe('expression recursion limit exceeded: 250');
});

test.each(['&&', '||'])('a chain of %s may be long', (operator) => {
  const last = operator === '&&' ? 'false' : 'true';
  const first = operator === '&&' ? 'true' : 'false';
  expect(evaluate(`${`${first} ${operator} `.repeat(5000)}${last}`)).toBe(last === 'true');
});

test('an issue with the whole of an expression names no place', () => {
  expect(issuesText('a', [{ at: NOWHERE, message: 'max recursion depth exceeded' }])).toBe(
    'ERROR: <input>:-1:0: max recursion depth exceeded',
  );
});

test('of many issues a hundred are shown, and how many more there are', () => {
  const issues = Array.from({ length: 150 }, (_, at) => ({ at, message: 'm' }));
  const lines = issuesText('x'.repeat(150), issues).split('\n');
  expect(lines.filter((line) => line.startsWith('ERROR: '))).toHaveLength(100);
  expect(lines.at(-1)).toBe('50 more errors were truncated');
});

test('an issue shows its own line', () => {
  expect(issuesText('a &&\nb', [{ at: 5, message: 'm' }])).toBe('ERROR: <input>:2:1: m\n | b\n | ^');
});
