/** Functions of lists and sets. Source: apiserver pkg/cel/library/lists.go; cel-go ext/lists.go (3), ext/sets.go. */
import { CelError } from './cel-error.js';
import { compareValues, valuesEqual } from './equality.js';
import { checkedInt, checkedUint } from './library-operators.js';
import { type Overload, forEachType, func, method } from './overload.js';
import { double, duration, int, list, uint } from './readers.js';
import { Duration, ListValue, Uint, type Value } from './values.js';
import { checkWeight } from './weight.js';

const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

const isSorted = (elements: readonly Value[]): boolean =>
  elements.every((one, i) => i === 0 || compareValues(elements[i - 1] ?? null, one) <= 0);

/** @param sign -1: the least, 1: the greatest */
function extreme(elements: readonly Value[], sign: number, name: string): Value {
  const [first, ...others] = elements;
  if (first === undefined) throw new CelError(`${name} called on empty list`);
  return others.reduce((best, one) => (Math.sign(compareValues(one, best)) === sign ? one : best), first);
}

const sum = (value: Value, zero: Value, add: (a: Value, b: Value) => Value): Value =>
  list(value).elements.reduce(add, zero);

function flattened(elements: readonly Value[], depth: bigint): readonly Value[] {
  if (depth < 0n) throw new CelError('level must be non-negative');
  if (depth === 0n) return elements;
  return elements.flatMap((one) => (one instanceof ListValue ? flattened(one.elements, depth - 1n) : [one]));
}

function slice(value: Value, start: bigint, end: bigint): ListValue {
  const { elements } = list(value);
  const refuse = (why: string): CelError => new CelError(`cannot slice(${start}, ${end}), ${why}`);
  if (start < 0n || end < 0n) throw refuse('negative indexes not supported');
  if (start > end) throw refuse('start index must be less than or equal to end index');
  if (end > BigInt(elements.length)) throw refuse(`list is length ${elements.length}`);
  return new ListValue(elements.slice(Number(start), Number(end)));
}

function sorted(value: Value): ListValue {
  const elements = [...list(value).elements];
  return new ListValue(elements.sort(compareValues));
}

function flattenedList(value: Value, depth: bigint): ListValue {
  checkWeight(value);
  return new ListValue(flattened(list(value).elements, depth));
}

function distinct(elements: readonly Value[]): readonly Value[] {
  const out: Value[] = [];
  for (const one of elements) if (!out.some((other) => valuesEqual(other, one))) out.push(one);
  return out;
}

/** What that costs has been spent before, so that it is not too long. */
const range = (count: bigint): ListValue =>
  new ListValue(Array.from({ length: Math.max(0, Number(count)) }, (_one, i) => BigInt(i)));

function indexOf(value: Value, item: Value): bigint {
  return BigInt(list(value).elements.findIndex((one) => valuesEqual(one, item)));
}

function lastIndexOf(value: Value, item: Value): bigint {
  return BigInt(list(value).elements.findLastIndex((one) => valuesEqual(one, item)));
}

const contains = (value: Value, others: Value): boolean => {
  const { elements } = list(value);
  return list(others).elements.every((one) => elements.some((other) => valuesEqual(other, one)));
};

const intersects = (value: Value, others: Value): boolean => {
  const { elements } = list(value);
  return list(others).elements.some((one) => elements.some((other) => valuesEqual(other, one)));
};

export const LIST_LIBRARY: readonly Overload[] = [
  ...forEachType(COMPARABLE, (type) => [
    method(`list(${type}).isSorted(): bool`, (a) => isSorted(list(a).elements)),
    method(`list(${type}).min(): ${type}`, (a) => extreme(list(a).elements, -1, 'min')),
    method(`list(${type}).max(): ${type}`, (a) => extreme(list(a).elements, 1, 'max')),
    method(`list(${type}).sort(): list(${type})`, (a) => sorted(a)),
  ]),
  method('list(int).sum(): int', (a) => sum(a, 0n, (b, c) => checkedInt(int(b) + int(c)))),
  method('list(uint).sum(): uint', (a) => sum(a, new Uint(0n), (b, c) => checkedUint(uint(b) + uint(c)))),
  method('list(double).sum(): double', (a) => sum(a, 0, (b, c) => double(b) + double(c))),
  method('list(duration).sum(): duration', (a) =>
    sum(a, new Duration(0n), (b, c) => new Duration(duration(b) + duration(c))),
  ),
  method('list(T).indexOf(T): int', indexOf),
  method('list(T).lastIndexOf(T): int', lastIndexOf),
  method('list(T).slice(int, int): list(T)', (a, b, c) => slice(a, int(b), int(c))),
  method('list(list(T)).flatten(): list(T)', (a) => flattenedList(a, 1n)),
  method('list(dyn).flatten(int): list(dyn)', (a, b) => flattenedList(a, int(b))),
  method('list(T).reverse(): list(T)', (a) => new ListValue([...list(a).elements].reverse())),
  method('list(T).distinct(): list(T)', (a) => new ListValue(distinct(list(a).elements))),
  func('lists.range(int): list(int)', (a) => range(int(a))),
  func('sets.contains(list(T), list(T)): bool', contains),
  func('sets.equivalent(list(T), list(T)): bool', (a, b) => contains(a, b) && contains(b, a)),
  func('sets.intersects(list(T), list(T)): bool', intersects),
];
