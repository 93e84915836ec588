/** Operators: arithmetic, order, indexing and membership. Source: the CEL language definition, "Standard Definitions". */
import { CelError, noSuchOverload } from './cel-error.js';
import { compareValues, valuesEqual } from './equality.js';
import { type Overload, forEachType, func } from './overload.js';
import { bool, bytes, double, duration, int, list, map, text, timestamp, uint } from './readers.js';
import { Bytes, Duration, ListValue, Timestamp, Uint, type Value, plainText } from './values.js';

const INT_LIMIT = 2n ** 63n;
const UINT_LIMIT = 2n ** 64n;

export function checkedInt(value: bigint, error = 'integer overflow'): bigint {
  if (value >= INT_LIMIT || value < -INT_LIMIT) throw new CelError(error);
  return value;
}

export function checkedUint(value: bigint): Uint {
  if (value >= UINT_LIMIT || value < 0n) throw new CelError('unsigned integer overflow');
  return new Uint(value);
}

const checkedDuration = (nanos: bigint): Duration => new Duration(checkedInt(nanos, 'duration overflow'));

const FIRST_NANOS = -62_135_596_800_000_000_000n;
const LAST_NANOS = 253_402_300_799_999_999_999n;

/** Errors: `timestamp overflow` before the year 1 or after 9999. */
export function checkedTimestamp(nanos: bigint, zone?: string): Timestamp {
  if (nanos < FIRST_NANOS || nanos > LAST_NANOS) throw new CelError('timestamp overflow');
  return new Timestamp(nanos, zone);
}

function moved(value: Value, nanos: bigint): Timestamp {
  if (!(value instanceof Timestamp)) throw noSuchOverload();
  return checkedTimestamp(value.nanos + nanos, value.zone);
}

function divided(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new CelError('division by zero');
  return a / b;
}

function remainder(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new CelError('modulus by zero');
  return a % b;
}

export function addLists(a: ListValue, b: ListValue): ListValue {
  return a.semantics === undefined ? ListValue.joining(a, b) : a.semantics.add(a, b);
}

const ARITHMETIC: readonly Overload[] = [
  func('_+_(int, int): int', (a, b) => checkedInt(int(a) + int(b))),
  func('_+_(uint, uint): uint', (a, b) => checkedUint(uint(a) + uint(b))),
  func('_+_(double, double): double', (a, b) => double(a) + double(b)),
  func('_+_(string, string): string', (a, b) => text(a) + text(b)),
  func('_+_(bytes, bytes): bytes', (a, b) => new Bytes(Buffer.concat([bytes(a), bytes(b)]))),
  func('_+_(list(T), list(T)): list(T)', (a, b) => addLists(list(a), list(b))),
  func('_+_(timestamp, duration): timestamp', (a, b) => moved(a, duration(b))),
  func('_+_(duration, timestamp): timestamp', (a, b) => moved(b, duration(a))),
  func('_+_(duration, duration): duration', (a, b) => checkedDuration(duration(a) + duration(b))),
  func('_-_(int, int): int', (a, b) => checkedInt(int(a) - int(b))),
  func('_-_(uint, uint): uint', (a, b) => checkedUint(uint(a) - uint(b))),
  func('_-_(double, double): double', (a, b) => double(a) - double(b)),
  func('_-_(timestamp, timestamp): duration', (a, b) => checkedDuration(timestamp(a) - timestamp(b))),
  func('_-_(timestamp, duration): timestamp', (a, b) => moved(a, -duration(b))),
  func('_-_(duration, duration): duration', (a, b) => checkedDuration(duration(a) - duration(b))),
  func('_*_(int, int): int', (a, b) => checkedInt(int(a) * int(b))),
  func('_*_(uint, uint): uint', (a, b) => checkedUint(uint(a) * uint(b))),
  func('_*_(double, double): double', (a, b) => double(a) * double(b)),
  func('_/_(int, int): int', (a, b) => checkedInt(divided(int(a), int(b)))),
  func('_/_(uint, uint): uint', (a, b) => new Uint(divided(uint(a), uint(b)))),
  func('_/_(double, double): double', (a, b) => double(a) / double(b)),
  func('_%_(int, int): int', (a, b) => remainder(int(a), int(b))),
  func('_%_(uint, uint): uint', (a, b) => new Uint(remainder(uint(a), uint(b)))),
  func('-_(int): int', (a) => checkedInt(-int(a))),
  func('-_(double): double', (a) => -double(a)),
  func('!_(bool): bool', (a) => !bool(a)),
];

const ORDERS: readonly (readonly [name: string, holds: (order: number) => boolean])[] = [
  ['_<_', (order) => order < 0],
  ['_<=_', (order) => order <= 0],
  ['_>_', (order) => order > 0],
  ['_>=_', (order) => order >= 0],
];

const NUMBERS = ['int', 'uint', 'double'];

function order(name: string, holds: (order: number) => boolean): readonly Overload[] {
  const compare = (a: Value, b: Value): boolean => {
    // Nothing is less or greater than what is no number.
    if (Number.isNaN(a) || Number.isNaN(b)) throw new CelError('NaN values cannot be ordered');
    return holds(compareValues(a, b));
  };
  return [
    ...forEachType(NUMBERS, (left) =>
      NUMBERS.map((right) => func(`${name}(${left}, ${right}): bool`, compare)),
    ),
    ...forEachType(['bool', 'string', 'bytes', 'timestamp', 'duration'], (type) => [
      func(`${name}(${type}, ${type}): bool`, compare),
    ]),
  ];
}

/** Errors: the index is outside, or no whole number. */
export function elementAt(elements: readonly Value[], index: Value): Value {
  const found = elementIfAny(elements, index);
  if (found === undefined) throw new CelError(`index out of bounds: ${plainText(index)}`);
  return found;
}

/** Undefined where the index is outside. */
export function elementIfAny(elements: readonly Value[], index: Value): Value | undefined {
  const place = index instanceof Uint ? index.value : index;
  if (typeof place !== 'bigint' && typeof place !== 'number') throw noSuchOverload();
  if (typeof place === 'number' && !Number.isInteger(place)) {
    throw new CelError(`unsupported index value ${place} in list`);
  }
  return elements[Number(place)];
}

export function entryAt(value: Value, key: Value): Value {
  const found = map(value).find(key);
  if (found === undefined) throw new CelError(`no such key: ${plainText(key)}`);
  return found;
}

const ACCESS: readonly Overload[] = [
  func('_[_](list(T), int): T', (a, b) => elementAt(list(a).elements, b)),
  func('_[_](map(K, V), K): V', (a, b) => entryAt(a, b)),
  func('@in(T, list(T)): bool', (a, b) => list(b).elements.some((one) => valuesEqual(one, a))),
  func('@in(K, map(K, V)): bool', (a, b) => map(b).find(a) !== undefined),
  func('_==_(T, T): bool', (a, b) => valuesEqual(a, b)),
  func('_!=_(T, T): bool', (a, b) => !valuesEqual(a, b)),
];

export const OPERATORS: readonly Overload[] = [
  ...ARITHMETIC,
  ...ORDERS.flatMap(([name, holds]) => order(name, holds)),
  ...ACCESS,
];
