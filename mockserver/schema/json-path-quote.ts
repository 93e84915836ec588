/** Quoted texts in JSONPath: Go's string literals, in single quotes as well. */

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};
const NUMERIC = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/;

/**
 * The text within quotes.
 *
 * Errors: undefined for what is no literal. Source: client-go util/jsonpath/parser.go, UnquoteExtend; Go strconv.UnquoteChar.
 */
export function unquote(literal: string): string | undefined {
  const quote = literal[0];
  if (literal.length < 2 || quote !== literal.at(-1)) return undefined;
  const body = literal.slice(1, -1);
  if (!body.includes('\\') && !body.includes(quote ?? '')) return body;
  let text = '';
  for (let at = 0; at < body.length; at++) {
    const char = body[at] ?? '';
    if (char === quote) return undefined;
    if (char !== '\\') {
      text += char;
      continue;
    }
    at++;
    const escape = body[at] ?? '';
    const simple = Object.hasOwn(SIMPLE, escape) ? SIMPLE[escape] : undefined;
    if (simple !== undefined) {
      text += simple;
      continue;
    }
    if (escape === quote) {
      text += escape;
      continue;
    }
    const numeric = NUMERIC.exec(body.slice(at));
    if (numeric === null) return undefined;
    const [whole, hex, short, long, octal] = numeric;
    const code = octal === undefined ? parseInt(hex ?? short ?? long ?? '', 16) : parseInt(octal, 8);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
    text += String.fromCodePoint(code);
    at += whole.length - 1;
  }
  return text;
}
