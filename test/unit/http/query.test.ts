import { firstValue, parseQuery } from '../../../mockserver/http/query.js';

test.each([
  ['the first of a repeated parameter', 'limit=1&limit=abc', 'limit', '1'],
  ['blank as plus', 's=a+in+(b)', 's', 'a in (b)'],
  ['escaped plus', 's=a%2Bb', 's', 'a+b'],
  ['empty value', 'limit=', 'limit', ''],
  ['no value', 'watch', 'watch', ''],
  ['equals sign within', 's=a=b', 's', 'a=b'],
  ['pair with a semicolon', 'x=2;limit=1', 'x', undefined],
  ['pair with a wrong escape', 'limit=%zz', 'limit', undefined],
  ['wrong escape in the name', '%zz=1&limit=2', 'limit', '2'],
  ['empty pairs', '&a=b&&', 'a', 'b'],
  ['other case', 'Limit=1', 'limit', undefined],
  ['name like a property of objects', '__proto__=1', '__proto__', '1'],
  ['fragment', 'a=b#f', 'a', 'b#f'],
])('%s', (_name, query, parameter, expected) => {
  expect(firstValue(parseQuery(query), parameter)).toBe(expected);
});

test('all values of a parameter are kept in order', () => {
  expect(parseQuery('dryRun=All&x=1&dryRun=b').get('dryRun')).toEqual(['All', 'b']);
});
