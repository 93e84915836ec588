/** Reads JSONPath templates in the dialect of Kubernetes. */
import { type PathList, type PathNode, PathSyntaxError } from './json-path-node.js';
import { unquote } from './json-path-quote.js';

const QUOTED_KEY = /^'([^']*)'$/;
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+?)$/s;
const MAX_INT = (1n << 63n) - 1n;

/**
 * Reads a template: text with actions in braces, such as `{.spec.color}` or `{.items[?(@.a=="b")].c}`.
 *
 * Shape: one node per text and per action, in order.
 * Errors: PathSyntaxError. Source: client-go util/jsonpath/parser.go.
 */
export function parsePath(template: string): PathList {
  return new Parser(template).template();
}

/** What one action holds. */
function parseAction(text: string): PathList {
  const [first] = parsePath(`{${text}}`);
  return first?.kind === 'list' ? first.nodes : [];
}

/** `\uFFFF`-free end mark: no character is the empty text. */
const END = '';

class Parser {
  readonly #input: string;
  #at = 0;
  #from = 0;

  constructor(input: string) {
    this.#input = input;
  }

  template(): PathList {
    const root: PathNode[] = [];
    while (this.#at < this.#input.length) {
      const open = this.#input.indexOf('{', this.#at);
      this.#at = open < 0 ? this.#input.length : open;
      if (this.#at > this.#from) root.push({ kind: 'text', text: this.#taken() });
      if (open < 0) break;
      this.#at++;
      this.#taken();
      root.push({ kind: 'list', nodes: this.#action() });
    }
    return root;
  }

  #taken(): string {
    const text = this.#input.slice(this.#from, this.#at);
    this.#from = this.#at;
    return text;
  }

  /** The next character, by code points. */
  #peek(): string {
    const code = this.#input.codePointAt(this.#at);
    return code === undefined ? END : String.fromCodePoint(code);
  }

  #next(): string {
    const char = this.#peek();
    this.#at += char.length;
    return char;
  }

  #action(): PathList {
    const nodes: PathNode[] = [];
    for (;;) {
      const rest = (prefix: string): boolean => this.#input.startsWith(prefix, this.#at);
      if (rest('}')) {
        this.#at++;
        this.#taken();
        return nodes;
      }
      if (rest('[?(')) {
        nodes.push(this.#filter());
        continue;
      }
      if (rest('..')) {
        if (nodes.at(-1)?.kind === 'recursive')
          throw new PathSyntaxError('invalid multiple recursive descent');
        this.#at += 2;
        this.#taken();
        nodes.push({ kind: 'recursive' });
        if (isWordCharacter(this.#peek())) nodes.push(this.#field());
        continue;
      }
      const char = this.#next();
      if (char === END || isLineEnd(char)) throw new PathSyntaxError('unclosed action');
      if (char === ' ' || char === '@' || char === '$') this.#taken();
      else if (char === '[') nodes.push(...this.#subscript());
      else if (char === '"' || char === "'") nodes.push(this.#quoted(char));
      else if (char === '.') nodes.push(this.#field());
      else if (char === '+' || char === '-' || isDigit(char)) {
        this.#at -= char.length;
        nodes.push(this.#number());
      } else if (isWordCharacter(char)) {
        this.#at -= char.length;
        nodes.push(this.#identifier());
      } else throw new PathSyntaxError(`unrecognized character in action: ${char}`);
    }
  }

  #identifier(): PathNode {
    while (!isTerminator(this.#peek())) this.#next();
    const name = this.#taken();
    return name === 'true' || name === 'false'
      ? { kind: 'boolean', value: name === 'true' }
      : { kind: 'identifier', name };
  }

  #number(): PathNode {
    if (['+', '-'].includes(this.#peek())) this.#next();
    while (this.#peek() === '.' || isDigit(this.#peek())) this.#next();
    const text = this.#taken();
    if (/^[+-]?\d+$/.test(text)) {
      const value = BigInt(text.replace('+', ''));
      if (value <= MAX_INT && value >= -MAX_INT - 1n) return { kind: 'integer', value };
    }
    if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return { kind: 'float', value: Number(text) };
    throw new PathSyntaxError(`cannot parse number ${text}`);
  }

  /** Up to the next terminator that no backslash stands before. */
  #field(): PathNode {
    this.#taken();
    for (;;) {
      const char = this.#peek();
      if (char === '\\') {
        this.#next();
        this.#next();
      } else if (isTerminator(char)) break;
      else this.#next();
    }
    const name = this.#taken();
    return name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll('\\', '') };
  }

  #quoted(quote: string): PathNode {
    for (;;) {
      const char = this.#next();
      if (char === END || char === '\n') throw new PathSyntaxError('unterminated quoted string');
      if (char === quote && this.#input[this.#at - 2] !== '\\') break;
    }
    const source = this.#taken();
    const text = unquote(source);
    if (text === undefined) throw new PathSyntaxError(`unquote string ${source} error invalid syntax`);
    return { kind: 'text', text };
  }

  /** Ends at the first closing bracket, also when it stands within quotes. */
  #subscript(): PathList {
    for (;;) {
      const char = this.#next();
      if (char === END || char === '\n') throw new PathSyntaxError('unterminated array');
      if (char === ']') break;
    }
    const inner = this.#taken().slice(1, -1);
    const text = inner === '*' ? ':' : inner;
    const parts = text.split(',');
    if (parts.length > 1) {
      return [
        { kind: 'union', parts: parts.map((part) => parseAction(`[${part.replace(/^ +| +$/g, '')}]`)) },
      ];
    }
    const key = QUOTED_KEY.exec(text)?.[1];
    return key === undefined ? [sliceOf(text)] : parseAction(`.${key}`);
  }

  #filter(): PathNode {
    this.#at += 3;
    this.#taken();
    let quote: string | undefined;
    let closed = false;
    for (;;) {
      const char = this.#next();
      if (char === END || char === '\n') throw new PathSyntaxError('unterminated filter');
      if (char === '"' || char === "'") {
        if (quote === undefined) quote = char;
        else if (char === quote && this.#input[this.#at - 2] !== '\\') closed = true;
      } else if (char === ')' && (quote !== undefined) === closed) break;
    }
    if (this.#next() !== ']') throw new PathSyntaxError('unclosed array expect ]');
    const text = this.#taken().slice(0, -2);
    const [, left, operator, right] = COMPARISON.exec(text) ?? [];
    if (left === undefined || operator === undefined || right === undefined) {
      return { kind: 'filter', left: parseAction(text), operator: 'exists', right: [] };
    }
    return { kind: 'filter', left: parseAction(left), operator, right: parseAction(right) };
  }
}

function sliceOf(text: string): PathNode {
  const parts = SLICE.exec(text);
  if (parts === null) throw new PathSyntaxError(`invalid array index ${text}`);
  const [, first = '', second, third] = parts;
  const start = indexOf(first);
  const step = indexOf(third?.slice(1) ?? '');
  return second === undefined
    ? { kind: 'slice', start, end: (start ?? 0) + 1, single: true, step }
    : { kind: 'slice', start, end: indexOf(second.slice(1)), single: false, step };
}

function indexOf(text: string): number | undefined {
  if (text === '') return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new PathSyntaxError(`array index ${text} is not a number`);
  return value;
}

const isDigit = (char: string): boolean => /^\p{Nd}$/u.test(char);
const isLineEnd = (char: string): boolean => char === '\r' || char === '\n';
const isWordCharacter = (char: string): boolean => /^[_\p{L}\p{Nd}]$/u.test(char);
const isTerminator = (char: string): boolean => char === END || ' \t\r\n.,[]$@{}'.includes(char);
