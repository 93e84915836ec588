/** Characters of a YAML document out, line by line. Source: libyaml's emitter. */
import { type JsonValue, Float, isJsonArray } from './json.js';
import { type Dialect } from './yaml-dialect.js';
import { escapeOf, hexEscape, isBreak, isMultiline, type Place, styleOf } from './yaml-style.js';

const LONGEST_SIMPLE_KEY = 128;

/** Within an item the width of `- ` is enough. */
export function deeper({ indent: step }: Dialect, indent: number, place: Place): number {
  if (indent < 0) return 0;
  return place === 'item' ? indent + 2 : step * Math.floor((indent + step) / step);
}

interface IndicatorOptions {
  readonly spaceBefore?: boolean;
  readonly blank?: boolean;
  readonly indention?: boolean;
}

/** Characters out, with what libyaml's emitter remembers of the line. */
export class Emitter {
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
    if (!isMultiline(name) && Buffer.byteLength(name) <= LONGEST_SIMPLE_KEY) {
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
