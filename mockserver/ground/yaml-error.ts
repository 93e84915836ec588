/** The words of yaml.v2 for texts that are no YAML. */
import { type ParsedDocument } from './yaml-package.js';

/** Lines of a text by offset. */
export class Lines {
  readonly text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.#starts = [
      0,
      ...Array.from(text.matchAll(/\r\n|[\r\n]/g), (found) => found.index + found[0].length),
    ];
  }

  /** 1-based line of an offset. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** Whether nothing but blanks precedes the offset on its line. */
  isFirstOnLine(offset: number): boolean {
    return this.text.slice(this.#starts[this.lineAt(offset) - 1], offset).trim() === '';
  }
}

interface Problem {
  readonly line: number;
  readonly text: string;
}

/** Found while reading characters: the line is the one that an editor shows. */
const scanned = (line: number, text: string): Problem => ({ line, text });
/** Found while putting tokens together: yaml.v2 counts these lines from zero. */
const parsed = (line: number, text: string): Problem => ({ line: line - 1, text });

/**
 * `yaml: line 2: did not find expected ',' or ']'` for a document with an error, undefined for one without.
 *
 * The parser in use has other words and stops elsewhere; common mistakes are told as yaml.v2 tells them, rare ones
 * as `did not find expected key`. As there, a line that counts as zero or (while scanning) as the first is not named.
 */
export function yamlSyntaxError(document: ParsedDocument, lines: Lines): string | undefined {
  const { contents } = document;
  const version = /^(?:[ \t]*(?:#.*)?\r?\n)*%YAML[ \t]+(\S+)/.exec(lines.text)?.[1];
  if (version !== undefined && version !== '1.1') return 'yaml: found incompatible YAML document';
  const start = contents?.range[0] ?? document.range[0];
  const flow = lines.text[start] ?? '';
  const errors = document.errors.filter(
    // What follows a document that ended with its bracket is not read any more.
    (error) => !(error.message.includes('in YAML stream') && (flow === '{' || flow === '[')),
  );
  const first = errors[0];
  if (first === undefined) return undefined;
  const messages = errors.filter((error) => error.pos[0] === first.pos[0]).map((error) => error.message);
  const { line, text } = explain(messages, first.pos[0], lines, start);
  const unnamed = line === 0 || (line === 1 && SCANNER.has(text));
  return `yaml: ${unnamed ? '' : `line ${line}: `}${text}`;
}

const MAPPING_VALUES = 'mapping values are not allowed in this context';
const NO_COLON = "could not find expected ':'";
const BAD_START = 'found character that cannot start any token';
const BAD_TAB = 'found a tab character that violates indentation';
const END_IN_QUOTES = 'found unexpected end of stream';
const BAD_ESCAPE = 'found unknown escape character';
const BAD_HEX = 'did not find expected hexdecimal number';
const BAD_ENTRY = 'block sequence entries are not allowed in this context';
const BAD_NAME = 'did not find expected alphabetic or numeric character';
const BAD_HEADER = 'did not find expected comment or line break';
const SCANNER = new Set([
  MAPPING_VALUES,
  NO_COLON,
  BAD_START,
  BAD_TAB,
  END_IN_QUOTES,
  BAD_ESCAPE,
  BAD_HEX,
  BAD_ENTRY,
  BAD_HEADER,
  BAD_NAME,
]);

/** @param start offset at which the document's content begins. */
function explain(messages: readonly string[], offset: number, lines: Lines, start: number): Problem {
  const message = messages[0] ?? '';
  const has = (pattern: RegExp): boolean => messages.some((one) => pattern.test(one));
  // The end of a text without a last newline counts as the beginning of one more line.
  const line = lines.lineAt(offset) + (offset >= lines.text.length && !/[\r\n]$/.test(lines.text) ? 1 : 0);
  const rootIsList = lines.text[start] === '-';
  if (/^Flow sequence|flow sequence/i.test(message)) return parsed(line, "did not find expected ',' or ']'");
  if (/^Flow map|flow map/i.test(message)) return parsed(line, "did not find expected ',' or '}'");
  if (message.includes('within flow collections')) {
    return parsed(
      line,
      `did not find expected ',' or '${openBracket(lines.text, offset) === '[' ? ']' : '}'}'`,
    );
  }
  if (has(/block-seq-ind on same line/)) {
    return lines.isFirstOnLine(offset) ? parsed(line, 'did not find expected key') : scanned(line, BAD_ENTRY);
  }
  if (message.includes('Nested mappings')) return scanned(lineOfColon(lines, offset), MAPPING_VALUES);
  if (has(/single line|need to be followed by map values/)) {
    const isFirst = lines.text.slice(start, offset).trim() === '';
    return scanned(lineOfColon(lines, offset), isFirst ? MAPPING_VALUES : NO_COLON);
  }
  if (message.startsWith('Tabs')) {
    const afterPlain = /[^\s:,[\]{}\-?][ \t]*\r?\n[ \t]*$/.test(lines.text.slice(0, offset));
    return scanned(line, afterPlain ? BAD_TAB : BAD_START);
  }
  if (message.includes('cannot start with')) return scanned(line, BAD_START);
  if (/Missing closing ["']quote/.test(message)) return scanned(line, END_IN_QUOTES);
  if (message.startsWith('Invalid escape'))
    return scanned(line, /\\[xuU]/.test(message) ? BAD_HEX : BAD_ESCAPE);
  if (message.includes('cannot be an empty string')) return scanned(line, BAD_NAME);
  if (message.startsWith('Block scalar header')) return scanned(line, BAD_HEADER);
  if (message.startsWith('All sequence items') || (rootIsList && message.startsWith('Unexpected scalar'))) {
    return parsed(line, "did not find expected '-' indicator");
  }
  return parsed(line, 'did not find expected key');
}

/** The line of the next `:` that ends a key, else the one behind the text. */
function lineOfColon(lines: Lines, from: number): number {
  const found = /:(?=\s|$)/.exec(lines.text.slice(from));
  return lines.lineAt(found === null ? lines.text.length : from + found.index);
}

function openBracket(text: string, offset: number): string | undefined {
  const open: string[] = [];
  for (const char of text.slice(0, offset)) {
    if (char === '[' || char === '{') open.push(char);
    else if (char === ']' || char === '}') open.pop();
  }
  return open.at(-1);
}
