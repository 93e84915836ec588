/** Bytes that are no text: kept where they come from a message, replaced where they do not. */
import { writeJson } from '../../../mockserver/ground/json-write.js';
import { goQuote } from '../../../mockserver/ground/revision.js';
import { decodeKeepingBytes, decodeUtf8, encodeKeptBytes } from '../../../mockserver/ground/utf8.js';

const CASES: readonly (readonly [name: string, hex: string])[] = [
  ['one byte', '61ff62'],
  ['a character cut off', '61f09f98'],
  ['an encoded surrogate', 'eda080'],
  ['an encoded surrogate of the kept ones', 'edb280'],
  ['such bytes among characters', 'c3a4fff09f9880fe'],
];

test.each(CASES)('%s is the same after it was text', (_name, hex) => {
  expect(encodeKeptBytes(decodeKeepingBytes(Buffer.from(hex, 'hex'))).toString('hex')).toBe(hex);
});

test('text without such bytes is read alike both ways', () => {
  const bytes = Buffer.from('aä\u{1f600}\u{fffd}');
  expect(decodeKeepingBytes(bytes)).toBe(decodeUtf8(bytes));
});

test('JSON has the replacement character for each byte, escaped as Go does it', () => {
  const kept = decodeKeepingBytes(Buffer.from('61fffe5c', 'hex'));
  expect(writeJson({ [kept]: kept })).toBe('{"a\\ufffd\\ufffd\\\\":"a\\ufffd\\ufffd\\\\"}');
  expect(writeJson('\\udcff')).toBe('"\\\\udcff"');
});

test('quoted as Go quotes, each byte is hexadecimal', () => {
  expect(goQuote(decodeKeepingBytes(Buffer.from('43ff6e', 'hex')))).toBe('"C\\xffn"');
});
