import { httpDate, sortableDate } from '../../../mockserver/registry/http-date.js';

test.each([
  ['the beginning', 0, 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['a leap day', Date.UTC(2028, 1, 29, 23, 59, 59), 'Tue, 29 Feb 2028 23:59:59 GMT'],
  ['with parts of a second', Date.UTC(2026, 10, 29, 18, 9, 52, 999), 'Sun, 29 Nov 2026 18:09:52 GMT'],
])('%s is written as headers have it', (_name, ms, text) => {
  expect(httpDate(ms)).toBe(text);
  expect(new Date(ms).toUTCString()).toBe(text);
});

test('a date is read back as sortable text, anything else is none', () => {
  expect(sortableDate('Sun, 29 Nov 2026 18:09:52 GMT')).toBe('2026-11-29T18:09:52Z');
  expect(sortableDate('Sun, 29 Foo 2026 18:09:52 GMT')).toBeUndefined();
  expect(sortableDate('2026-11-29T18:09:52Z')).toBeUndefined();
});
