/** JSON values in the words of Go's fmt, as errors of typed objects show them. */
import { type JsonValue, Float, compareUtf8, isJsonArray, isJsonObject, member } from '../ground/json.js';
import { goQuote } from '../ground/revision.js';

/** `%v` of a number: a float as goFloat has it. */
export const goNumber = (value: number | bigint | Float): string => {
  const plain = value instanceof Float ? value.value : value;
  if (typeof plain === 'bigint' || (Number.isInteger(plain) && !(value instanceof Float)))
    return String(plain);
  return goFloat(plain);
};

/** `%v` of a float64: the shortest digits, with an exponent below 1e-4 and from 1e21 on. Source: Go fmt, verb %g. */
export function goFloat(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 21) {
    if (power < 0) {
      const bare = digits.replace('.', '').replace('-', '');
      return `${value < 0 ? '-' : ''}0.${'0'.repeat(-power - 1)}${bare}`;
    }
    return String(value);
  }
  const sign = power < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(power)).padStart(2, '0')}`;
}

const sortedNames = (value: object): string[] => Object.keys(value).sort(compareUtf8);

/** `%v`: `map[a:1]`, `[1 2]`, `<nil>`, text without quotes. */
export function goPlain(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (isJsonArray(value)) return `[${value.map(goPlain).join(' ')}]`;
  if (isJsonObject(value))
    return `map[${sortedNames(value)
      .map((name) => `${name}:${goPlain(member(value, name) ?? null)}`)
      .join(' ')}]`;
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : goNumber(value);
}

/** `%#v`: `map[string]interface {}{"a":1}`, `interface {}(nil)`, quoted text. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (isJsonArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (isJsonObject(value))
    return `map[string]interface {}{${sortedNames(value)
      .map((name) => `${goQuote(name)}:${goSyntax(member(value, name) ?? null)}`)
      .join(', ')}}`;
  return typeof value === 'boolean' ? String(value) : goNumber(value);
}

/** `%T`: `string`, `map[string]interface {}`. */
export function goTypeOf(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isJsonArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  return value instanceof Float || (typeof value === 'number' && !Number.isInteger(value))
    ? 'float64'
    : 'int64';
}
