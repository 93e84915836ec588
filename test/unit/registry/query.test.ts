import {
  allValues,
  booleanValue,
  firstValue,
  integerValue,
  parseQuery,
} from '../../../mockserver/registry/query.js';
import { LONGEST_REQUEST_MS, requestTimeoutMs } from '../../../mockserver/registry/request-timeout.js';
import { refusal } from '../refusal.js';

describe('a query is read', () => {
  test.each([
    ['nothing', '', {}],
    ['pairs', 'a=1&b=2', { a: ['1'], b: ['2'] }],
    ['names without a value', 'a&b=', { a: [''], b: [''] }],
    ['repeated names in order', 'a=2&a=1', { a: ['2', '1'] }],
    ['empty pairs', '&&a=1&', { a: ['1'] }],
    ['further equal signs', 'a==b=c', { a: ['=b=c'] }],
    ['an empty name', '=x', { '': ['x'] }],
    ['blanks of both forms', 'a=x+y%20z%2B', { a: ['x y z+'] }],
    ['escaped names', '%6cimit=1', { limit: ['1'] }],
    ['UTF-8', 'a=%C3%A9', { a: ['é'] }],
    ['bytes as Node shows them', 'a=\u00c3\u00a9', { a: ['é'] }],
    ['texts beyond latin1', 'a=\u20ac%20', { a: ['€ '] }],
    ['names of Object.prototype', '__proto__=1&toString=2', { ['__proto__']: ['1'], toString: ['2'] }],
    ['without pairs that hold a semicolon', 'x=2;limit=1&a=1', { a: ['1'] }],
    ['without pairs with a bad escape', 'limit=%zz&%=1&b=%4&a=1', { a: ['1'] }],
  ])('%s', (_name, text, expected) => {
    expect([...parseQuery(text)]).toEqual(Object.entries(expected));
  });
});

test('of a repeated name the first value counts', () => {
  const query = parseQuery('limit=1&limit=abc&x=0');
  expect(integerValue(query, 'limit')).toBe(1);
  expect(firstValue(query, 'limit')).toBe('1');
  expect(allValues(query, 'limit')).toEqual(['1', 'abc']);
  expect(allValues(query, 'LIMIT')).toEqual([]);
});

test.each([
  ['', undefined],
  ['b', true],
  ['b=', true],
  ['b=no', true],
  ['b=00', true],
  ['b=0', false],
  ['b=FALSE', false],
])('the boolean of %j is %s', (text, value) => {
  expect(booleanValue(parseQuery(text), 'b')).toBe(value);
});

test('an integer that is none is a 400 in the words of Go', () => {
  expect(refusal(() => integerValue(parseQuery('limit'), 'limit'))).toMatchObject({
    code: 400,
    message: 'strconv.ParseInt: parsing "": invalid syntax',
  });
});

describe('the time-out of a request', () => {
  test.each([
    ['', LONGEST_REQUEST_MS],
    ['timeout=', LONGEST_REQUEST_MS],
    ['timeout=0', LONGEST_REQUEST_MS],
    ['timeout=-1s', LONGEST_REQUEST_MS],
    ['timeout=1h', LONGEST_REQUEST_MS],
    ['timeout=1500ms', 1500],
    ['timeout=1%C2%B5s', 0.001],
  ])('of %j is %d ms', (text, ms) => {
    expect(requestTimeoutMs(parseQuery(text))).toBe(ms);
  });

  test('is a 400 when it cannot be read', () => {
    expect(refusal(() => requestTimeoutMs(parseQuery('timeout=abc')))).toMatchObject({
      code: 400,
      message: 'invalid timeout specified in the request URL - time: invalid duration "abc"',
    });
  });
});
