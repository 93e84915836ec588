/** One step of a field path: which part of an object, list or set it goes into. */
import { type JsonValue, Float, compareUtf8, isJsonArray, isJsonObject } from '../ground/json.js';
import { writeJson } from '../ground/json-write.js';
import { goValueText } from '../ground/go-value-text.js';
import { goQuote } from '../ground/revision.js';

export type KeyField = readonly [name: string, value: JsonValue];

/**
 * What a step names: a member of an object, the item of a list with these key fields (sorted by name), the member of
 * a set with this value, or an item by its position. In the order in which sets keep them.
 */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'key'; readonly fields: readonly KeyField[] }
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'index'; readonly index: number };

const RANK = { field: 0, key: 1, value: 2, index: 3 } as const;

/**
 * A step with its text in FieldsV1 (`f:spec`, `k:{"name":"a"}`, `v:"a"`, `i:3`). Two steps are the same when their texts
 * are: numbers of equal value have one text, whether they are whole or floats.
 */
export class PathElement {
  readonly text: string;
  readonly step: Step;
  readonly rank: number;

  constructor(text: string, step: Step) {
    this.text = text;
    this.step = step;
    this.rank = RANK[step.kind];
  }
}

export const fieldElement = (name: string): PathElement =>
  new PathElement(`f:${name}`, { kind: 'field', name });

/** @param fields not yet sorted. */
export function keyElement(fields: readonly KeyField[]): PathElement {
  const sorted = fields.length < 2 ? fields : [...fields].sort(([a], [b]) => compareUtf8(a, b));
  let text = '';
  for (const [name, value] of sorted)
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${writeJson(value)}`;
  return new PathElement(`k:{${text}}`, { kind: 'key', fields: sorted });
}

export const valueElement = (value: JsonValue): PathElement =>
  new PathElement(`v:${writeJson(value)}`, { kind: 'value', value });

export const indexElement = (index: number): PathElement =>
  new PathElement(`i:${index}`, { kind: 'index', index });

/**
 * The order of sets: fields before keys before values before positions; within each by name or value.
 * Source: structured-merge-diff fieldpath/element.go Compare.
 */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b || a.text === b.text) return 0;
  if (a.rank !== b.rank) return a.rank - b.rank;
  // Equal ranks are equal kinds; the second comparison tells the compiler so.
  if (a.step.kind === 'key' && b.step.kind === 'key') return compareKeys(a.step.fields, b.step.fields);
  if (a.step.kind === 'value' && b.step.kind === 'value') return compareValues(a.step.value, b.step.value);
  if (a.step.kind === 'index' && b.step.kind === 'index') return a.step.index - b.step.index;
  return compareUtf8(a.text, b.text);
}

function compareKeys(a: readonly KeyField[], b: readonly KeyField[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const x = a[i];
    const y = b[i];
    if (x === undefined || y === undefined) break;
    const order = compareUtf8(x[0], y[0]) || compareValues(x[1], y[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const numeric = (value: JsonValue): number | bigint | undefined =>
  value instanceof Float
    ? value.value
    : typeof value === 'number' || typeof value === 'bigint'
      ? value
      : undefined;

function typeRank(value: JsonValue): number {
  if (numeric(value) !== undefined) return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  return isJsonArray(value) ? 3 : isJsonObject(value) ? 4 : 5;
}

/** Numbers, then texts, booleans, lists, objects, null. Source: structured-merge-diff value/value.go Compare. */
export function compareValues(a: JsonValue, b: JsonValue): number {
  const x = numeric(a);
  const y = numeric(b);
  if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return compareUtf8(a, b);
  const order = typeRank(a) - typeRank(b);
  if (order !== 0) return order;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return compareUtf8(writeJson(a), writeJson(b));
}

/** `.spec`, `[name="a",port=80]`, `[="a"]`, `[3]`: as messages show it. */
export function showElement({ step }: PathElement): string {
  switch (step.kind) {
    case 'field':
      return `.${step.name}`;
    case 'key':
      return `[${step.fields.map(([name, value]) => `${name}=${showValue(value)}`).join(',')}]`;
    case 'value':
      return `[=${showValue(step.value)}]`;
    case 'index':
      return `[${step.index}]`;
  }
}

export const showPath = (path: readonly PathElement[]): string => path.map(showElement).join('');

function showValue(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (isJsonArray(value)) return `[${value.map(showValue).join(',')}]`;
  if (isJsonObject(value))
    return Object.entries(value)
      .map(([name, one]) => `${name}=${showValue(one)}`)
      .join('');
  return value === null ? 'null' : goValueText(value);
}

export type ParsedElement =
  | { readonly kind: 'element'; readonly element: PathElement }
  /** Of a kind that a later version may know: left out. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'bad' };

const BAD: ParsedElement = { kind: 'bad' };

/**
 * Reads the text of one step. Numbers become what float64 keeps of them.
 * Source: structured-merge-diff fieldpath/serialize-pe.go DeserializePathElement.
 */
export function parseElement(text: string): ParsedElement {
  if (text.length < 2 || text[1] !== ':') return BAD;
  const rest = text.slice(2);
  switch (text[0]) {
    case 'f':
      return { kind: 'element', element: new PathElement(text, { kind: 'field', name: rest }) };
    case 'v': {
      const value = parsed(rest);
      return value === undefined ? BAD : { kind: 'element', element: valueElement(value) };
    }
    case 'k': {
      const value = parsed(rest);
      if (!isJsonObject(value)) return BAD;
      return { kind: 'element', element: keyElement(Object.entries(value)) };
    }
    case 'i':
      return /^[+-]?[0-9]+$/.test(rest) ? { kind: 'element', element: indexElement(Number(rest)) } : BAD;
    default:
      return { kind: 'unknown' };
  }
}

function parsed(text: string): JsonValue | undefined {
  try {
    // JSON.parse answers JSON values and nothing else.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
