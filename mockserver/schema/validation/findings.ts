/** The errors of one validation, in the order in which they are found, with the checks that most fields share. */
import {
  type Comparison,
  type FieldError,
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../ground/field-error.js';
import { type JsonObject, type JsonValue } from '../../ground/json.js';
import { labelKeyProblems, labelValueProblems } from '../../ground/name-syntax.js';
import { integerAt, isSet, textAt } from './field-values.js';

/** Details of one error each; empty when the text is good. */
export type TextProblems = (text: string) => readonly string[];

/** The number that a real server prints when a value is below 0. */
const AT_LEAST_ZERO = 'must be greater than or equal to 0';
const GREATER_THAN_ZERO = 'must be greater than 0';
export const IMMUTABLE = 'field is immutable';

/**
 * Collects field errors.
 *
 * Paths are joined only for what is wrong: a check of a good field makes no text. `at` is the path of the object that has
 * the member `name`; the root's is `''`.
 */
export class Findings {
  readonly errors: FieldError[] = [];

  get none(): boolean {
    return this.errors.length === 0;
  }

  add(...errors: readonly FieldError[]): void {
    this.errors.push(...errors);
  }

  required(field: string, detail = ''): void {
    this.errors.push(required(field, detail));
  }

  invalid(field: string, value: JsonValue, detail: string): void {
    this.errors.push(invalid(field, value, detail));
  }

  forbidden(field: string, detail: string, compares?: Comparison): void {
    this.errors.push(forbidden(field, detail, compares));
  }

  notSupported(field: string, value: JsonValue, supported: readonly string[]): void {
    this.errors.push(notSupported(field, value, supported));
  }

  duplicate(field: string, value: JsonValue): void {
    this.errors.push(duplicate(field, value));
  }

  tooLong(field: string, maxBytes: number): void {
    this.errors.push(tooLong(field, maxBytes));
  }

  tooMany(field: string, count: number, most: number): void {
    const detail = `must have at most ${most} ${most === 1 ? 'item' : 'items'}`;
    this.errors.push({ reason: 'FieldValueTooMany', field, value: count, detail });
  }

  notFound(field: string, value: JsonValue, detail = ''): void {
    this.errors.push({ reason: 'FieldValueNotFound', field, value, detail });
  }

  /** One error for each problem of a text. */
  problems(field: string, text: string, problemsOf: TextProblems): void {
    for (const problem of problemsOf(text)) this.invalid(field, text, problem);
  }

  /** A text that must be there. Shape: the text; `''` when it is missing. */
  needs(object: JsonObject, at: string, name: string, detail = ''): string {
    const text = textAt(object, name);
    if (text === '') this.required(join(at, name), detail);
    return text;
  }

  /** A text that must be there and have a form. */
  needsForm(object: JsonObject, at: string, name: string, problemsOf: TextProblems): void {
    const text = this.needs(object, at, name);
    if (text !== '') this.problems(join(at, name), text, problemsOf);
  }

  /** A text that has a form when it is there. */
  form(object: JsonObject, at: string, name: string, problemsOf: TextProblems): void {
    const text = textAt(object, name);
    if (text !== '') this.problems(join(at, name), text, problemsOf);
  }

  /**
   * A text that must be one of a list.
   * @param empty what an empty or missing text is: fine, missing, or as bad as any other
   */
  among(
    object: JsonObject,
    at: string,
    name: string,
    supported: readonly string[],
    empty: 'fine' | 'missing' | 'bad' = 'fine',
  ): void {
    const text = textAt(object, name);
    if (text === '') {
      if (empty === 'missing') this.required(join(at, name));
      else if (supported.includes('')) return;
      else if (empty === 'bad' || isSet(object, name)) this.notSupported(join(at, name), '', supported);
    } else if (!supported.includes(text)) this.notSupported(join(at, name), text, supported);
  }

  nonNegative(object: JsonObject, at: string, ...names: readonly string[]): void {
    for (const name of names) {
      const value = integerAt(object, name);
      if (value < 0) this.invalid(join(at, name), object[name] ?? 0, AT_LEAST_ZERO);
    }
  }

  /** Of numbers that are set. */
  positive(object: JsonObject, at: string, ...names: readonly string[]): void {
    for (const name of names) {
      if (isSet(object, name) && integerAt(object, name) <= 0) {
        this.invalid(join(at, name), object[name] ?? 0, GREATER_THAN_ZERO);
      }
    }
  }

  /** Of a number that is set. */
  between(object: JsonObject, at: string, name: string, low: number, high: number): void {
    if (!isSet(object, name)) return;
    const value = integerAt(object, name);
    if (value < low || value > high) this.invalid(join(at, name), object[name] ?? 0, rangeProblem(low, high));
  }

  /** Keys and values of a map of labels. Source: apimachinery meta/v1/validation, ValidateLabels. */
  labels(labels: JsonObject | undefined, field: string): void {
    if (labels === undefined) return;
    for (const [key, value] of Object.entries(labels)) {
      for (const problem of labelKeyProblems(key)) this.invalid(field, key, problem);
      const text = typeof value === 'string' ? value : '';
      for (const problem of labelValueProblems(text)) this.invalid(field, text, problem);
    }
  }
}

export const rangeProblem = (low: number, high: number): string =>
  `must be between ${low} and ${high}, inclusive`;

export const join = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);
