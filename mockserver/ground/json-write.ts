/** Writes JSON as Go writes it. */
import { type JsonObject, type JsonValue, Float, compareUtf8, isJsonArray } from './json.js';
import { readExactly } from './json-exact.js';

/** JSON.stringify recurses; deeper values are written without recursion. */
const DEEPEST_PLAIN = 500;

/**
 * One value as compact JSON, as Go's encoder writes it: `<`, `>`, `&`, U+2028 and U+2029 as `\u003c` …, bytes that are no text
 * (`decodeKeepingBytes`) as `\ufffd`, floats as ECMAScript has them.
 *
 * Members are written in the order in which they stand. An object with a name like an array index (`"10"`), which
 * JavaScript would move to the front, is taken for a Go map, as only those have such names: its members are
 * written in the byte order of their names.
 */
export function writeJson(value: JsonValue): string {
  return isPlain(value, 0) ? writePlainJson(value) : writeExactly(value, '');
}

/** The same as UTF-8. */
export function writeJsonBytes(value: JsonValue): Buffer {
  return Buffer.from(writeJson(value));
}

/** What writeJson writes of a value that `sealJson` has called plain, without looking again. */
export function writePlainJson(value: JsonValue): string {
  return escapeHtml(JSON.stringify(value));
}

/** Indented, without a newline at the end; `{}` and `[]` stay on one line. Source: Go's json.MarshalIndent. */
export function writePretty(value: JsonValue, indent = '  '): string {
  return isPlain(value, 0) ? escapeHtml(JSON.stringify(value, null, indent)) : writeExactly(value, indent);
}

/**
 * Freezes a value with all that is in it. Answers whether it is plain, so that writePlainJson writes it right: no bigint,
 * no member name like an array index, not very deep.
 */
export function sealJson(value: JsonValue): boolean {
  let plain = true;
  const left: JsonValue[] = [value];
  const levels: number[] = [0];
  while (left.length > 0) {
    const one = left.pop() ?? null;
    const level = levels.pop() ?? 0;
    if (typeof one === 'bigint') plain = false;
    if (typeof one !== 'object' || one === null) continue;
    Object.freeze(one);
    if (one instanceof Float) continue;
    if (level > DEEPEST_PLAIN) plain = false;
    if (isJsonArray(one)) {
      for (const item of one) {
        if (typeof item === 'bigint' || (typeof item === 'object' && item !== null)) {
          left.push(item);
          levels.push(level + 1);
        }
      }
      continue;
    }
    if (mayHaveIndexNames(one)) plain = false;
    for (const name in one) {
      const member = one[name] ?? null;
      if (typeof member === 'bigint' || (typeof member === 'object' && member !== null)) {
        left.push(member);
        levels.push(level + 1);
      }
    }
  }
  return plain;
}

/**
 * The value that reading its own text gives: a float64 whose text is an integer (`1.0` is written `1`) becomes an int64. This is
 * what happens to an object when it is stored. The same value comes back when nothing changes.
 */
export function asStored(value: JsonValue): JsonValue {
  return hasFloat(value) ? readExactly(writeJson(value), 'replace').value : value;
}

function hasFloat(value: JsonValue): boolean {
  const left: JsonValue[] = [value];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    if (one instanceof Float) return true;
    for (const inner of isJsonArray(one) ? one : Object.values(one)) {
      if (typeof inner === 'object' && inner !== null) left.push(inner);
    }
  }
  return false;
}

/** Names like array indexes are enumerated first, so that the first name tells; some other names with a digit are suspected too. */
function mayHaveIndexNames(object: JsonObject): boolean {
  for (const name in object) {
    const first = name.charCodeAt(0);
    return first >= 0x30 && first <= 0x39;
  }
  return false;
}

function isPlain(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (value instanceof Float) return true;
  if (depth > DEEPEST_PLAIN) return false;
  if (isJsonArray(value)) {
    for (const item of value) if (!isPlain(item, depth + 1)) return false;
    return true;
  }
  let first = true;
  for (const name in value) {
    if (first) {
      first = false;
      const lead = name.charCodeAt(0);
      if (lead >= 0x30 && lead <= 0x39) return false;
    }
    const member = value[name];
    if (
      typeof member === 'object' ? member !== null && !isPlain(member, depth + 1) : typeof member === 'bigint'
    ) {
      return false;
    }
  }
  return true;
}

const HTML = /[<>&\u2028\u2029]/g;

function escapeHtml(text: string): string {
  const escaped =
    text.search(HTML) < 0
      ? text
      : text.replace(HTML, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return escaped.includes('\\udc')
    ? escaped.replace(/\\\\|\\udc[89a-f]./g, (found) => (found === '\\\\' ? found : '\\ufffd'))
    : escaped;
}

const ESCAPED_HTML = /\\\\|\\u(003c|003e|0026|2028|2029)/g;

/** A text of writeJson as an encoder of Go writes it that has no browsers in mind. Source: kube-openapi, OpenAPI v2. */
export const withoutHtmlEscapes = (json: string): string =>
  json.replace(ESCAPED_HTML, (found, code: string | undefined) =>
    code === undefined ? found : String.fromCharCode(parseInt(code, 16)),
  );

interface Open {
  /** Undefined in an array. */
  readonly names: readonly string[] | undefined;
  readonly values: JsonObject | readonly JsonValue[];
  readonly length: number;
  next: number;
}

/** Without recursion. `indent` is empty for compact text. */
function writeExactly(value: JsonValue, indent: string): string {
  const parts: string[] = [];
  const open: Open[] = [];
  const newline = (): void => {
    if (indent !== '') parts.push('\n', indent.repeat(open.length));
  };
  const begin = (one: JsonValue): void => {
    if (typeof one === 'bigint') parts.push(one.toString());
    else if (typeof one !== 'object' || one === null || one instanceof Float)
      parts.push(escapeHtml(JSON.stringify(one)));
    else {
      const names = isJsonArray(one) ? undefined : namesInOrder(one);
      const length = names?.length ?? (one as readonly JsonValue[]).length; // as: without names it is an array
      if (length === 0) parts.push(names === undefined ? '[]' : '{}');
      else {
        parts.push(names === undefined ? '[' : '{');
        open.push({ names, values: one, length, next: 0 });
      }
    }
  };
  begin(value);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.next === top.length) {
      open.pop();
      newline();
      parts.push(top.names === undefined ? ']' : '}');
      continue;
    }
    if (top.next > 0) parts.push(',');
    newline();
    const key: string | number = top.names?.[top.next] ?? top.next;
    if (typeof key === 'string') parts.push(escapeHtml(JSON.stringify(key)), indent === '' ? ':' : ': ');
    top.next++;
    // as: the key is a name or an index, as the value has it
    begin((top.values as Readonly<Record<string | number, JsonValue>>)[key] ?? null);
  }
  return parts.join('');
}

const INDEX = /^(?:0|[1-9][0-9]{0,9})$/;

function namesInOrder(object: JsonObject): readonly string[] {
  const names = Object.keys(object);
  return INDEX.test(names[0] ?? '') ? names.sort(compareUtf8) : names;
}
