/** How a text is written in YAML: plain, quoted or as a block, and with which escapes. */
import { type Dialect } from './yaml-dialect.js';

/** Where a value stands. */
export type Place = 'root' | 'item' | 'key' | 'value';

/** `literal`: a block of lines as they are. */
export type Style = 'plain' | 'single' | 'double' | 'literal';

/** Source: yaml.v2 encode.go stringv, then emitterc.go analyze_scalar and select_scalar_style. */
export function styleOf(text: string, place: Place, { isText, tabsInBlocks }: Dialect): Style {
  const { plain, single, block } = allowedStyles(text, tabsInBlocks);
  const orQuoted = (): Style => (single ? 'single' : 'double');
  if (text.includes('\n')) return block && place !== 'key' ? 'literal' : 'double';
  if (!isText(text)) return 'double';
  if (place === 'key' && isMultiline(text)) return 'double';
  return plain ? 'plain' : orQuoted();
}

const BREAK = /[\r\n\u0085\u2028\u2029]/;
const SPACE_BREAK = / [\r\n\u0085\u2028\u2029]/;
const BREAK_SPACE = /[\r\n\u0085\u2028\u2029] /;
const COMMENT = /[ \t\r\n\u0085\u2028\u2029\0]#/;

/** Whether a text holds a line break, as YAML knows them. */
export const isMultiline = (text: string): boolean => BREAK.test(text);

const isSpecial = (text: string): boolean => !Array.from(text).every(isPrintable) || SPACE_BREAK.test(text);

function allowedStyles(
  text: string,
  tabsInBlocks: boolean,
): { plain: boolean; single: boolean; block: boolean } {
  if (text === '') return { plain: true, single: true, block: false };
  const special = isSpecial(text);
  const indicators =
    /^(?:---|\.\.\.)/.test(text) ||
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^[?:-](?:$|[ \t])/.test(text) ||
    /:(?:$|[ \t])/.test(text) ||
    COMMENT.test(text);
  return {
    plain: !special && !indicators && !isMultiline(text) && !text.startsWith(' ') && !text.endsWith(' '),
    single: !special && !BREAK_SPACE.test(text),
    block: !(tabsInBlocks ? isSpecial(text.replaceAll('\t', '')) : special) && !text.endsWith(' '),
  };
}

/** The same of one character, where there is one. */
export const isBreak = (char: string | undefined): boolean => char !== undefined && BREAK.test(char);

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function isPrintable(char: string): boolean {
  return /^[\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/.test(char);
}

/** What stands for a character between double quotes. Shape: undefined for one that stands for itself. */
export function escapeOf(char: string): string | undefined {
  const short = SHORT_ESCAPES[char];
  if (short !== undefined) return short;
  return isPrintable(char) ? undefined : hexEscape(char);
}

/** A character by its number. */
export function hexEscape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
