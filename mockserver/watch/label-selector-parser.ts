/** Reads the text of a label selector: `a=b,c in (d,e),!f,g>1`. */
import { compareUtf8 } from '../ground/json.js';
import { type FieldError, fieldErrorText, invalid } from '../ground/field-error.js';
import { parseInt64 } from '../ground/go-number.js';
import { labelKeyProblems, labelValueProblems } from '../ground/name-syntax.js';
import { type LabelOperator, type LabelRequirement, LabelSelector } from './label-selector.js';
import { SelectorError } from './selector-error.js';

type TokenKind =
  'end' | 'identifier' | 'in' | 'notin' | ')' | '(' | ',' | '!' | '==' | '=' | '>' | '<' | '!=';

interface Token {
  readonly kind: TokenKind;
  /** As it is quoted in errors: `''` at the end of the text. */
  readonly text: string;
}

const SYMBOLS: ReadonlySet<string> = new Set([')', '(', ',', '!', '==', '=', '>', '<', '!=']);
const isSymbol = (text: string): text is TokenKind => SYMBOLS.has(text);
const isSpecial = (ch: string): boolean => '=!(),><'.includes(ch);
const isBlank = (ch: string): boolean => ' \t\r\n'.includes(ch);

/** A NUL ends a token; where a token would begin, it ends the whole selector. */
const NUL = '\0';

/** Shape: at least one token; the last one, and no other, is the end. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && isBlank(text.charAt(at))) at++;
    const first = text.charAt(at);
    if (first === '' || first === NUL) {
      tokens.push({ kind: 'end', text: '' });
      return tokens;
    }
    if (isSpecial(first)) {
      const two = text.slice(at, at + 2);
      const symbol = isSymbol(two) ? two : first;
      if (!isSymbol(symbol)) throw new RangeError(`not a symbol: ${symbol}`);
      tokens.push({ kind: symbol, text: symbol });
      at += symbol.length;
      if (text[at] === NUL) at++;
      continue;
    }
    const start = at;
    while (at < text.length && text[at] !== NUL && !isSpecial(text.charAt(at)) && !isBlank(text.charAt(at)))
      at++;
    const word = text.slice(start, at);
    tokens.push({ kind: word === 'in' || word === 'notin' ? word : 'identifier', text: word });
    if (text[at] === NUL) at++;
  }
}

/** A cursor over tokens; behind the end there is nothing but the end. */
class Tokens {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  /** The next token, where `in` and `notin` are ordinary words. */
  peek(): Token {
    const token = this.#tokens[this.#at] ?? { kind: 'end', text: '' };
    return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', text: token.text } : token;
  }

  take(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  /** As `take`, where `in` and `notin` are operators. */
  takeOperator(): Token {
    return this.#tokens[this.#at++] ?? { kind: 'end', text: '' };
  }
}

/**
 * Reads a label selector; the empty text selects everything.
 *
 * Errors: SelectorError in the words of a server (`found '=', expected: ',' or 'end of string'`,
 * `unable to parse requirement: …`).
 * Source: apimachinery labels/selector.go.
 */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = new Tokens(text);
  const requirements: LabelRequirement[] = [];
  for (;;) {
    const first = tokens.peek();
    if (first.kind === 'end') break;
    if (first.kind !== 'identifier' && first.kind !== '!') {
      throw new SelectorError(`found '${first.text}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(parseRequirement(tokens));
    const after = tokens.take();
    if (after.kind === 'end') break;
    if (after.kind !== ',')
      throw new SelectorError(`found '${after.text}', expected: ',' or 'end of string'`);
    const next = tokens.peek();
    if (next.kind !== 'identifier' && next.kind !== '!') {
      throw new SelectorError(`found '${next.text}', expected: identifier after ','`);
    }
  }
  return new LabelSelector(requirements);
}

const bad = (why: string): SelectorError => new SelectorError(`unable to parse requirement: ${why}`);

function parseRequirement(tokens: Tokens): LabelRequirement {
  let token = tokens.take();
  const negated = token.kind === '!';
  if (negated) token = tokens.take();
  if (token.kind !== 'identifier') throw bad(`found '${token.text}', expected: identifier`);
  const key = token.text;
  const problems = labelKeyProblems(key);
  if (problems.length > 0) throw bad(errorText([invalid('<nil>', key, problems.join('; '))]));

  const next = tokens.peek();
  if (negated) return { key, operator: '!', values: [] };
  if (next.kind === 'end' || next.kind === ',') return { key, operator: 'exists', values: [] };

  const operator = operatorOf(tokens.takeOperator());
  const values = operator === 'in' || operator === 'notin' ? parseValues(tokens) : [parseExactValue(tokens)];
  const errors = valueErrors(key, operator, values);
  if (errors.length > 0) throw bad(errorText(errors));
  return { key, operator, values };
}

function operatorOf({ kind, text }: Token): LabelOperator {
  switch (kind) {
    case 'in':
    case 'notin':
    case '=':
    case '==':
    case '!=':
      return kind;
    case '>':
      return 'gt';
    case '<':
      return 'lt';
    default:
      throw bad(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
  }
}

/** `(x,y)`, where a missing value is the empty text: `()`, `(a,)`, `(,)`. */
function parseValues(tokens: Tokens): string[] {
  const open = tokens.take();
  if (open.kind !== '(') throw bad(`found '${open.text}' expected: '('`);
  const first = tokens.peek();
  if (first.kind !== 'identifier' && first.kind !== ',' && first.kind !== ')') {
    throw bad(`found '${first.text}', expected: ',', ')' or identifier`);
  }
  const values = new Set<string>();
  let valueDue = true;
  for (;;) {
    const token = tokens.take();
    if (token.kind === ')') {
      if (valueDue) values.add('');
      return [...values].sort(compareUtf8);
    }
    if (token.kind === ',') {
      if (valueDue) values.add('');
      valueDue = true;
    } else if (token.kind === 'identifier' && valueDue) {
      values.add(token.text);
      valueDue = false;
    } else {
      throw bad(`found '${token.text}', expected: ${valueDue ? "',', or identifier" : "',' or ')'"}`);
    }
  }
}

/** Nothing behind the operator is the empty value. */
function parseExactValue(tokens: Tokens): string {
  const next = tokens.peek();
  if (next.kind === 'end' || next.kind === ',') return '';
  tokens.take();
  if (next.kind !== 'identifier') throw bad(`found '${next.text}', expected: identifier`);
  return next.text;
}

function valueErrors(key: string, operator: LabelOperator, values: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (operator === 'gt' || operator === 'lt') {
    for (const [i, value] of values.entries()) {
      if (!parseInt64(value).ok) {
        errors.push(invalid(`values[${i}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
      }
    }
  }
  for (const [i, value] of values.entries()) {
    const problems = labelValueProblems(value);
    if (problems.length > 0) errors.push(invalid(`values[${i}][${key}]`, value, problems.join('; ')));
  }
  return errors;
}

/** One error stands alone, several in brackets. */
function errorText(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map((error) => `${error.field}: ${fieldErrorText(error)}`))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}
