/** One evaluation of a rule or of its message, and what it cost. Source: apiextensions-apiserver apiserver/schema/cel/validation.go. */
import { goQuote } from '../../ground/revision.js';
import { stringMember } from '../../ground/json.js';
import { CelError, CostExceeded } from './cel-error.js';
import { type Run } from './compiled.js';
import { Frame } from './frame.js';
import { type ValidationRule } from './validation-rule.js';
import { type Value } from './values.js';

/** Values of `self` and `oldSelf`; an error where a value does not suit its schema. */
export interface RuleInput {
  readonly self: Value | CelError;
  readonly oldSelf: Value | CelError | undefined;
}

export interface Evaluation {
  readonly value: Value | CelError | CostExceeded;
  readonly cost: number;
}

export function evaluation(run: Run, { self, oldSelf }: RuleInput): Evaluation {
  if (self instanceof CelError) return { value: self, cost: 0 };
  if (oldSelf instanceof CelError) return { value: oldSelf, cost: 0 };
  const frame = new Frame(oldSelf === undefined ? [self] : [self, oldSelf]);
  try {
    return { value: run(frame), cost: frame.cost };
  } catch (error) {
    if (error instanceof CelError || error instanceof CostExceeded) return { value: error, cost: frame.cost };
    throw error;
  }
}

/** The text that a messageExpression gives; undefined where it is not one line. `failure`: nothing more may be evaluated. */
export type Message =
  { readonly text: string | undefined; readonly cost: number } | { readonly failure: string };

const MAX_MESSAGE_BYTES = 5 * 1024;

export function messageOf({ json, messageRun }: ValidationRule, input: RuleInput, budget: number): Message {
  if (messageRun === undefined) return { text: undefined, cost: 0 };
  const { value, cost } = evaluation(messageRun, input);
  const none = 'no further validation rules will be run';
  if (cost > budget) {
    return { failure: `messageExpression evaluation failed due to running out of cost budget, ${none}` };
  }
  if (value instanceof CostExceeded) {
    const source = goQuote(stringMember(json, 'messageExpression') ?? '');
    return { failure: `${none} due to call cost exceeds limit for messageExpression: ${source}` };
  }
  return { text: typeof value === 'string' ? usable(value.trim()) : undefined, cost };
}

const usable = (text: string): string | undefined =>
  text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES ? text : undefined;

const ruleName = ({ message, text }: ValidationRule): string => (message === '' ? text : message);

export const ruleMessage = ({ message, text }: ValidationRule): string =>
  message === '' ? `failed rule: ${text}` : message;

/** Why a rule gives no answer. */
export function runtimeProblem(error: CelError | CostExceeded, rule: ValidationRule): string {
  const { message } = error;
  if (error instanceof CostExceeded) {
    return `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleName(rule)}`;
  }
  if (message.startsWith('no such overload')) {
    return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleName(rule)}`;
  }
  return `${message} evaluating rule: ${ruleName(rule)}`;
}
