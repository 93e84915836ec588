/** The type of a value. */
import { type JsonValue, Float, isJsonArray } from '../../ground/json.js';
import { goQuote } from '../../ground/revision.js';
import { type Finding } from './findings.js';
import { type ValueRules } from './value-rules.js';

/**
 * The finding when the value is of none of the types.
 *
 * A text passes any format but those of numbers here, since formats are checked apart; so does a list.
 * Source: kube-openapi validation/validate/type.go.
 */
export function typeFinding(value: JsonValue, rules: ValueRules, path: string): Finding | undefined {
  const { types, format } = rules;
  if (value === null) {
    return types.length > 0 && !rules.nullable ? typeMismatch(path, types.join(','), 'null') : undefined;
  }
  const type = typeOf(value);
  if (types.includes(type) && format === '') return undefined;
  const fits =
    types.includes(type) ||
    (type === 'number' && types.includes('integer') && isNearlyWhole(floatOf(value))) ||
    (type === 'integer' && types.includes('number'));
  const plain = type === 'string' || type === 'array';
  if (format !== '' && !plain && !fits) {
    const own = type === 'integer' ? 'int64' : type === 'number' ? 'float64' : '';
    if (own !== format) return typeMismatch(path, format, own);
  }
  if (format !== '' && plain && !types.includes('number') && !types.includes('integer')) return undefined;
  return fits ? undefined : typeMismatch(path, types.join(','), type);
}

export function typeMismatch(path: string, expected: string, found: string): Finding {
  return {
    path,
    text: `${path} in body must be of type ${expected}: ${goQuote(found)}`,
    reason: 'FieldValueTypeInvalid',
    value: found,
  };
}

function typeOf(value: JsonValue): string {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    case 'bigint':
      return 'integer';
    case 'string':
    case 'boolean':
      return typeof value;
    default:
      if (value instanceof Float) return 'number';
      return isJsonArray(value) ? 'array' : 'object';
  }
}

const floatOf = (value: JsonValue): number =>
  value instanceof Float ? value.value : typeof value === 'number' ? value : NaN;

const NEARNESS = 1e-9;

/** Whether a float counts as a whole number: within 2^53, and but for a billionth. Source: go-openapi swag/convert.go. */
export function isNearlyWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  // A negative float makes a huge unsigned number there, which is near nothing.
  return whole > 0 && (value - whole) / (value + whole) < NEARNESS;
}
