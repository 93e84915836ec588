/** Errors of single fields: validation answers lists of them, it does not throw. */
import { type JsonValue, Float } from './json.js';
import { goFloat } from './go-float.js';
import { writeJson } from './json-write.js';
import { goQuote } from './revision.js';

/** The word that begins each message, and the reason of the cause. Source: apimachinery field/errors.go. */
const WORDS = {
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueRequired: 'Required value',
  FieldValueForbidden: 'Forbidden',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueNotFound: 'Not found',
  FieldValueTooFew: 'Too few',
  FieldValueTooShort: 'Too short',
  InternalError: 'Internal error',
} as const;

export type FieldErrorReason = keyof typeof WORDS;

/** Two values that an error compares line by line after its detail. */
export interface Comparison {
  /** Of both, as a real server's internal version names it: `core.PodSpec`. */
  readonly goType: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

export interface FieldError {
  readonly reason: FieldErrorReason;
  /** Path as Kubernetes writes it: `spec.containers[0].image`, `metadata.labels[a.b/c]`. */
  readonly field: string;
  /** Absent for reasons that show no value. */
  readonly value?: JsonValue;
  readonly detail: string;
  /** Of a value that is too much to show: the message goes on with the detail. */
  readonly omitsValue?: true;
  /** What `detail` goes on with; put into words before the error is shown. */
  readonly compares?: Comparison;
}

const WITHOUT_VALUE: ReadonlySet<FieldErrorReason> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
]);

/** `Invalid value: "x": must be …`: the message of the cause, without the field. */
export function fieldErrorText(error: FieldError): string {
  let text: string = WORDS[error.reason];
  if (!WITHOUT_VALUE.has(error.reason) && error.omitsValue !== true)
    text += `: ${showValue(error.value ?? null)}`;
  if (error.detail !== '') text += `: ${error.detail}`;
  return text;
}

function showValue(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : goFloat(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Float) return goFloat(value.value);
  return writeJson(value);
}

export const invalid = (field: string, value: JsonValue, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  value,
  detail,
});
export const required = (field: string, detail = ''): FieldError => ({
  reason: 'FieldValueRequired',
  field,
  detail,
});
export const forbidden = (field: string, detail: string, compares?: Comparison): FieldError => ({
  reason: 'FieldValueForbidden',
  field,
  detail,
  ...(compares === undefined ? {} : { compares }),
});
/** `supported values` are shown in the order given. */
export const notSupported = (field: string, value: JsonValue, supported: readonly string[]): FieldError => ({
  reason: 'FieldValueNotSupported',
  field,
  value,
  detail: `supported values: ${supported.map(goQuote).join(', ')}`,
});
export const duplicate = (field: string, value: JsonValue): FieldError => ({
  reason: 'FieldValueDuplicate',
  field,
  value,
  detail: '',
});
export const tooLong = (field: string, maxBytes: number): FieldError => ({
  reason: 'FieldValueTooLong',
  field,
  detail: `may not be more than ${maxBytes} ${maxBytes === 1 ? 'byte' : 'bytes'}`,
});
