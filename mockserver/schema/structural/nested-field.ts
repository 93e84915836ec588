/** A field deep in an object without a type, read as a server's accessors read it. */
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

export type NestedField =
  | { readonly kind: 'found'; readonly value: JsonValue }
  | { readonly kind: 'absent' }
  /** Of another type, or below what is no object. */
  | { readonly kind: 'wrong'; readonly why: string };

/**
 * Reads the field at `path` (`.spec.replicas`).
 *
 * Source: apimachinery meta/v1/unstructured/helpers.go, NestedInt64 and NestedString.
 */
export function nestedField(object: JsonObject, path: string, type: 'int64' | 'string'): NestedField {
  const steps = stepsOf(path);
  let value: JsonValue = object;
  for (const [i, step] of steps.entries()) {
    if (value === null) return { kind: 'absent' };
    if (!isJsonObject(value)) return wrong(steps.slice(0, i + 1), value, 'map[string]interface{}');
    const next: JsonValue | undefined = member(value, step);
    if (next === undefined) return { kind: 'absent' };
    value = next;
  }
  return goType(value) === type ? { kind: 'found', value } : wrong(steps, value, type);
}

/** The members on the way to a path in dot notation, whose leading dot may be missing. */
export const stepsOf = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

const wrong = (steps: readonly string[], value: JsonValue, expected: string): NestedField => ({
  kind: 'wrong',
  why: `.${steps.join('.')} accessor error: ${goText(value)} is of the type ${goType(value)}, expected ${expected}`,
});

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
    .map((name) => `${name}:${goText(member(value, name) ?? null)}`);
  return `map[${members.join(' ')}]`;
}
