/** Field selectors: some of an object's fields compared with values, joined by "and". */
import { compareUtf8 } from '../ground/json.js';
import { goQuote } from '../ground/revision.js';
import { SelectorError } from './selector-error.js';

export interface FieldTerm {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Frozen. A selector without terms matches everything. */
export class FieldSelector {
  readonly terms: readonly FieldTerm[];

  constructor(terms: readonly FieldTerm[]) {
    this.terms = Object.freeze([...terms]);
  }

  get isEmpty(): boolean {
    return this.terms.length === 0;
  }

  /** @param valueOf the value of a field, `''` for one that the object does not have. */
  matches(valueOf: (field: string) => string): boolean {
    return this.terms.every(
      ({ field, operator, value }) => (valueOf(field) === value) === (operator === '='),
    );
  }

  /** The value that `field` must have by the first term that asks for one. */
  exactValueOf(field: string): string | undefined {
    return this.terms.find((term) => term.field === field && term.operator === '=')?.value;
  }

  /** The form that parses to the same selector, with backslashes before `\`, `,` and `=` in values. */
  toString(): string {
    return this.terms
      .map(({ field, operator, value }) => `${field}${operator}${escapeValue(value)}`)
      .join(',');
  }
}

export const ALL_FIELDS = new FieldSelector([]);

/** The selector of the one object of that name. */
export const nameSelector = (name: string): FieldSelector =>
  new FieldSelector([{ field: 'metadata.name', operator: '=', value: name }]);

const escapeValue = (value: string): string => value.replace(/[\\,=]/g, '\\$&');

/**
 * Reads a field selector: `k=v`, `k==v`, `k!=v`, joined by commas. Empty terms and a lone operator ask for nothing.
 *
 * Shape: the terms in the order of their bytes, which is also the order in which errors are found.
 * Errors: SelectorError (`invalid selector: 'x'; can't understand 'x'`,
 * `invalid field selector: unescaped character in value: 61`, `invalid field selector: invalid escape sequence: \b`).
 * Source: apimachinery fields/selector.go.
 */
export function parseFieldSelector(text: string): FieldSelector {
  const terms: FieldTerm[] = [];
  for (const part of splitTerms(text).sort(compareUtf8)) {
    if (part === '') continue;
    const split = /!=|==|=/.exec(part);
    if (split === null) throw new SelectorError(`invalid selector: '${text}'; can't understand '${part}'`);
    const field = part.slice(0, split.index);
    const value = unescapeValue(part.slice(split.index + split[0].length));
    if (field !== '' || value !== '') terms.push({ field, operator: split[0] === '!=' ? '!=' : '=', value });
  }
  return new FieldSelector(terms);
}

/** Splits at commas that no backslash precedes; backslashes stay. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function unescapeValue(text: string): string {
  let value = '';
  let escaped = false;
  for (const ch of text) {
    const special = ch === '\\' || ch === ',' || ch === '=';
    if (escaped) {
      if (!special) throw new SelectorError(`invalid field selector: invalid escape sequence: \\${ch}`);
      value += ch;
      escaped = false;
    } else if (ch === '\\') {
      escaped = true;
    } else if (special) {
      throw new SelectorError(`invalid field selector: unescaped character in value: ${ch.charCodeAt(0)}`);
    } else {
      value += ch;
    }
  }
  if (escaped) throw new SelectorError('invalid field selector: invalid escape sequence: \\');
  return value;
}

/** The fields that a resource can be selected by, and what is said of any other. */
export interface SelectableFields {
  readonly fields: readonly string[];
  readonly refusal: (field: string) => string;
}

/** What custom resources, and built-in kinds with fields of their own, say of other fields. */
export const labelNotSupported = (field: string): string => `field label not supported: ${field}`;

/** What all other kinds have, and say. */
export const METADATA_FIELDS: SelectableFields = Object.freeze({
  fields: ['metadata.name', 'metadata.namespace'],
  refusal: (field: string) =>
    `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
});

/** Errors: SelectorError for the first term whose field is not one of `selectable`. */
export function checkFields(selector: FieldSelector, selectable: SelectableFields): void {
  for (const { field } of selector.terms) {
    if (!selectable.fields.includes(field)) throw new SelectorError(selectable.refusal(field));
  }
}
