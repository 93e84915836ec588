/** Which values are equal, and which come first. */
import { CelError, noSuchOverload } from './cel-error.js';
import {
  Bytes,
  Duration,
  ListValue,
  type MapValue,
  Opaque,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
  isMapValue,
} from './values.js';

/**
 * Values of different types are not equal; numbers are compared as numbers. The left one says how lists are compared.
 * Source: the CEL language definition, "Equality"; apiserver pkg/cel/common/valuesunstructured.go.
 */
export function valuesEqual(a: Value, b: Value): boolean {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (a instanceof ListValue) return b instanceof ListValue && listsEqual(a, b);
  if (isMapValue(a)) return isMapValue(b) && mapsEqual(a, b);
  if (a instanceof Bytes) return b instanceof Bytes && a.bytes.equals(b.bytes);
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof OptionalValue) {
    if (!(b instanceof OptionalValue)) return false;
    if (a.value === undefined || b.value === undefined) return a.value === b.value;
    return valuesEqual(a.value, b.value);
  }
  return a instanceof Opaque && b instanceof Opaque && a.typeName === b.typeName && a.equals(b);
}

function listsEqual(a: ListValue, b: ListValue): boolean {
  if (a.semantics !== undefined) return a.semantics.equals(a, b);
  return (
    a.elements.length === b.elements.length &&
    a.elements.every((one, i) => valuesEqual(one, b.elements[i] ?? null))
  );
}

function mapsEqual(a: MapValue, b: MapValue): boolean {
  if (a.equals !== undefined) return a.equals(b);
  if (a.size !== b.size) return false;
  return a.keys().every((key) => {
    const left = a.find(key);
    const right = b.find(key);
    return left !== undefined && right !== undefined && valuesEqual(left, right);
  });
}

type Num = bigint | number | Uint;
const isNumber = (value: Value): value is Num =>
  typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;

/** Undefined for NaN. */
function compareNumbers(a: Num, b: Num): number | undefined {
  const left = a instanceof Uint ? a.value : a;
  const right = b instanceof Uint ? b.value : b;
  return left < right ? -1 : left > right ? 1 : left == right ? 0 : undefined;
}

/**
 * < 0, 0, > 0. Errors: `no such overload` for what has no order; `NaN values cannot be ordered`.
 */
export function compareValues(a: Value, b: Value): number {
  if (isNumber(a) && isNumber(b)) {
    const order = compareNumbers(a, b);
    if (order === undefined) throw new CelError('NaN values cannot be ordered');
    return order;
  }
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Bytes && b instanceof Bytes) return Buffer.compare(a.bytes, b.bytes);
  if ((a instanceof Timestamp && b instanceof Timestamp) || (a instanceof Duration && b instanceof Duration))
    return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  throw noSuchOverload();
}
