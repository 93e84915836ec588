/**
 * What calls of functions have cost, by the sizes of what they were given.
 *
 * Source: apiserver pkg/cel/library/cost.go, CallCost; cel-go interpreter/runtimecost.go, ext/lists.go and ext/sets.go.
 */
import { codePointsOf } from './code-points.js';
import { MAKES_LIST, PATTERN, TRAVERSAL } from './size.js';
import { Bytes, ListValue, Opaque, OptionalValue, type Value, isMapValue } from './values.js';

/** Units, given the arguments; the first is what a method is called on. */
export type CallCost = (a: Value, b: Value, c?: Value) => number;

function sizeOf(value: Value): number {
  if (typeof value === 'string') return lengthOf(value);
  if (value instanceof ListValue) return value.size;
  if (value instanceof Bytes) return value.bytes.length;
  if (value instanceof OptionalValue && value.value !== undefined) return sizeOf(value.value);
  return isMapValue(value) ? value.size : 1;
}

const ASCII_ONLY = /^[\0-\x7f]*$/;

const lengthOf = (text: string): number => (ASCII_ONLY.test(text) ? text.length : codePointsOf(text).length);

const traversed = (size: number, factor = TRAVERSAL): number => Math.ceil(size * factor);

const reads: CallCost = (a) => traversed(sizeOf(a));
const readsTwice: CallCost = (a) => traversed(sizeOf(a), 2 * TRAVERSAL);
const matches: CallCost = (a, b) => traversed(sizeOf(a) + 1) * traversed(sizeOf(b), PATTERN);
const contains: CallCost = (a, b) => traversed(sizeOf(a)) * traversed(sizeOf(b));
const compares: CallCost = (a, b) => (a instanceof Opaque ? 1 : traversed(Math.min(sizeOf(a), sizeOf(b))));
const orders: CallCost = (a, b) => (isText(a) ? compares(a, b) : 1);
const adds: CallCost = (a, b) => (isText(a) ? traversed(sizeOf(a) + sizeOf(b)) : 1);
const among: CallCost = (_a, b) => (b instanceof ListValue ? b.size : 1);

const isText = (value: Value): boolean => typeof value === 'string' || value instanceof Bytes;

/** Through all that a value holds. */
function readsAll(value: Value): number {
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * TRAVERSAL);
  if (value instanceof Bytes) return Math.floor(value.bytes.length * TRAVERSAL);
  if (value instanceof ListValue) return value.elements.reduce<number>((sum, one) => sum + readsAll(one), 0);
  if (!isMapValue(value)) return 1;
  return value
    .keys()
    .reduce<number>((sum, key) => sum + readsAll(key) + readsAll(value.find(key) ?? null), 0);
}

/** The text that is made is about as long as those that it is made of. */
function joins(list: Value, separator: Value): number {
  if (!(list instanceof ListValue)) return 1;
  const between = typeof separator === 'string' ? sizeOf(separator) * Math.max(0, list.size - 1) : 0;
  return traversed(
    list.elements.reduce<number>((sum, one) => sum + sizeOf(one), between),
    2 * TRAVERSAL,
  );
}

const makesList = (size: number, each: number): number => Math.floor(size * each) + 1 + MAKES_LIST;
const intOf = (value: Value): number => (typeof value === 'bigint' ? Math.max(0, Number(value)) : 0);

const counts: CallCost = (a) => makesList(intOf(a), 1);
const slices: CallCost = (_a, b, c = 0n) => makesList(Math.max(0, intOf(c) - intOf(b)), 1);
const copies: CallCost = (a) => makesList(sizeOf(a), 1);
const flattens: CallCost = (a, b) => makesList(sizeOf(a), b === null ? 1 : intOf(b));
function comparesAll(value: Value): number {
  const size = sizeOf(value);
  const isOfTexts = value instanceof ListValue && isText(value.elements[0] ?? null);
  return makesList(size * size, isOfTexts ? 2 + TRAVERSAL : 2);
}

const comparesSets =
  (factor: number): CallCost =>
  (a, b) =>
    1 + sizeOf(a) * sizeOf(b) * factor;

/** A network and an address have no size of their own. */
const holdsAddress: CallCost = (_a, b) => 1 + (typeof b === 'string' ? traversed(sizeOf(b)) : 0);
const holdsNetwork: CallCost = (a, b) => holdsAddress(a, b) + 2;

/** Longest pattern behind a named format. */
const FORMAT_PATTERN = 128;
const validates: CallCost = (_a, b) => traversed(sizeOf(b) + 1) * traversed(FORMAT_PATTERN, PATTERN);

const table = (names: string, cost: CallCost): readonly (readonly [string, CallCost])[] =>
  names.split(' ').map((name) => [name, cost]);

const COSTS: ReadonlyMap<string, CallCost> = new Map([
  ...table('isSorted sum max min indexOf lastIndexOf', readsAll),
  ...table('url lowerAscii upperAscii substring trim', reads),
  ...table('ip cidr isIP isCIDR quantity isQuantity semver isSemver', reads),
  ...table('startsWith endsWith format strings.quote', reads),
  ...table('replace split ip.isCanonical', readsTwice),
  ...table('matches find findAll', matches),
  ...table('_<_ _<=_ _>_ _>=_', orders),
  ...table('_==_ _!=_', compares),
  ...table('sets.contains sets.intersects', comparesSets(1)),
  ['reverse', copies],
  ['slice', slices],
  ...table('distinct sort', comparesAll),
  ['sets.equivalent', comparesSets(2)],
  ['join', joins],
  ['containsIP', holdsAddress],
  ['containsCIDR', holdsNetwork],
  ['validate', validates],
  ['contains', contains],
  ['lists.range', counts],
  ['flatten', flattens],
  ['bytes', reads],
  ['string', (a) => (a instanceof Bytes ? reads(a, null) : 1)],
  ['@in', among],
  ['_+_', adds],
]);

/** Undefined: one unit. */
export const callCost = (name: string): CallCost | undefined => COSTS.get(name);

export const sortCost: (keys: Value) => number = comparesAll;
