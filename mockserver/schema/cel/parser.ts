/** From text to tree. Source: the CEL language definition, "Syntax" and "Macros"; cel-go parser. */
import { type Expr, type MacroName } from './ast.js';
import { beginsOperand, END, expectedText, OPERAND, shownToken } from './expected-tokens.js';
import { NOWHERE, SyntaxIssue } from './issue.js';
import { type Token, tokensOf } from './lexer.js';
import { Bytes, Uint } from './values.js';

const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(
    ' ',
  ),
);
const RELATIONS: ReadonlySet<string> = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);
const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;
/** Of nested expressions, and of operators and members that stand inside each other. Source: cel-go parser/options.go. */
const MAX_DEPTH = 250;

/** Number of variables and of arguments after them; a name may have several. */
const MACROS: readonly (readonly [called: string, name: MacroName, variables: number, args: number])[] = [
  ['all', 'all', 1, 1],
  ['exists', 'exists', 1, 1],
  ['exists_one', 'existsOne', 1, 1],
  ['existsOne', 'existsOne', 1, 1],
  ['filter', 'filter', 1, 1],
  ['map', 'map', 1, 1],
  ['map', 'map', 1, 2],
  ['all', 'all', 2, 1],
  ['exists', 'exists', 2, 1],
  ['exists_one', 'existsOne', 2, 1],
  ['existsOne', 'existsOne', 2, 1],
  ['transformList', 'transformList', 2, 1],
  ['transformList', 'transformList', 2, 2],
  ['transformMap', 'transformMap', 2, 1],
  ['transformMap', 'transformMap', 2, 2],
  ['transformMapEntry', 'transformMapEntry', 2, 1],
  ['transformMapEntry', 'transformMapEntry', 2, 2],
  ['sortBy', 'sortBy', 1, 1],
  ['optMap', 'optMap', 1, 1],
  ['optFlatMap', 'optFlatMap', 1, 1],
];

/** Reserved words that no member can be called by either. */
const WORDS_OF_THEIR_OWN = /^(?:true|false|null|in)$/;
const NOTHING: Token = Object.freeze({ kind: 'end', text: '', at: 0, raw: '' });

/** Errors: a SyntaxIssue. */
export function parseExpression(source: string): Expr {
  const parser = new Parser(tokensOf(source));
  const expr = parser.expression();
  parser.end();
  return expr;
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;
  /** What may stand after a token beside an operand. */
  readonly #others = new Map<Token, readonly string[]>();
  /** How many operators and members stand inside each other in an expression; none where there is no entry. */
  readonly #nested = new WeakMap<Expr, number>();

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  end(): void {
    if (this.#token.kind !== 'end') throw this.#stray([END], this.#following.kind === 'end');
  }

  expression(): Expr {
    if (++this.#depth > MAX_DEPTH)
      throw new SyntaxIssue(NOWHERE, `expression recursion limit exceeded: ${MAX_DEPTH}`);
    const condition = this.#disjunction();
    const { at } = this.#token;
    let expr = condition;
    if (this.#take('?')) {
      const yes = this.#disjunction();
      this.#expect(':');
      const no = this.expression();
      const args = [condition, yes, no];
      expr = this.#around(args, { kind: 'call', name: '_?_:_', target: undefined, args, at });
    }
    this.#depth--;
    return expr;
  }

  get #token(): Token {
    // The last token is the end, and nothing reads beyond it.
    return this.#tokens[Math.min(this.#next, this.#tokens.length - 1)] ?? NOTHING;
  }

  get #following(): Token {
    return this.#tokens[this.#next + 1] ?? NOTHING;
  }

  /** Whether a symbol (or the word `in`) stands here, which is then taken. */
  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#next++;
    return true;
  }

  #is(text: string): boolean {
    const { kind, text: own } = this.#token;
    return own === text && (kind === 'symbol' || (kind === 'ident' && text === 'in'));
  }

  /** @param instead what else could stand here */
  #expect(text: string, ...instead: readonly string[]): void {
    if (this.#take(text)) return;
    const { kind } = this.#token;
    if (this.#following.text === text) throw this.#stray([text, ...instead], true);
    const goesOn =
      text === ':' ? beginsOperand(this.#token) : kind === 'end' || (kind === 'symbol' && !this.#is(':'));
    if (instead.length === 0 && goesOn) throw this.#missing(text);
    throw this.#stray([text, ...instead], false);
  }

  #missing(text: string): SyntaxIssue {
    return new SyntaxIssue(this.#token.at, `Syntax error: missing '${text}' at '${shownToken(this.#token)}'`);
  }

  /** @param alone whether all would be well without it */
  #stray(expected: readonly string[], alone: boolean): SyntaxIssue {
    const what = `${alone ? 'extraneous' : 'mismatched'} input '${shownToken(this.#token)}'`;
    return new SyntaxIssue(this.#token.at, `Syntax error: ${what} expecting ${expectedText(expected)}`);
  }

  /** Of a place where an operand should begin. */
  #noOperand(): SyntaxIssue {
    const before = this.#tokens[this.#next - 1];
    if (before?.kind === 'symbol' && before.text === '.') return this.#noName();
    const others = before === undefined ? undefined : this.#others.get(before);
    const { kind } = this.#token;
    const alone = kind === 'end' ? before?.raw === '!' : beginsOperand(this.#following);
    return this.#stray([...OPERAND, ...(others ?? [])], alone);
  }

  /** After a dot. */
  #noName(): SyntaxIssue {
    const { at, raw, kind } = this.#token;
    if (kind === 'ident' && raw !== 'in') return this.#stray(['IDENTIFIER'], false);
    return new SyntaxIssue(at, `Syntax error: no viable alternative at input '.${raw}'`);
  }

  /** What may stand after the token just taken, where an operand may. */
  #orElse(...others: readonly string[]): void {
    const before = this.#tokens[this.#next - 1];
    if (before !== undefined) this.#others.set(before, others);
  }

  #chain(operators: readonly string[], operand: () => Expr): Expr {
    let left = operand();
    for (;;) {
      const { at } = this.#token;
      const operator = operators.find((one) => this.#take(one));
      if (operator === undefined) return left;
      const name = operator === 'in' ? '@in' : `_${operator}_`;
      const args = [left, operand()];
      left = this.#around(args, { kind: 'call', name, target: undefined, args, at });
    }
  }

  #disjunction(): Expr {
    return this.#logical('||', () => this.#logical('&&', () => this.#relation()));
  }

  /** A balanced tree, so that a long chain is not a deep one. Source: cel-go parser/parser.go, balancer. */
  #logical(operator: string, operand: () => Expr): Expr {
    const terms = [operand()];
    const places: number[] = [];
    for (;;) {
      const { at } = this.#token;
      if (!this.#take(operator)) return this.#balanced(`_${operator}_`, terms, places);
      places.push(at);
      terms.push(operand());
    }
  }

  /** @param terms one more than there are places, those of the operators between them */
  #balanced(name: string, terms: readonly Expr[], places: readonly number[]): Expr {
    const middle = places.length >> 1;
    const at = places[middle];
    const [first] = terms;
    if (first === undefined) throw new Error('a chain has a term');
    if (at === undefined) return first;
    const args = [
      this.#balanced(name, terms.slice(0, middle + 1), places.slice(0, middle)),
      this.#balanced(name, terms.slice(middle + 1), places.slice(middle + 1)),
    ];
    return this.#over(args, { kind: 'call', name, target: undefined, args, at });
  }

  /** The expression, which has such parts and counts as deep as the deepest of them. */
  #over(parts: readonly Expr[], expr: Expr, own = 0): Expr {
    const depth = parts.reduce((most, part) => Math.max(most, this.#nested.get(part) ?? 0), 0) + own;
    if (depth > MAX_DEPTH) throw new SyntaxIssue(NOWHERE, 'max recursion depth exceeded');
    if (depth > 0) this.#nested.set(expr, depth);
    return expr;
  }

  /** The expression, one deeper than its parts. */
  #around(parts: readonly Expr[], expr: Expr): Expr {
    return this.#over(parts, expr, 1);
  }

  #relation(): Expr {
    return this.#chain([...RELATIONS], () =>
      this.#chain(['+', '-'], () => this.#chain(['*', '/', '%'], () => this.#unary())),
    );
  }

  #unary(): Expr {
    const { at } = this.#token;
    for (const operator of ['!', '-']) {
      if (!this.#is(operator)) continue;
      let count = 0;
      while (this.#take(operator)) count++;
      const { kind } = this.#token;
      // A minus is part of the number that it stands before.
      const negative = operator === '-' && (kind === 'int' || kind === 'double');
      const operand = this.#member(negative ? '-' : '');
      if ((negative ? count - 1 : count) % 2 === 0) return operand;
      return this.#over([operand], {
        kind: 'call',
        name: `${operator}_`,
        target: undefined,
        args: [operand],
        at,
      });
    }
    return this.#member('');
  }

  #member(sign: string): Expr {
    let expr = this.#primary(sign);
    for (;;) {
      const { at } = this.#token;
      if (this.#take('.')) expr = this.#selection(expr, at);
      else if (this.#take('[')) {
        this.#orElse('?');
        const name = this.#take('?') ? '_[?_]' : '_[_]';
        const index = this.expression();
        this.#expect(']');
        const args = [expr, index];
        expr = this.#around(args, { kind: 'call', name, target: undefined, args, at });
      } else return expr;
    }
  }

  #selection(operand: Expr, at: number): Expr {
    const optional = this.#take('?');
    const field = this.#identifier(true);
    const open = this.#token.at;
    if (optional || !this.#take('(')) {
      return this.#around([operand], { kind: 'select', operand, field, optional, at });
    }
    const args = this.#list(')');
    const macro = this.#macro(field, operand, args, open);
    const called: Expr = macro ?? { kind: 'call', name: field, target: operand, args, at: open };
    return this.#around([operand, ...args], called);
  }

  #macro(called: string, range: Expr, args: readonly Expr[], at: number): Expr | undefined {
    const found = MACROS.filter(([one, , , count]) => one === called && count > 0).filter(
      ([, , variables, count]) => variables + count === args.length,
    );
    // `e.map(x, p, t)` and `e.all(i, v, p)` differ in what stands second.
    const row = found.find(([, , variables]) =>
      args.slice(0, variables).every((one) => one.kind === 'ident'),
    );
    if (row === undefined) {
      const [first] = found;
      if (first === undefined) return undefined;
      const wrong = args.find((one) => one.kind !== 'ident');
      throw new SyntaxIssue(
        wrong?.at ?? at,
        first[2] === 1 ? 'argument must be a simple name' : 'argument must be a simple variable name',
      );
    }
    const [, name, count] = row;
    const variables = args.slice(0, count).flatMap((one) => (one.kind === 'ident' ? [one.name] : []));
    return { kind: 'macro', name, range, variables, args: args.slice(count), at };
  }

  #identifier(selected: boolean): string {
    const token = this.#token;
    const missing = (): SyntaxIssue => (selected ? this.#noName() : this.#noOperand());
    if (token.kind !== 'ident') throw missing();
    if (RESERVED.has(token.text) && !(selected && !WORDS_OF_THEIR_OWN.test(token.text))) {
      if (WORDS_OF_THEIR_OWN.test(token.text)) throw missing();
      throw new SyntaxIssue(token.at, `reserved identifier: ${token.text}`);
    }
    this.#next++;
    return token.text;
  }

  /** Expressions up to the closing symbol, which is taken too. */
  #list(close: string): Expr[] {
    const list: Expr[] = [];
    this.#orElse(close);
    if (this.#take(close)) return list;
    for (;;) {
      list.push(this.expression());
      if (this.#take(',')) continue;
      this.#expect(close);
      return list;
    }
  }

  #primary(sign: string): Expr {
    const token = this.#token;
    const { at } = token;
    const literal = literalOf(token, sign);
    if (literal !== undefined) {
      this.#next++;
      return { kind: 'literal', value: literal.value, at };
    }
    if (this.#take('(')) {
      const inner = this.expression();
      this.#expect(')');
      return inner;
    }
    if (this.#take('[')) return this.#listLiteral(at);
    if (this.#take('{')) return this.#mapLiteral(at);
    const rooted = this.#take('.');
    const name = this.#identifier(false);
    const open = this.#token.at;
    if (!this.#take('(')) return { kind: 'ident', name, at };
    const args = this.#list(')');
    return this.#globalCall(rooted ? `.${name}` : name, args, open);
  }

  #globalCall(name: string, args: readonly Expr[], at: number): Expr {
    const [only] = args;
    if (name === 'has' && args.length === 1 && only !== undefined) {
      if (only.kind !== 'select' || only.optional) {
        throw new SyntaxIssue(only.at, 'invalid argument to has() macro');
      }
      return this.#over(args, { kind: 'has', operand: only.operand, field: only.field, at: only.at });
    }
    const plain = name.replace(/^\./, '');
    return this.#over(args, { kind: 'call', name: plain, target: undefined, args, at });
  }

  #listLiteral(at: number): Expr {
    const elements: { value: Expr; optional: boolean }[] = [];
    this.#orElse(']', ',', '?');
    while (!this.#take(']')) {
      const optional = this.#take('?');
      this.#checkClosed(']', elements.length > 0 && !optional);
      elements.push({ value: this.expression(), optional });
      if (!this.#take(',')) {
        this.#expect(']', ',');
        break;
      }
    }
    return this.#over(
      elements.map(({ value }) => value),
      { kind: 'list', elements, at },
    );
  }

  /** After a comma a literal may end. Errors: where neither that nor an operand comes. */
  #checkClosed(close: string, mayEnd: boolean): void {
    if (mayEnd && this.#token.kind === 'end') throw this.#missing(close);
  }

  #mapLiteral(at: number): Expr {
    const entries: { key: Expr; value: Expr; optional: boolean }[] = [];
    this.#orElse('}', ',', '?');
    while (!this.#take('}')) {
      const optional = this.#take('?');
      this.#checkClosed('}', entries.length > 0 && !optional);
      const key = this.expression();
      if (!this.#take(':')) throw this.#stray([':'], this.#following.text === ':');
      entries.push({ key, value: this.expression(), optional });
      if (!this.#take(',')) {
        this.#expect('}', ',');
        break;
      }
    }
    return this.#over(
      entries.flatMap(({ key, value }) => [key, value]),
      { kind: 'map', entries, at },
    );
  }
}

function literalOf(
  token: Token,
  sign: string,
): { readonly value: null | boolean | bigint | number | string | Uint | Bytes } | undefined {
  const { kind, text, at } = token;
  switch (kind) {
    case 'int': {
      const value = sign === '-' ? -BigInt(text) : BigInt(text);
      if (value > MAX_INT || value < -MAX_INT - 1n) throw new SyntaxIssue(at, 'invalid int literal');
      return { value };
    }
    case 'uint': {
      const value = BigInt(text);
      if (value > MAX_UINT) throw new SyntaxIssue(at, 'invalid uint literal');
      return { value: new Uint(value) };
    }
    case 'double': {
      const value = Number(`${sign}${text}`);
      if (!Number.isFinite(value)) throw new SyntaxIssue(at, 'invalid double literal');
      return { value };
    }
    case 'string':
      return { value: text };
    case 'bytes':
      return { value: new Bytes(token.bytes) };
    case 'ident':
      if (text === 'true' || text === 'false') return { value: text === 'true' };
      return text === 'null' ? { value: null } : undefined;
    case 'symbol':
    case 'end':
      return undefined;
  }
}
