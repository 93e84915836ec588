import { parseDuration } from '../../../mockserver/ground/go-duration.js';
import { parseInt64 } from '../../../mockserver/ground/go-number.js';
import { fieldErrorText, invalid } from '../../../mockserver/ground/field-error.js';
import { goQuote } from '../../../mockserver/ground/revision.js';

// Texts seen on kube-apiserver 1.36.3, as ?timeout= and ?limit=.
describe('a duration', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['1s', 1_000_000_000n],
    ['+1s', 1_000_000_000n],
    ['-1s', -1_000_000_000n],
    ['1h2m', 3_720_000_000_000n],
    ['.5s', 500_000_000n],
    ['1.s', 1_000_000_000n],
    ['1µs', 1_000n],
    ['1μs', 1_000n],
    ['9223372036854775807ns', 9223372036854775807n],
    ['-9223372036854775808ns', -9223372036854775808n],
  ])('%s is read', (text, nanoseconds) => {
    expect(parseDuration(text)).toEqual({ ok: true, nanoseconds });
  });

  test.each([
    ['', 'time: invalid duration ""'],
    ['abc', 'time: invalid duration "abc"'],
    ['-', 'time: invalid duration "-"'],
    ['.s', 'time: invalid duration ".s"'],
    ['1', 'time: missing unit in duration "1"'],
    ['1s1', 'time: missing unit in duration "1s1"'],
    ['1..s', 'time: missing unit in duration "1..s"'],
    ['1x', 'time: unknown unit "x" in duration "1x"'],
    ['1e3s', 'time: unknown unit "e" in duration "1e3s"'],
    ['1s ', 'time: unknown unit "s " in duration "1s "'],
    ['1"', 'time: unknown unit "\\"" in duration "1\\""'],
    ['1é', 'time: unknown unit "\\xc3\\xa9" in duration "1\\xc3\\xa9"'],
    ['\0', 'time: invalid duration "\\x00"'],
    ['99999999999h', 'time: invalid duration "99999999999h"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
  ])('%j is refused in the words of Go', (text, error) => {
    expect(parseDuration(text)).toEqual({ ok: false, error });
  });
});

describe('an integer', () => {
  test.each([
    ['0', 0n],
    ['+1', 1n],
    ['-01', -1n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
  ])('%s is read', (text, value) => {
    expect(parseInt64(text)).toEqual({ ok: true, value });
  });

  test.each([
    ['', 'invalid syntax'],
    ['abc', 'invalid syntax'],
    [' 1', 'invalid syntax'],
    ['1_0', 'invalid syntax'],
    ['1.0', 'invalid syntax'],
    ['0x1', 'invalid syntax'],
    ['9223372036854775808', 'value out of range'],
    ['-9223372036854775809', 'value out of range'],
  ])('%j is refused in the words of Go', (text, why) => {
    expect(parseInt64(text)).toEqual({
      ok: false,
      error: `strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`,
    });
  });
});

describe('a quoted text', () => {
  test('shows what is printable and escapes the rest', () => {
    expect(goQuote('a\u0000é\u2028😀\u00a0"<\\')).toBe('"a\\x00é\\u2028😀\\u00a0\\"<\\\\"');
    expect(goQuote('\u{e0001}')).toBe('"\\U000e0001"');
  });

  test('stands in field errors', () => {
    expect(fieldErrorText(invalid('f', 'a<b\n', 'no'))).toBe('Invalid value: "a<b\\n": no');
  });
});
