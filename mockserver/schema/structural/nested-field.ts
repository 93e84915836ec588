/** A field deep in an object without a type, read as a server's accessors read it. */
import { goTypeText, goValueText } from '../../ground/go-value-text.js';
import { type JsonObject, type JsonValue, isJsonObject, member } from '../../ground/json.js';

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
  why: `.${steps.join('.')} accessor error: ${goValueText(value)} is of the type ${goType(value)}, expected ${expected}`,
});

/** A missing type is `<nil>` here, not what `%s` makes of it. */
const goType = (value: JsonValue): string => (value === null ? '<nil>' : goTypeText(value));
