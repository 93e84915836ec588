/** CreateOptions, UpdateOptions and PatchOptions. */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../ground/field-error.js';
import { isPrintable } from '../ground/revision.js';
import { invalidOptions } from '../ground/status.js';
import { type Query, allValues, booleanValue, textValue } from './query.js';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteOptions {
  readonly dryRun: boolean;
  /** `''` when unset; then the manager is named after the client. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
}

export interface PatchOptions extends WriteOptions {
  /** Takes over the fields of other managers; only an apply may have it. */
  readonly force: boolean;
}

export const decodeCreateOptions = (query: Query): WriteOptions => decode('CreateOptions', query, []);

export const decodeUpdateOptions = (query: Query): WriteOptions => decode('UpdateOptions', query, []);

/**
 * Errors: 422 for an apply without fieldManager and for another patch with `force` (also `force=false`), before what
 * all writes are checked for.
 * Source: apimachinery meta/v1/validation.
 */
export function decodePatchOptions(query: Query, isApply: boolean): PatchOptions {
  const force = booleanValue(query, 'force');
  const errors: FieldError[] = [];
  if (isApply && textValue(query, 'fieldManager') === '') {
    errors.push(required('fieldManager', 'is required for apply patch'));
  }
  if (!isApply && force !== undefined) {
    errors.push(forbidden('force', 'may not be specified for non-apply patch'));
  }
  return { ...decode('PatchOptions', query, errors), force: force ?? false };
}

/** Errors: 422 with `earlier` and then those of fieldManager, dryRun and fieldValidation. */
function decode(kind: string, query: Query, earlier: readonly FieldError[]): WriteOptions {
  const fieldManager = textValue(query, 'fieldManager');
  const dryRun = allValues(query, 'dryRun');
  const fieldValidation = textValue(query, 'fieldValidation');
  const errors = [...earlier, ...fieldManagerErrors(fieldManager), ...dryRunErrors(dryRun)];
  if (!isFieldValidation(fieldValidation)) {
    errors.push(notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  if (errors.length > 0) throw invalidOptions(kind, errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: isFieldValidation(fieldValidation) ? fieldValidation || 'Warn' : 'Warn',
  };
}

const isFieldValidation = (text: string): text is FieldValidation | '' =>
  ['', 'Ignore', 'Warn', 'Strict'].includes(text);

/** Each value must be `All`; the error shows them all. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])];
}

const MAX_FIELD_MANAGER_BYTES = 128;

/** At most 128 bytes, all characters printable. @param field path shown in the errors */
export function fieldManagerErrors(name: string, field = 'fieldManager'): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(name) > MAX_FIELD_MANAGER_BYTES) errors.push(tooLong(field, MAX_FIELD_MANAGER_BYTES));
  let position = 0;
  for (const ch of name) {
    if (!isPrintable(ch)) {
      const code = (ch.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalid(field, name, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(ch);
  }
  return errors;
}
