/** What is wrong with an object for its schema, and whether anything is. */
import {
  type JsonObject,
  type JsonValue,
  Float,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  member,
} from '../ground/json.js';
import {
  type MapShape,
  type ListShape,
  type ScalarKind,
  type SchemaNode,
  formOf,
  partOf,
} from '../schema/schema-node.js';
import { goSyntax } from './go-syntax.js';
import { goTypeText, goValueText } from '../ground/go-value-text.js';
import { allHaveElements, itemElement } from './list-item.js';
import { fieldElement, indexElement, showElement } from './path-element.js';

type Keys = 'once' | 'repeated';

export interface TypedError {
  /** `.spec.items[name="a"]`; `''` at the root. */
  readonly path: string;
  readonly message: string;
}

/** `.spec.x: …`, or `errors:` and a line for each. Source: structured-merge-diff typed/helpers.go ValidationErrors. */
export function showTypedErrors(errors: readonly TypedError[]): string {
  const shown = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return shown.length === 1 ? (shown[0] ?? '') : ['errors:', ...shown.map((one) => `  ${one}`)].join('\n');
}

const isNumber = (value: JsonValue): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Float;

/** Whether a scalar (or null) of the schema's kind. */
export function fitsScalar(kind: ScalarKind, value: JsonValue): boolean {
  if (value === null) return true;
  switch (kind) {
    case 'numeric':
      return isNumber(value);
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'untyped':
      return typeof value !== 'object' || value instanceof Float;
  }
}

function scalarError(kind: ScalarKind, value: JsonValue): string {
  switch (kind) {
    case 'numeric':
      return `expected numeric (int or float), got ${goTypeText(value)}`;
    case 'string':
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return `expected boolean, got &{${goValueText(value)}}`;
    case 'untyped':
      return `expected any scalar, got &{${goValueText(value)}}`;
  }
}

/**
 * Whether an object fits its schema; keys may be there twice.
 * Source: structured-merge-diff typed/validate.go with AllowDuplicates.
 */
export function fits(node: SchemaNode, value: JsonValue): boolean {
  const part = partOf(node, formOf(node, value));
  if (part === 'scalar') return fitsScalar(node.scalar ?? 'untyped', value);
  if (value === null) return part !== undefined;
  if (part === 'list') {
    const { list } = node;
    if (list === undefined || !isJsonArray(value)) return false;
    if (list.relationship === 'associative' && !allHaveElements(list, value)) return false;
    const { items } = list;
    for (const item of value) if (!fits(items, item)) return false;
    return true;
  }
  const { map } = node;
  if (map === undefined || !isJsonObject(value)) return false;
  const { fields, others } = map;
  for (const name of Object.keys(value)) {
    const below = fields.get(name)?.node ?? others;
    if (below === undefined || !fits(below, value[name] ?? null)) return false;
  }
  return true;
}

/**
 * All that is wrong with an object for its schema.
 *
 * @param keys whether those of a list may be there twice: they may in a whole object, not in a part that is applied
 * Shape: members in byte order (a real server has no order there), items in theirs; empty when the object fits.
 * Source: structured-merge-diff typed/validate.go.
 */
export function typedErrors(node: SchemaNode, value: JsonValue, keys: Keys, path = ''): TypedError[] {
  const part = partOf(node, formOf(node, value));
  switch (part) {
    case 'scalar': {
      const kind = node.scalar ?? 'untyped';
      return fitsScalar(kind, value) ? [] : [{ path, message: scalarError(kind, value) }];
    }
    case 'list':
      if (value === null) return [];
      if (!isJsonArray(value)) return [{ path, message: `expected list, got &{${goValueText(value)}}` }];
      return node.list === undefined ? [] : listErrors(node.list, value, keys, path);
    case 'map':
      if (value === null) return [];
      if (!isJsonObject(value)) return [{ path, message: `expected map, got &{${goValueText(value)}}` }];
      return node.map === undefined ? [] : mapErrors(node.map, value, keys, path);
    case undefined:
      return [{ path, message: 'schema error: invalid atom: inlined' }];
  }
}

function listErrors(list: ListShape, items: readonly JsonValue[], keys: Keys, path: string): TypedError[] {
  const errors: TypedError[] = [];
  const seen = new Set<string>();
  for (const [i, item] of items.entries()) {
    let element = indexElement(i);
    if (list.relationship === 'associative') {
      const found = itemElement(list, item);
      if (!found.ok) return [...errors, { path, message: `element ${i}: ${found.error}` }];
      element = found.element;
      if (keys === 'once' && seen.has(element.text))
        errors.push({ path, message: `duplicate entries for key ${showElement(element)}` });
      seen.add(element.text);
    }
    errors.push(...typedErrors(list.items, item, keys, path + showElement(element)));
  }
  return errors;
}

function mapErrors(map: MapShape, value: JsonObject, keys: Keys, path: string): TypedError[] {
  const errors: TypedError[] = [];
  for (const name of Object.keys(value).sort(compareUtf8)) {
    const at = path + showElement(fieldElement(name));
    const below = map.fields.get(name)?.node ?? map.others;
    // A server looks no further into an object after a member that is not declared.
    if (below === undefined) return [...errors, { path: at, message: 'field not declared in schema' }];
    errors.push(...typedErrors(below, member(value, name) ?? null, keys, at));
  }
  return errors;
}
