/** Values that are listed. */
import { notSupported } from '../../ground/field-error.js';
import { type JsonArray, type JsonValue, isJsonArray, isJsonObject, jsonEqual } from '../../ground/json.js';
import { writeJson } from '../../ground/json-write.js';
import { type Finding } from './findings.js';
import { asFloat } from './value-rules.js';

/**
 * The finding when the value is none of those listed.
 *
 * A number counts as listed when it becomes one by Go's conversion of types: a float loses its fraction, an int64 is a
 * character. A listed null never counts.
 * Source: kube-openapi validation/validate/validator.go, basicCommonValidator.
 */
export function enumFinding(value: JsonValue, listed: JsonArray, path: string): Finding | undefined {
  for (const one of listed) if (isListed(value, one)) return undefined;
  const values = listed.map((one) => (typeof one === 'string' ? one : writeJson(one)));
  const { reason, detail } = notSupported('', value, values);
  return { path, text: `${path} in body should be one of [${values.join(' ')}]`, reason, value, detail };
}

function isListed(value: JsonValue, listed: JsonValue): boolean {
  if (value === null || listed === null) return false;
  if (value === listed || jsonEqual(value, listed)) return true;
  if (isJsonArray(value) || isJsonObject(value)) return false;
  const number = asFloat(value);
  if (number === undefined) return false;
  const whole = isWhole(value);
  if (typeof listed === 'string') return whole && listed === character(number);
  const other = asFloat(listed);
  if (other === undefined) return false;
  return isWhole(listed) ? Math.trunc(number) === other : number === other;
}

const isWhole = (value: JsonValue): boolean =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));

const character = (code: number): string =>
  code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
