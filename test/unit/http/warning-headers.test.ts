import { warningHeaders } from '../../../mockserver/http/warning-headers.js';

test('quotes and backslashes are escaped', () => {
  expect(warningHeaders(['unknown field "spec.a\\b"'])).toEqual(['299 - "unknown field \\"spec.a\\\\b\\""']);
});

test('equal texts are sent once, empty ones and control characters not at all', () => {
  expect(warningHeaders(['a', '', 'b', 'a', 'c\nd'])).toEqual(['299 - "a"', '299 - "b"']);
});

test('4,096 characters in all are sent as they are', () => {
  expect(warningHeaders(['a'.repeat(4000), 'é'.repeat(96)])).toEqual([
    `299 - "${'a'.repeat(4000)}"`,
    `299 - "${'é'.repeat(96)}"`,
  ]);
});

test('one more, and each is cut to 256', () => {
  expect(warningHeaders(['a'.repeat(4000), 'é'.repeat(97)])).toEqual([
    `299 - "${'a'.repeat(256)}"`,
    `299 - "${'é'.repeat(97)}"`,
  ]);
});

test('what then comes after 4,096 characters is dropped', () => {
  const texts = Array.from({ length: 30 }, (_, i) => `${i}`.padStart(300, 'x'));
  const distinct = texts.map((text, i) => `${i}-${text}`);
  expect(warningHeaders(distinct)).toHaveLength(16);
});
