/** Errors as a real server prints them: what they show of an object is in the form of the structs that it works with. */
import { type InternalLayouts } from '../../openapi/internal-layouts.js';
import { type Comparison, type FieldError } from '../ground/field-error.js';
import { Float } from '../ground/json.js';
import { writePretty } from '../ground/json-write.js';
import { unifiedDiff } from '../ground/unified-diff.js';
import { goTypeAt, internalForm } from '../schema/internal-form.js';
import { type Call } from './call.js';

/** Of a built-in kind; others are as they are. Layouts are read when an error needs them. */
export function shownErrors(
  { cluster, resource }: Pick<Call, 'cluster' | 'resource'>,
  errors: readonly FieldError[],
): readonly FieldError[] {
  if (resource.custom) return errors;
  const kind = `${resource.store.apiVersion} ${resource.kind}`;
  const layouts = (): InternalLayouts => cluster.api.internalLayouts;
  return errors.map((error) => withShownValue(layouts, kind, withDifference(layouts, error)));
}

function withShownValue(layouts: () => InternalLayouts, kind: string, error: FieldError): FieldError {
  const { value, field } = error;
  if (value === null || typeof value !== 'object' || value instanceof Float) return error;
  const goType = goTypeAt(layouts(), kind, field);
  return goType === undefined ? error : { ...error, value: internalForm(layouts(), goType, value) };
}

/** Source: apimachinery util/diff, Diff. */
function withDifference(layouts: () => InternalLayouts, { compares, ...error }: FieldError): FieldError {
  if (compares === undefined) return error;
  const pretty = (value: Comparison['before']): string =>
    writePretty(internalForm(layouts(), compares.goType, value), ' ');
  return {
    ...error,
    detail: `${error.detail}${unifiedDiff(pretty(compares.before), pretty(compares.after))}`,
  };
}
