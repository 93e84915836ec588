/** JSONPath as the columns of custom resources use it: the dialect of Kubernetes, missing keys allowed. */
import { type JsonValue, Float, compareUtf8, isJsonArray, isJsonObject, member } from '../ground/json.js';
import { type PathList, type PathNode, PathSyntaxError } from './json-path-node.js';
import { parsePath } from './json-path-parser.js';

/** A number that is not of the document: written in the path, or a byte of a text. */
export class PathNumber {
  readonly value: bigint;
  readonly kind: 'int' | 'byte';
  constructor(value: bigint, kind: 'int' | 'byte') {
    this.value = value;
    this.kind = kind;
  }
}

export type PathValue = JsonValue | PathNumber;

export type PathReading =
  | {
      readonly ok: true;
      /** The first result; undefined when there is none, or evaluating fails. */ readonly first: (
        object: JsonValue,
      ) => PathValue | undefined;
    }
  | { readonly ok: false; readonly error: string };

/**
 * Compiles the path of a column, such as `.spec.ports[?(@.name=="http")].port`.
 *
 * Shape: a function that answers the first of the results. The members of an object are taken in the order of their
 * names, where a real server takes them in any order. `range` answers nothing: a real server evaluates it once and
 * then never again.
 * Errors: the text cannot be parsed. Source: client-go util/jsonpath/jsonpath.go.
 */
export function readJsonPath(path: string): PathReading {
  let nodes: PathList;
  try {
    nodes = parsePath(`{${path}}`);
  } catch (error) {
    if (error instanceof PathSyntaxError) return { ok: false, error: error.message };
    throw error;
  }
  return { ok: true, first: (object) => firstResult(nodes, object) };
}

function firstResult(nodes: PathList, object: JsonValue): PathValue | undefined {
  try {
    const results = nodes.map((node) => walk([object], node));
    return results[0]?.[0];
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

type Values = readonly PathValue[];

/** Thrown within this file only, and caught there. */
class EvaluationError extends Error {
  /** What had been found: the test for existence looks at it. */
  readonly found: Values;
  constructor(message: string, found: Values) {
    super(message);
    this.found = found;
  }
}

const walkAll = (input: Values, nodes: PathList): Values =>
  nodes.reduce<Values>((values, node) => walk(values, node), input);

function walk(input: Values, node: PathNode): Values {
  switch (node.kind) {
    case 'list':
      return walkAll(input, node.nodes);
    case 'text':
      return [node.text];
    case 'integer':
      return input.map(() => new PathNumber(node.value, 'int'));
    case 'float':
      return input.map(() => (Number.isInteger(node.value) ? new Float(node.value) : node.value));
    case 'boolean':
      return input.map(() => node.value);
    case 'field':
      return input.flatMap((value) => {
        const found = isObject(value) ? member(value, node.name) : undefined;
        return found === undefined ? [] : [found];
      });
    case 'wildcard':
      return input.flatMap(partsOf);
    case 'recursive':
      return input.flatMap(descendants);
    case 'slice':
      return input.flatMap((value) => sliced(value, node, input));
    case 'union':
      try {
        return node.parts.flatMap((part) => walkAll(input, part));
      } catch (error) {
        throw error instanceof EvaluationError ? new EvaluationError(error.message, input) : error;
      }
    case 'filter':
      return input.flatMap((value) => filtered(value, node, input));
    case 'identifier':
      throw new EvaluationError(`unrecognized identifier ${node.name}`, node.name === 'end' ? [] : input);
  }
}

const isObject = (
  value: PathValue,
): value is Exclude<PathValue, PathNumber> & Readonly<Record<string, JsonValue>> =>
  !(value instanceof PathNumber) && isJsonObject(value);

const isList = (value: PathValue): value is readonly JsonValue[] =>
  !(value instanceof PathNumber) && isJsonArray(value);

/** Members, elements, or the bytes of a text. */
function partsOf(value: PathValue): Values {
  if (isList(value)) return value;
  if (typeof value === 'string') {
    return [...Buffer.from(value)].map((byte) => new PathNumber(BigInt(byte), 'byte'));
  }
  if (!isObject(value)) return [];
  return Object.keys(value)
    .sort(compareUtf8)
    .map((name) => member(value, name) ?? null);
}

/** The value itself and all below it that have parts. */
function descendants(value: PathValue): Values {
  const parts = partsOf(value);
  return parts.length === 0 ? [] : [value, ...parts.flatMap(descendants)];
}

function sliced(value: PathValue, slice: Extract<PathNode, { kind: 'slice' }>, input: Values): Values {
  if (value === null) return [];
  if (!isList(value)) throw new EvaluationError('not an array or slice', input);
  const { length } = value;
  let start = slice.start ?? 0;
  if (start < 0) start += length;
  let end = slice.end ?? length;
  if (end < 0 || (end === 0 && slice.single)) end += length;
  if (start === end) return [];
  if (start >= length || start < 0 || end > length || end < 0 || start > end) {
    throw new EvaluationError('array index out of bounds', input);
  }
  const step = slice.step ?? 1;
  if (step <= 0) throw new EvaluationError('step must be > 0', input);
  return value.slice(start, end).filter((_, i) => i % step === 0);
}

function filtered(value: PathValue, filter: Extract<PathNode, { kind: 'filter' }>, input: Values): Values {
  if (!isList(value)) throw new EvaluationError('not an array or slice and cannot be filtered', input);
  return value.filter((element) => passes(element, filter, input));
}

function passes(
  element: JsonValue,
  { left, operator, right }: Extract<PathNode, { kind: 'filter' }>,
  input: Values,
): boolean {
  if (operator === 'exists') return foundBy(element, left).length > 0;
  const a = walkAll([element], left);
  if (a.length > 1) throw new EvaluationError('can only compare one element at a time', input);
  if (a[0] === undefined) return false;
  const b = walkAll([element], right);
  if (b.length > 1) throw new EvaluationError('can only compare one element at a time', input);
  if (b[0] === undefined) return false;
  switch (operator) {
    case '==':
      return equal(a[0], b[0]);
    case '!=':
      return !equal(a[0], b[0]);
    case '<':
      return order(a[0], b[0]) < 0;
    case '<=':
      return order(a[0], b[0]) <= 0;
    case '>':
      return order(a[0], b[0]) > 0;
    case '>=':
      return order(a[0], b[0]) >= 0;
    default:
      throw new EvaluationError(`unrecognized filter operator ${operator}`, input);
  }
}

function foundBy(element: JsonValue, path: PathList): Values {
  try {
    return walkAll([element], path);
  } catch (error) {
    if (error instanceof EvaluationError) return error.found;
    throw error;
  }
}

type Comparable =
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string };

/** Integers compare with integers and floats with floats, as kinds of Go. */
function comparable(value: PathValue): Comparable {
  if (value instanceof PathNumber) return { kind: 'int', value: value.value };
  if (value instanceof Float) return { kind: 'float', value: value.value };
  switch (typeof value) {
    case 'boolean':
      return { kind: 'bool', value };
    case 'bigint':
      return { kind: 'int', value };
    case 'number':
      return Number.isInteger(value) ? { kind: 'int', value: BigInt(value) } : { kind: 'float', value };
    case 'string':
      return { kind: 'string', value };
    default:
      throw new EvaluationError('invalid type for comparison', []);
  }
}

function equal(left: PathValue, right: PathValue): boolean {
  const [a, b] = [comparable(left), comparable(right)];
  if (a.kind !== b.kind) throw new EvaluationError('incompatible types for comparison', []);
  return a.value === b.value;
}

/** < 0, 0, > 0. */
function order(left: PathValue, right: PathValue): number {
  const [a, b] = [comparable(left), comparable(right)];
  if (a.kind !== b.kind) throw new EvaluationError('incompatible types for comparison', []);
  if (a.kind === 'bool') throw new EvaluationError('invalid type for comparison', []);
  if (a.kind === 'string' && b.kind === 'string') return compareUtf8(a.value, b.value);
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}
