/**
 * A JSON text with its scalars as they were written.
 *
 * A server compares the value of a `test` operation with an object's JSON by text: `1.0` is not `1`, `"\u0061"` is not
 * `"a"`, and `"<"` is not what an object with a `<` is written as.
 */
import { type JsonValue, isJsonArray, isJsonObject, member } from '../ground/json.js';
import { writeJson } from '../ground/json-write.js';

export type JsonLiteral =
  | { readonly kind: 'scalar'; readonly text: string }
  | { readonly kind: 'array'; readonly items: readonly JsonLiteral[] }
  /** Of a member given twice, the last. */
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, JsonLiteral> };

/** @param text well-formed JSON: nothing is checked here */
export function readLiteral(text: string): JsonLiteral {
  return new LiteralReader(text).value();
}

const SCALAR = /"(?:[^"\\]|\\.)*"|[^\s,:[\]{}"]+/sy;
const BLANKS = /\s*/y;

class LiteralReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): JsonLiteral {
    const first = this.#peek();
    if (first === '[') return { kind: 'array', items: this.#list(']', () => this.value()) };
    if (first !== '{') return { kind: 'scalar', text: this.#match(SCALAR) };
    const entries = this.#list('}', (): [string, JsonLiteral] => {
      this.#peek();
      const name = String(JSON.parse(this.#match(SCALAR)));
      this.#peek();
      this.#at++; // the colon
      return [name, this.value()];
    });
    return { kind: 'object', members: new Map(entries) };
  }

  #list<T>(end: string, item: () => T): T[] {
    const items: T[] = [];
    this.#at++; // the opening bracket
    while (this.#peek() !== end) {
      items.push(item());
      if (this.#peek() === ',') this.#at++;
    }
    this.#at++;
    return items;
  }

  /** The next character that is no blank; stays before it. */
  #peek(): string {
    this.#match(BLANKS);
    return this.#text.charAt(this.#at);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw new SyntaxError(`not JSON at ${this.#at}`);
    this.#at += found.length;
    return found;
  }
}

/** Whether `value` is written as `literal` says, whatever the order of members. */
export function isWrittenAs(value: JsonValue, literal: JsonLiteral): boolean {
  switch (literal.kind) {
    case 'scalar':
      return !isJsonArray(value) && !isJsonObject(value) && writeJson(value) === literal.text;
    case 'array':
      return (
        isJsonArray(value) &&
        value.length === literal.items.length &&
        literal.items.every((item, i) => isWrittenAs(value[i] ?? null, item))
      );
    case 'object':
      return (
        isJsonObject(value) &&
        Object.keys(value).length === literal.members.size &&
        [...literal.members].every(([name, one]) => {
          const actual = member(value, name);
          return actual !== undefined && isWrittenAs(actual, one);
        })
      );
  }
}
