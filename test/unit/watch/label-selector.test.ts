import * as fc from 'fast-check';
import { type LabelRequirement, LabelSelector } from '../../../mockserver/watch/label-selector.js';
import { parseLabelSelector } from '../../../mockserver/watch/label-selector-parser.js';
import { refusal } from '../refusal.js';

const KEY_RULE =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const INTEGER = "for 'Gt', 'Lt' operators, the value must be an integer";

describe('a label selector matches', () => {
  test.each([
    ['everything when empty', '', [{}, { a: '1' }], []],
    ['one value', 'a=1', [{ a: '1' }], [{}, { a: '2' }]],
    ['one value, doubly equal', 'a == 1', [{ a: '1' }], [{ a: '' }]],
    ['the empty value', 'a=', [{ a: '' }], [{}, { a: '1' }]],
    ['any other value, and none', 'a!=1', [{}, { a: '2' }], [{ a: '1' }]],
    ['one of several', 'a in (1,2)', [{ a: '1' }, { a: '2' }], [{}, { a: '3' }]],
    ['the empty one of none', 'a in ()', [{ a: '' }], [{}, { a: '1' }]],
    ['a gap in the list', 'a in (x,,y)', [{ a: '' }, { a: 'x' }, { a: 'y' }], [{ a: 'z' }]],
    ['none of several, and none', 'a notin (1,2)', [{}, { a: '3' }], [{ a: '1' }]],
    ['any but the empty one', 'a notin ()', [{}, { a: '1' }], [{ a: '' }]],
    ['presence', 'a', [{ a: '' }], [{}]],
    ['absence', '! a', [{}], [{ a: '' }]],
    ['what is greater', 'a>3', [{ a: '4' }], [{}, { a: '3' }, { a: 'x' }]],
    ['what is less', 'a<3', [{ a: '-2' }], [{}, { a: '3' }]],
    ['integers beyond 2^53', 'a>9007199254740992', [{ a: '9007199254740993' }], [{ a: '9007199254740992' }]],
    ['all requirements together', 'a=1,!b', [{ a: '1' }], [{ a: '1', b: '' }, {}]],
    ['words that are operators elsewhere', 'in in (in),notin=notin', [{ in: 'in', notin: 'notin' }], [{}]],
    ['over line ends and tabs', 'a\tin\n(b)', [{ a: 'b' }], [{}]],
    ['up to a NUL that stands alone', 'a=\0b \0,c d', [{ a: 'b' }], [{}]],
    ['own members only', 'toString', [{ toString: '' }], [{}]],
  ])('%s', (_name, text, matching, others) => {
    const selector = parseLabelSelector(text);
    for (const labels of matching) expect([labels, selector.matches(labels)]).toEqual([labels, true]);
    for (const labels of others) expect([labels, selector.matches(labels)]).toEqual([labels, false]);
  });
});

// All texts as kube-apiserver 1.36.3 answered them.
describe('a label selector that cannot be read says', () => {
  const requirement = (text: string): string => `unable to parse requirement: ${text}`;
  test.each([
    ['=', "found '=', expected: !, identifier, or 'end of string'"],
    ['==a', "found '==', expected: !, identifier, or 'end of string'"],
    [',a', "found ',', expected: !, identifier, or 'end of string'"],
    ['(', "found '(', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a<1,', "found '', expected: identifier after ','"],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['a in (b)c', "found 'c', expected: ',' or 'end of string'"],
    ['!', requirement("found '', expected: identifier")],
    ['!!a', requirement("found '!', expected: identifier")],
    ['a,b,!', requirement("found '', expected: identifier")],
    ['a b', requirement("found 'b', expected: in, notin, =, ==, !=, gt, lt")],
    ['a!', requirement("found '!', expected: in, notin, =, ==, !=, gt, lt")],
    ['a gt 1', requirement("found 'gt', expected: in, notin, =, ==, !=, gt, lt")],
    ['a\0b', requirement("found 'b', expected: in, notin, =, ==, !=, gt, lt")],
    ['a in', requirement("found '' expected: '('")],
    ['a in x', requirement("found 'x' expected: '('")],
    ['a in (', requirement("found '', expected: ',', ')' or identifier")],
    ['a in ((b)', requirement("found '(', expected: ',', ')' or identifier")],
    ['a in (!', requirement("found '!', expected: ',', ')' or identifier")],
    ['a in (a,', requirement("found '', expected: ',', or identifier")],
    ['a in (a', requirement("found '', expected: ',' or ')'")],
    ['a in (a b)', requirement("found 'b', expected: ',' or ')'")],
    ['a=(', requirement("found '(', expected: identifier")],
    ['a===b', requirement("found '=', expected: identifier")],
    ['a=<b', requirement("found '<', expected: identifier")],
    ['-x=1', requirement(`<nil>: Invalid value: "-x": ${KEY_RULE}`)],
    ['a/', requirement(`<nil>: Invalid value: "a/": name part must be non-empty; ${KEY_RULE}`)],
    ['"a"', requirement(`<nil>: Invalid value: "\\"a\\"": ${KEY_RULE}`)],
    ['a=-x', requirement(`values[0][a]: Invalid value: "-x": ${VALUE_RULE}`)],
    ['a=b/c', requirement(`values[0][a]: Invalid value: "b/c": ${VALUE_RULE}`)],
    [
      'a in (-y,-x)',
      requirement(
        `[values[0][a]: Invalid value: "-x": ${VALUE_RULE}, values[1][a]: Invalid value: "-y": ${VALUE_RULE}]`,
      ),
    ],
    ['a>x', requirement(`values[0]: Invalid value: "x": ${INTEGER}`)],
    ['a>', requirement(`values[0]: Invalid value: "": ${INTEGER}`)],
    ['a>-1', requirement(`values[0][a]: Invalid value: "-1": ${VALUE_RULE}`)],
    ['a>99999999999999999999', requirement(`values[0]: Invalid value: "99999999999999999999": ${INTEGER}`)],
  ])('%j: its words', (text, message) => {
    expect(refusal(() => parseLabelSelector(text))).toMatchObject({ name: 'SelectorError', message });
  });
});

test('a label selector tells the one value that it asks for', () => {
  const selector = parseLabelSelector('a=1,b in (2),c in (3,4),d!=5');
  expect(['a', 'b', 'c', 'd', 'e'].map((key) => selector.exactValueOf(key))).toEqual([
    '1',
    '2',
    undefined,
    undefined,
    undefined,
  ]);
  expect(selector.isEmpty).toBe(false);
  expect(parseLabelSelector('').isEmpty).toBe(true);
});

const word = fc.stringMatching(/^[a-z][-a-z0-9_.]{0,5}[a-z0-9]$/);
const value = fc.oneof(word, fc.constant(''));
const requirements: fc.Arbitrary<LabelRequirement> = fc.oneof(
  fc.record({
    key: word,
    operator: fc.constantFrom('in' as const, 'notin' as const),
    values: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }).map((values) => values.sort()),
  }),
  fc.record({
    key: word,
    operator: fc.constantFrom('=' as const, '==' as const, '!=' as const),
    values: fc.tuple(value),
  }),
  fc.record({
    key: word,
    operator: fc.constantFrom('exists' as const, '!' as const),
    values: fc.constant([]),
  }),
  fc.record({
    key: word,
    operator: fc.constantFrom('gt' as const, 'lt' as const),
    values: fc.tuple(fc.nat(20).map(String)),
  }),
);

test('a label selector that is written and read again is the same', () => {
  fc.assert(
    fc.property(fc.array(requirements, { maxLength: 4 }), (list) => {
      const selector = new LabelSelector(list);
      expect(parseLabelSelector(selector.toString()).requirements).toEqual(selector.requirements);
    }),
  );
});

test('a label selector matches what all of its requirements match alone', () => {
  const labels = fc.dictionary(fc.constantFrom('aa', 'bb', 'cc'), fc.constantFrom('', 'xx', '7', '13'));
  const small = requirements.map((one) => ({ ...one, key: ['aa', 'bb', 'cc'][one.key.length % 3] ?? 'aa' }));
  fc.assert(
    fc.property(fc.array(small, { maxLength: 4 }), labels, (list, object) => {
      const alone = list.every((one) => new LabelSelector([one]).matches(object));
      expect(new LabelSelector(list).matches(object)).toBe(alone);
    }),
  );
});

test('whatever its text, a label selector is read or refused', () => {
  const soup = fc
    .array(fc.constantFrom('a', ' ', 'in', 'notin', '(', ')', ',', '!', '=', '>', '<', '/', '\0', '-'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(soup, (text) => {
      try {
        expect(typeof parseLabelSelector(text).toString()).toBe('string');
      } catch (error) {
        expect(error).toMatchObject({ name: 'SelectorError' });
      }
    }),
  );
});
