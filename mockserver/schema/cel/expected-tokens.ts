/** What could stand where an expression goes wrong, as errors list it. Source: cel-go parser/gen, the vocabulary of CEL.g4. */
import { type Token } from './lexer.js';

const IN_ORDER = [
  ...['[', ']', '{', '}', '(', ')', '.', ',', '-', '!', '?', ':', 'true', 'false', 'null'],
  ...['NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES', 'IDENTIFIER', 'ESC_IDENTIFIER'],
];
const NAMED = /^[A-Z_]+$|^<EOF>$/;

/** What an operand begins with. */
export const OPERAND: readonly string[] = [
  ...['[', '{', '(', '.', '-', '!', 'true', 'false', 'null'],
  ...['NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES', 'IDENTIFIER'],
];
export const END = '<EOF>';

/** `':'`, or `{']', ','}` of several. */
export function expectedText(tokens: readonly string[]): string {
  const texts = tokens
    .toSorted((a, b) => IN_ORDER.indexOf(a) - IN_ORDER.indexOf(b))
    .map((token) => (NAMED.test(token) ? token : `'${token}'`));
  return texts.length === 1 ? texts.join() : `{${texts.join(', ')}}`;
}

export function beginsOperand({ kind, text }: Token): boolean {
  if (kind === 'symbol') return OPERAND.includes(text);
  return kind === 'ident' ? text !== 'in' : kind !== 'end';
}

/** As it was written. */
export const shownToken = ({ kind, raw }: Token): string => (kind === 'end' ? END : raw);
