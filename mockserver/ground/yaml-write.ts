/** Writes YAML as Go's packages do: yaml.v2 for what a server answers to `Accept: application/yaml`, yaml.v3 inside of OpenAPI. */
import { type JsonArray, type JsonObject, type JsonValue, isJsonArray, isJsonObject } from './json.js';
import { compareNames } from './name-order.js';
import { bareError } from './status.js';
import { type Dialect, VERSION_2, VERSION_3 } from './yaml-dialect.js';
import { deeper, Emitter } from './yaml-emitter.js';
import { type Place } from './yaml-style.js';

/**
 * One value as a YAML document, ending in a newline. Names are sorted as people sort them (`a2` before `a10`), lists stand at the
 * indentation of their names, texts of several lines are literal blocks, and lines are folded behind column 80.
 * Errors: StatusError 500 for a text with a control character beyond ASCII's first 32, as a real server answers: it reads its
 * own JSON as YAML on the way.
 * Source: go.yaml.in/yaml/v2 encode.go, sorter.go and emitterc.go (libyaml's rules).
 */
export function writeYaml(value: JsonValue): string {
  return written(value, VERSION_2);
}

/**
 * One value as yaml.v3 writes a tree that it has read from JSON: names in their order, lists indented by four, no line folded,
 * numbers as JSON has them. Source: go.yaml.in/yaml/v3 encode.go, node; emitterc.go.
 */
export function writeYamlNode(value: JsonValue): string {
  return written(value, VERSION_3);
}

/** Bytes that are no text, as `decodeKeepingBytes` reads them. */
const KEPT_BYTES = /[\udc80-\udcff]/gu;

function written(value: JsonValue, dialect: Dialect): string {
  const emitter = new Emitter(dialect);
  const namesOf = (map: JsonObject): readonly string[] =>
    dialect.sorted ? Object.keys(map).sort(compareNames) : Object.keys(map);
  const check = (text: string): void => {
    if (dialect.refusesControls) refuseControls(text);
  };
  const open: Level[] = [];
  const begin = (one: JsonValue, indent: number, place: Place): void => {
    if (isJsonArray(one) && one.length > 0) {
      // In a map a list does not move to the right, unless it stands on the line of a `-` or `?`.
      const still = dialect.listsStay && place === 'value' && !emitter.indention;
      open.push({ indent: still ? Math.max(indent, 0) : deeper(dialect, indent, place), list: one, next: 0 });
    } else if (isJsonObject(one) && Object.keys(one).length > 0) {
      open.push({ indent: deeper(dialect, indent, place), map: one, names: namesOf(one), next: 0 });
    } else {
      if (typeof one === 'string') check(one);
      emitter.scalar(typeof one === 'string' ? one.replace(KEPT_BYTES, '\ufffd') : one, indent, place);
    }
  };
  begin(value, -1, 'root');
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    if ('list' in level) {
      const item = level.list[level.next++];
      if (item === undefined) open.pop();
      else {
        emitter.newline(level.indent);
        emitter.indicator('-', { spaceBefore: true, indention: true });
        begin(item, level.indent, 'item');
      }
      continue;
    }
    const name = level.names[level.next++];
    if (name === undefined) {
      open.pop();
      continue;
    }
    check(name);
    emitter.key(name, level.indent);
    begin(level.map[name] ?? null, level.indent, 'value');
  }
  emitter.newline(0);
  return emitter.text();
}

function refuseControls(text: string): void {
  if (/[\x7f-\x84\x86-\x9f\ufffe\uffff]/.test(text)) {
    throw bareError(500, 'yaml: control characters are not allowed');
  }
}

type Level =
  | { readonly indent: number; readonly list: JsonArray; next: number }
  | { readonly indent: number; readonly map: JsonObject; readonly names: readonly string[]; next: number };
