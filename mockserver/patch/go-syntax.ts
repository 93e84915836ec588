/** JSON values as Go's `%#v` prints them, which is how errors of typed objects show a text that is none. */
import { type JsonValue, compareUtf8, isJsonArray, isJsonObject, member } from '../ground/json.js';
import { goQuote } from '../ground/revision.js';
import { goValueText } from '../ground/go-value-text.js';

/**
 * `map[string]interface {}{"a":1}`, `interface {}(nil)`, quoted text.
 *
 * Shape: members in byte order of their names. Source: Go fmt/print.go.
 */
export function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (isJsonArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return goValueText(value);
  const names = Object.keys(value).sort(compareUtf8);
  return `map[string]interface {}{${names
    .map((name) => `${goQuote(name)}:${goSyntax(member(value, name) ?? null)}`)
    .join(', ')}}`;
}
