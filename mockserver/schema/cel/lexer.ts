/** The words of an expression. Source: the CEL language definition, "Lexis". */
import { codePointsOf } from './code-points.js';
import { SyntaxIssue } from './issue.js';

interface Place {
  /** Offset in code points. */
  readonly at: number;
  /** As it is written. */
  readonly raw: string;
}

export type Token = Place &
  (
    | { readonly kind: 'ident' | 'symbol' | 'int' | 'uint' | 'double'; readonly text: string }
    | { readonly kind: 'string'; readonly text: string }
    | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly text: string }
    | { readonly kind: 'end'; readonly text: '' }
  );

const SPACE = /(?:[\t\n\f\r ]|\/\/[^\n]*)+/y;
const NUMBER = /(0x[0-9a-fA-F]+|[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|[0-9]+)([uU]?)/y;
const IDENT = /[_a-zA-Z][_a-zA-Z0-9]*/y;
const QUOTED =
  /([bBrR]{0,2})("""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^"\\\n\r]|\\[^])*"|'(?:[^'\\\n\r]|\\[^])*')/y;
const RAW_QUOTED = /([bB]?[rR][bB]?)("""[^]*?"""|'''[^]*?'''|"[^"\n\r]*"|'[^'\n\r]*')/y;
const SYMBOL = /==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}]/y;

/** Errors: a SyntaxIssue. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let place = 0;
  // Offsets count code points, and the text is UTF-16.
  let pairs = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = place;
    return pattern.exec(source);
  };
  for (;;) {
    place += take(SPACE)?.[0].length ?? 0;
    const at = place - pairs;
    if (place >= source.length) return [...tokens, { kind: 'end', text: '', at, raw: '' }];
    const quoted = take(RAW_QUOTED) ?? take(QUOTED);
    const number = take(NUMBER);
    const word = take(IDENT);
    const symbol = take(SYMBOL);
    const found = quoted ?? number ?? word ?? symbol;
    if (found === null) {
      const odd = String.fromCodePoint(source.codePointAt(place) ?? 0);
      throw new SyntaxIssue(at, `Syntax error: token recognition error at: '${odd}'`);
    }
    const text = found[0];
    if (quoted !== null) tokens.push(quotedToken(quoted, at));
    else if (number !== null) tokens.push(numberToken(number, at));
    else tokens.push({ kind: word === null ? 'symbol' : 'ident', text, at, raw: text });
    pairs += text.length - codePointsOf(text).length;
    place += text.length;
  }
}

function numberToken([raw, digits = '', suffix = '']: RegExpExecArray, at: number): Token {
  if (suffix !== '') return { kind: 'uint', text: digits, at, raw };
  return { kind: /^0x|^[0-9]+$/.test(digits) ? 'int' : 'double', text: digits, at, raw };
}

function quotedToken([raw, prefix = '', quoted = '']: RegExpExecArray, at: number): Token {
  const width = /^("""|''')/.test(quoted) ? 3 : 1;
  const inner = quoted.slice(width, -width).replaceAll(/\r\n?/g, '\n');
  const isBytes = /b/i.test(prefix);
  const isRaw = /r/i.test(prefix);
  const parts: (string | Buffer)[] = isRaw ? [inner] : unescaped(inner, isBytes, at);
  if (isBytes)
    return { kind: 'bytes', bytes: Buffer.concat(parts.map((one) => Buffer.from(one))), text: '', at, raw };
  return { kind: 'string', text: parts.join(''), at, raw };
}

const PLAIN: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  "'": "'",
  '\\': '\\',
  '?': '?',
  '`': '`',
};

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([^]))/gi;

function unescaped(text: string, isBytes: boolean, at: number): (string | Buffer)[] {
  const parts: (string | Buffer)[] = [];
  let from = 0;
  for (const found of text.matchAll(ESCAPE)) {
    parts.push(text.slice(from, found.index));
    from = found.index + found[0].length;
    const [, hex, short, long, octal, plain] = found;
    const digits = hex ?? short ?? long;
    const code = digits === undefined ? parseInt(octal ?? '0', 8) : parseInt(digits, 16);
    const simple = plain === undefined ? undefined : PLAIN[plain];
    if (plain !== undefined && simple === undefined) throw new SyntaxIssue(at, 'unable to unescape string');
    if (simple !== undefined) parts.push(simple);
    else if (isBytes) parts.push(Buffer.from([code]));
    else if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
      throw new SyntaxIssue(at, 'invalid unicode code point');
    } else parts.push(String.fromCodePoint(code));
  }
  return [...parts, text.slice(from)];
}
