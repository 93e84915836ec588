/** The numbers and the selector that a scale subresource reads from an object. */
import { type FieldError, invalid } from '../../ground/field-error.js';
import { goFloat } from '../../ground/go-float.js';
import {
  type JsonObject,
  type JsonValue,
  Float,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  member,
} from '../../ground/json.js';

const MAX_INT32 = 0x7fffffff;

/** Errors of the number of replicas at `path` (`.spec.replicas`): a missing one counts as 0. */
export function replicaErrors(object: JsonObject, path: string): readonly FieldError[] {
  const found = valueAt(object, path);
  if (!found.ok) return [invalid(path, 0, found.error)];
  const value = found.value === undefined ? 0 : found.value;
  if (!isInteger(value)) return [invalid(path, 0, accessorError(path, value, 'int64'))];
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return value > MAX_INT32 ? [invalid(path, value, `should be less than or equal to ${MAX_INT32}`)] : [];
}

/** Errors of the selector at `path`. */
export function selectorErrors(object: JsonObject, path: string): readonly FieldError[] {
  const found = valueAt(object, path);
  if (!found.ok) return [invalid(path, '', found.error)];
  const { value } = found;
  if (value === undefined || typeof value === 'string') return [];
  return [invalid(path, '', accessorError(path, value, 'string'))];
}

const isInteger = (value: JsonValue): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));

type Found =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  | { readonly ok: false; readonly error: string };

/** Source: apimachinery meta/v1/unstructured/helpers.go, NestedFieldNoCopy. */
function valueAt(object: JsonObject, path: string): Found {
  const steps = path.replace(/^\./, '').split('.');
  let value: JsonValue = object;
  for (const [i, step] of steps.entries()) {
    if (value === null) return { ok: true, value: undefined };
    if (!isJsonObject(value)) {
      const at = `.${steps.slice(0, i + 1).join('.')}`;
      return { ok: false, error: accessorError(at, value, 'map[string]interface{}') };
    }
    const next = member(value, step);
    if (next === undefined) return { ok: true, value: undefined };
    value = next;
  }
  return { ok: true, value };
}

const accessorError = (path: string, value: JsonValue, expected: string): string =>
  `${path.startsWith('.') ? path : `.${path}`} accessor error: ${goText(value)} is of the type ${goType(value)}, expected ${expected}`;

function goType(value: JsonValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      if (value === null) return '<nil>';
      if (value instanceof Float) return 'float64';
      return isJsonArray(value) ? '[]interface {}' : 'map[string]interface {}';
  }
}

/** As Go's %v: lists in brackets, maps as `map[a:1 b:2]`. */
function goText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (value instanceof Float) return goFloat(value.value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : goFloat(value);
  if (isJsonArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.keys(value)
    .sort(compareUtf8)
    .map((name) => `${name}:${goText(value[name] ?? null)}`);
  return `map[${members.join(' ')}]`;
}
