/** Writes YAML as Go's packages do: yaml.v2 for what a server answers to `Accept: application/yaml`, yaml.v3 inside of OpenAPI. */
import { type JsonArray, type JsonObject, type JsonValue, Float, isJsonArray, isJsonObject } from './json.js';
import { writeJson } from './json-write.js';
import { bareError } from './status.js';
import { goFloat, nodeReadsAsText, readsAsText } from './yaml-scalar.js';

/**
 * One value as a YAML document, ending in a newline. Names are sorted as people sort them (`a2` before `a10`), lists stand at the
 * indentation of their names, texts of several lines are literal blocks, and lines are folded behind column 80.
 * Errors: StatusError 500 for a text with a control character beyond ASCII's first 32, as a real server answers: it reads its
 * own JSON as YAML on the way.
 * Source: go.yaml.in/yaml/v2 encode.go, sorter.go and emitterc.go (libyaml's rules).
 */
export function writeYaml(value: JsonValue): string {
  return written(value, VERSION_2);
}

/**
 * One value as yaml.v3 writes a tree that it has read from JSON: names in their order, lists indented by four, no line folded,
 * numbers as JSON has them. Source: go.yaml.in/yaml/v3 encode.go, node; emitterc.go.
 */
export function writeYamlNode(value: JsonValue): string {
  return written(value, VERSION_3);
}

function written(value: JsonValue, dialect: Dialect): string {
  const emitter = new Emitter(dialect);
  const namesOf = (map: JsonObject): readonly string[] =>
    dialect.sorted ? Object.keys(map).sort(compareNames) : Object.keys(map);
  const check = (text: string): void => {
    if (dialect.refusesControls) refuseControls(text);
  };
  const open: Level[] = [];
  const begin = (one: JsonValue, indent: number, place: Place): void => {
    if (isJsonArray(one) && one.length > 0) {
      // In a map a list does not move to the right, unless it stands on the line of a `-` or `?`.
      const still = dialect.listsStay && place === 'value' && !emitter.indention;
      open.push({ indent: still ? Math.max(indent, 0) : deeper(dialect, indent, place), list: one, next: 0 });
    } else if (isJsonObject(one) && Object.keys(one).length > 0) {
      open.push({ indent: deeper(dialect, indent, place), map: one, names: namesOf(one), next: 0 });
    } else {
      if (typeof one === 'string') check(one);
      emitter.scalar(one, indent, place);
    }
  };
  begin(value, -1, 'root');
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    if ('list' in level) {
      const item = level.list[level.next++];
      if (item === undefined) open.pop();
      else {
        emitter.newline(level.indent);
        emitter.indicator('-', { spaceBefore: true, indention: true });
        begin(item, level.indent, 'item');
      }
      continue;
    }
    const name = level.names[level.next++];
    if (name === undefined) {
      open.pop();
      continue;
    }
    check(name);
    emitter.key(name, level.indent);
    begin(level.map[name] ?? null, level.indent, 'value');
  }
  emitter.newline(0);
  return emitter.text();
}

function refuseControls(text: string): void {
  if (/[\x7f-\x84\x86-\x9f\ufffe\uffff]/.test(text)) {
    throw bareError(500, 'yaml: control characters are not allowed');
  }
}

type Level =
  | { readonly indent: number; readonly list: JsonArray; next: number }
  | { readonly indent: number; readonly map: JsonObject; readonly names: readonly string[]; next: number };

type Place = 'root' | 'item' | 'key' | 'value';

/** What the versions of the package do differently. */
interface Dialect {
  readonly indent: number;
  /** Lines are folded behind this column. */
  readonly width: number;
  readonly sorted: boolean;
  /** A list in a map stands at the indentation of its name. */
  readonly listsStay: boolean;
  readonly refusesControls: boolean;
  /** A text with a tab may be a literal block. */
  readonly tabsInBlocks: boolean;
  /** Whether a text without quotes is read back as a text. */
  readonly isText: (text: string) => boolean;
  readonly number: (value: number | bigint | Float) => string;
}

const VERSION_2: Dialect = {
  indent: 2,
  width: 80,
  sorted: true,
  listsStay: true,
  refusesControls: true,
  tabsInBlocks: false,
  isText: readsAsText,
  number: showNumber,
};

const VERSION_3: Dialect = {
  indent: 4,
  width: Infinity,
  sorted: false,
  listsStay: false,
  refusesControls: false,
  tabsInBlocks: true,
  isText: nodeReadsAsText,
  number: writeJson,
};

const LONGEST_SIMPLE_KEY = 128;

/** Within an item the width of `- ` is enough. */
function deeper({ indent: step }: Dialect, indent: number, place: Place): number {
  if (indent < 0) return 0;
  return place === 'item' ? indent + 2 : step * Math.floor((indent + step) / step);
}

const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;

/** Whether runs of digits compare as numbers and letters come after anything else. Source: yaml.v2 sorter.go. */
function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  return isLess(Array.from(a), Array.from(b)) ? -1 : 1;
}

function isLess(a: readonly string[], b: readonly string[]): boolean {
  const point = (chars: readonly string[], at: number): number => chars[at]?.codePointAt(0) ?? 0;
  const isDigitAt = (chars: readonly string[], at: number): boolean => DIGIT.test(chars[at] ?? '');
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] === b[i]) continue;
    const [letterA, letterB] = [LETTER.test(a[i] ?? ''), LETTER.test(b[i] ?? '')];
    if (letterA && letterB) return point(a, i) < point(b, i);
    if (letterA || letterB) return letterB;
    let [numberA, numberB] = [0n, 0n];
    if (a[i] === '0' || b[i] === '0') {
      for (let j = i - 1; j >= 0 && isDigitAt(a, j); j--) {
        if (a[j] !== '0') {
          numberA = numberB = 1n;
          break;
        }
      }
    }
    let endA = i;
    for (; endA < a.length && isDigitAt(a, endA); endA++)
      numberA = int64(numberA * 10n + BigInt(point(a, endA) - 48));
    let endB = i;
    for (; endB < b.length && isDigitAt(b, endB); endB++)
      numberB = int64(numberB * 10n + BigInt(point(b, endB) - 48));
    if (numberA !== numberB) return numberA < numberB;
    if (endA !== endB) return endA < endB;
    return point(a, i) < point(b, i);
  }
  return a.length < b.length;
}

/** Long runs of digits overflow as Go's do. */
const int64 = (value: bigint): bigint => BigInt.asIntN(64, value);

type Style = 'plain' | 'single' | 'double' | 'literal';

interface IndicatorOptions {
  readonly spaceBefore?: boolean;
  readonly blank?: boolean;
  readonly indention?: boolean;
}

/** Characters out, with what libyaml's emitter remembers of the line. */
class Emitter {
  /** Only indentation and indicators stand on this line so far. */
  indention = true;
  #whitespace = true;
  #column = 0;
  readonly #parts: string[] = [];
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  text(): string {
    return this.#parts.join('');
  }

  /** Begins a line at `indent`, unless the line is there already. */
  newline(indent: number): void {
    const at = Math.max(indent, 0);
    if (!this.indention || this.#column > at || (this.#column === at && !this.#whitespace)) this.#break();
    if (this.#column < at) this.#put(' '.repeat(at - this.#column));
    this.#whitespace = true;
    this.indention = true;
  }

  indicator(text: string, { spaceBefore = false, blank = false, indention = false }: IndicatorOptions): void {
    if (spaceBefore && !this.#whitespace) this.#put(' ');
    this.#put(text);
    this.#whitespace = blank;
    this.indention &&= indention;
  }

  /** A name and its colon; one that is long or has several lines gets a `?` and a line of its own. */
  key(name: string, indent: number): void {
    this.newline(indent);
    if (!/[\r\n\u0085\u2028\u2029]/.test(name) && Buffer.byteLength(name) <= LONGEST_SIMPLE_KEY) {
      this.scalar(name, indent, 'key');
      this.indicator(':', {});
      return;
    }
    this.indicator('?', { spaceBefore: true, indention: true });
    this.scalar(name, indent, 'value');
    this.newline(indent);
    this.indicator(':', { spaceBefore: true, indention: true });
  }

  /** A scalar or an empty collection. */
  scalar(value: JsonValue, indent: number, place: Place): void {
    if (typeof value === 'object' && value !== null && !(value instanceof Float)) {
      this.indicator(isJsonArray(value) ? '[' : '{', { spaceBefore: true, blank: true });
      this.indicator(isJsonArray(value) ? ']' : '}', {});
      return;
    }
    if (typeof value !== 'string') {
      const isNumber = value !== null && typeof value !== 'boolean';
      this.#plain(isNumber ? this.#dialect.number(value) : String(value), false, 0);
      return;
    }
    const inner = indent < 0 ? this.#dialect.indent : deeper(this.#dialect, indent, place);
    const folds = place !== 'key';
    switch (styleOf(value, place, this.#dialect)) {
      case 'plain': {
        this.#plain(value, folds, inner);
        return;
      }
      case 'single': {
        this.#single(value, folds, inner);
        return;
      }
      case 'double': {
        this.#double(value, folds, inner);
        return;
      }
      case 'literal': {
        this.#literal(value, inner);
        return;
      }
    }
  }

  #put(text: string): void {
    this.#parts.push(text);
    this.#column += text.length;
  }

  /** One character, which counts as one column. */
  #char(char: string): void {
    this.#parts.push(char);
    this.#column++;
  }

  #break(): void {
    this.#parts.push('\n');
    this.#column = 0;
  }

  #plain(text: string, folds: boolean, indent: number): void {
    if (!this.#whitespace) this.#put(' ');
    this.#words(text, folds, indent, false);
    this.#whitespace = false;
    this.indention = false;
  }

  #single(text: string, folds: boolean, indent: number): void {
    this.indicator("'", { spaceBefore: true });
    this.#words(text, folds, indent, true);
    this.indicator("'", {});
  }

  /** The line breaks here are the rare ones: a text with a newline is literal or double quoted. */
  #words(text: string, folds: boolean, indent: number, quoted: boolean): void {
    const chars = Array.from(text);
    let spaces = false;
    let breaks = false;
    chars.forEach((char, at) => {
      if (char === ' ') {
        const inside = !quoted || (at > 0 && at < chars.length - 1);
        if (folds && !spaces && this.#column > this.#dialect.width && inside && chars[at + 1] !== ' ')
          this.newline(indent);
        else this.#char(char);
        spaces = true;
        return;
      }
      if (isBreak(char)) {
        this.#rareBreak(char);
        breaks = true;
        return;
      }
      if (breaks) this.newline(indent);
      if (quoted && char === "'") this.#char("'");
      this.#char(char);
      this.indention = false;
      spaces = false;
      breaks = false;
    });
  }

  /** A break that stays the character it is. */
  #rareBreak(char: string): void {
    this.#parts.push(char);
    this.#column = 0;
    this.indention = true;
  }

  #double(text: string, folds: boolean, indent: number): void {
    this.indicator('"', { spaceBefore: true });
    const chars = Array.from(text);
    let spaces = false;
    chars.forEach((char, at) => {
      // libyaml asks whether the text begins with a byte order mark, and escapes every character then.
      const escape = chars[0] === '\ufeff' ? (escapeOf(char) ?? hexEscape(char)) : escapeOf(char);
      if (escape !== undefined || char !== ' ') {
        this.#put(escape ?? '');
        if (escape === undefined) this.#char(char);
        spaces = false;
      } else {
        if (folds && !spaces && this.#column > this.#dialect.width && at > 0 && at < chars.length - 1) {
          this.newline(indent);
          if (chars[at + 1] === ' ') this.#put('\\');
        } else this.#char(char);
        spaces = true;
      }
    });
    this.indicator('"', {});
  }

  #literal(text: string, indent: number): void {
    const hint = /^[ \n\r\u0085\u2028\u2029]/.test(text) ? String(this.#dialect.indent) : '';
    const chomp = !isBreak(text.at(-1)) ? '-' : text.length === 1 || isBreak(text.at(-2)) ? '+' : '';
    this.indicator('|', { spaceBefore: true });
    this.#put(hint + chomp);
    this.#break();
    this.indention = true;
    this.#whitespace = true;
    let breaks = true;
    for (const char of text) {
      if (char === '\n') {
        this.#break();
        this.indention = true;
        breaks = true;
      } else if (isBreak(char)) {
        this.#rareBreak(char);
        breaks = true;
      } else {
        if (breaks) this.newline(indent);
        this.#char(char);
        this.indention = false;
        breaks = false;
      }
    }
  }
}

const isBreak = (char: string | undefined): boolean =>
  char !== undefined && /[\r\n\u0085\u2028\u2029]/.test(char);

function showNumber(value: number | bigint | Float): string {
  const number = value instanceof Float ? value.value : value;
  if (typeof number !== 'number') return String(number);
  // A float is told by its JSON text: `1.0` is written `1` there, and read back as an integer.
  return Number.isInteger(number) && Math.abs(number) < 2 ** 63
    ? BigInt(number).toString()
    : floatText(number);
}

function floatText(number: number): string {
  return Number.isInteger(number) && number > 0 && number < 2 ** 64
    ? JSON.stringify(number)
    : goFloat(number);
}

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

function escapeOf(char: string): string | undefined {
  const short = SHORT_ESCAPES[char];
  if (short !== undefined) return short;
  return isPrintable(char) ? undefined : hexEscape(char);
}

function hexEscape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Source: yaml.v2 encode.go stringv, then emitterc.go analyze_scalar and select_scalar_style. */
function styleOf(text: string, place: Place, { isText, tabsInBlocks }: Dialect): Style {
  const { plain, single, block } = allowedStyles(text, tabsInBlocks);
  const orQuoted = (): Style => (single ? 'single' : 'double');
  if (text.includes('\n')) return block && place !== 'key' ? 'literal' : 'double';
  if (!isText(text)) return 'double';
  if (place === 'key' && isMultiline(text)) return 'double';
  return plain ? 'plain' : orQuoted();
}

const isMultiline = (text: string): boolean => /[\r\n\u0085\u2028\u2029]/.test(text);

function allowedStyles(
  text: string,
  tabsInBlocks: boolean,
): { plain: boolean; single: boolean; block: boolean } {
  if (text === '') return { plain: true, single: true, block: false };
  const breaks = '\\r\\n\\u0085\\u2028\\u2029';
  const isSpecial = (one: string): boolean =>
    !Array.from(one).every(isPrintable) || new RegExp(` [${breaks}]`).test(one);
  const special = isSpecial(text);
  const breakSpace = new RegExp(`[${breaks}] `).test(text);
  const indicators =
    /^(?:---|\.\.\.)/.test(text) ||
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    new RegExp(`^[?:-](?:$|[ \\t])`).test(text) ||
    /:(?:$|[ \t])/.test(text) ||
    new RegExp(`[ \\t${breaks}\\0]#`).test(text);
  return {
    plain: !special && !indicators && !isMultiline(text) && !text.startsWith(' ') && !text.endsWith(' '),
    single: !special && !breakSpace,
    block: !(tabsInBlocks ? isSpecial(text.replaceAll('\t', '')) : special) && !text.endsWith(' '),
  };
}
