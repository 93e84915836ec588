/** Go's words for what is not JSON. Recorded from encoding/json of Go 1.26, which kube-apiserver 1.36.3 uses. */
import { jsonSyntaxError, MAX_DEPTH } from '../../../mockserver/ground/json-syntax.js';

const errorOf = (text: string): string | undefined => jsonSyntaxError(Buffer.from(text));

const CUT_OFF = 'unexpected end of JSON input';

test.each([
  ['nothing', '', CUT_OFF],
  ['blanks only', ' \n ', CUT_OFF],
  ['an object without end', '{"a":1', CUT_OFF],
  ['an array without end', '[1,', CUT_OFF],
  ['a string without end', '{"a":"x', CUT_OFF],
  ['a name without value', '{"a"', CUT_OFF],
  ['an escape cut off', '"\\', "invalid character ' ' in string escape code"],
  ['a literal cut off', 'nul', "invalid character ' ' in literal null (expecting 'l')"],
  ['a sign alone', '-', "invalid character ' ' in numeric literal"],
  ['an exponent cut off', '1e', "invalid character ' ' in exponent of numeric literal"],
  ['NaN', '{"a":NaN}', "invalid character 'N' looking for beginning of value"],
  ['Infinity', '{"a":Infinity}', "invalid character 'I' looking for beginning of value"],
  ['a plus sign', '{"a":+1}', "invalid character '+' looking for beginning of value"],
  ['a point first', '{"a":.5}', "invalid character '.' looking for beginning of value"],
  ['a comment', '{"a":/*x*/1}', "invalid character '/' looking for beginning of value"],
  ['a leading zero', '{"a":01}', "invalid character '1' after object key:value pair"],
  ['hexadecimal', '{"a":0x1}', "invalid character 'x' after object key:value pair"],
  ['a minus sign without digits', '{"a":-}', "invalid character '}' in numeric literal"],
  ['a point last', '{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
  ['an exponent without digits', '{"a":1e}', "invalid character '}' in exponent of numeric literal"],
  ['a trailing comma', '{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['single quotes', "{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
  ['trailing text', '{} x', "invalid character 'x' after top-level value"],
  ['a second document', '{}{}', "invalid character '{' after top-level value"],
  ['a trailing NUL', '{}\0', "invalid character '\\x00' after top-level value"],
  ['a raw tab in a string', '{"a":"\t"}', "invalid character '\\t' in string literal"],
  ['a raw newline in a string', '{"a":"\n"}', "invalid character '\\n' in string literal"],
  ['an unknown escape', '{"a":"\\x"}', "invalid character 'x' in string escape code"],
  ['a short \\u escape', '{"a":"\\u12"}', "invalid character '\"' in \\u hexadecimal character escape"],
  ['no colon', '{"a" 1}', "invalid character '1' after object key"],
  ['no comma in an array', '[1 2]', "invalid character '2' after array element"],
  ['the wrong bracket', '[1}', "invalid character '}' after array element"],
  ['a word', '{"a":trux}', "invalid character 'x' in literal true (expecting 'e')"],
  ['a byte order mark', '\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ['a backslash', '{"a":\\}', "invalid character '\\\\' looking for beginning of value"],
  ['DEL', '\x7f', "invalid character '\\x7f' looking for beginning of value"],
])('%s is refused', (_name, text, error) => {
  expect(errorOf(text)).toBe(error);
});

test('bytes that are not UTF-8 are shown as characters of Latin-1', () => {
  expect(jsonSyntaxError(Buffer.from('fffe7b00', 'hex'))).toBe(
    "invalid character 'ÿ' looking for beginning of value",
  );
  expect(jsonSyntaxError(Buffer.from([0x85]))).toBe(
    "invalid character '\\u0085' looking for beginning of value",
  );
  expect(jsonSyntaxError(Buffer.from([0x22, 0xff, 0x22]))).toBeUndefined();
});

test.each(['{}', ' [ ] ', '\r\n\tnull', '-0.0e+1', '"\\u00e9\\/"', '{"a":[{},[],"",1,true,false,null]}'])(
  '%j is well-formed',
  (text) => {
    expect(errorOf(text)).toBeUndefined();
  },
);

test.each([
  ['{"a":', '1', '}', '{'],
  ['[', '', ']', '['],
])('%j nests up to 10,000 levels', (open, middle, close, named) => {
  const nested = (levels: number): string => open.repeat(levels) + middle + close.repeat(levels);
  expect(errorOf(nested(MAX_DEPTH))).toBeUndefined();
  expect(errorOf(nested(MAX_DEPTH + 1))).toBe(`invalid character '${named}' exceeded max depth`);
});
