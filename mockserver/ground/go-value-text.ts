/** Values as Go's fmt prints them, which is how errors show a strategic merge patch. */
import { goFloat } from './go-float.js';
import { compareUtf8, Float, isJsonArray, isJsonObject, member, type JsonValue } from './json.js';

/**
 * `map[a:1 b:[x <nil>]]`: what `%v` prints of decoded JSON.
 *
 * Shape: members in byte order of their names, texts without quotes. Source: Go fmt/print.go.
 */
export function goValueText(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(goValueText).join(' ')}]`;
  if (isJsonObject(value)) {
    const names = Object.keys(value).sort(compareUtf8);
    return `map[${names.map((name) => `${name}:${goValueText(member(value, name) ?? null)}`).join(' ')}]`;
  }
  if (value === null) return '<nil>';
  if (value instanceof Float) return goFloat(value.value);
  return typeof value === 'number' && !Number.isInteger(value) ? goFloat(value) : String(value);
}

/** What `%s` prints: texts as they are, anything else with the type that should not be there. */
export function goStringVerb(value: JsonValue): string {
  return value === null ? '%!s(<nil>)' : stringVerbWithin(value);
}

/** Inside maps and lists nil is what it is everywhere. */
function stringVerbWithin(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (isJsonArray(value)) return `[${value.map(stringVerbWithin).join(' ')}]`;
  if (isJsonObject(value)) {
    const names = Object.keys(value).sort(compareUtf8);
    return `map[${names.map((name) => `${name}:${stringVerbWithin(member(value, name) ?? null)}`).join(' ')}]`;
  }
  return value === null ? '<nil>' : `%!s(${goKindOf(value)}=${goValueText(value)})`;
}

export type GoKind = 'nil' | 'string' | 'bool' | 'int64' | 'float64' | 'slice' | 'map';

/** What a server's decoder makes of a JSON value that has no type of its own. */
export function goKindOf(value: JsonValue): GoKind {
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
      if (value === null) return 'nil';
      if (value instanceof Float) return 'float64';
      return isJsonArray(value) ? 'slice' : 'map';
  }
}

/** The same as the name of the whole type. */
export function goTypeText(value: JsonValue): string {
  const kind = goKindOf(value);
  if (kind === 'slice') return '[]interface {}';
  if (kind === 'map') return 'map[string]interface {}';
  return kind === 'nil' ? '%!s(<nil>)' : kind;
}
