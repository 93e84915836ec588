/** Functions of optional values. Source: cel-go cel/library.go, optionalLib. */
import { CelError } from './cel-error.js';
import { type Overload, func, method } from './overload.js';
import { list, optional } from './readers.js';
import { Bytes, Duration, ListValue, NONE, OptionalValue, Uint, type Value, isMapValue } from './values.js';

function valueOf(value: Value): Value {
  const inner = optional(value).value;
  if (inner === undefined) throw new CelError('optional.none() dereference');
  return inner;
}

function isZero(value: Value): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Bytes) return value.bytes.length === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof ListValue) return value.size === 0;
  return isMapValue(value) && value.size === 0;
}

const unwrapped = (value: Value): ListValue =>
  new ListValue(
    list(value).elements.flatMap((one) => {
      const inner = optional(one).value;
      return inner === undefined ? [] : [inner];
    }),
  );

export const OPTIONAL_LIBRARY: readonly Overload[] = [
  func('optional.of(V): optional(V)', (a) => new OptionalValue(a)),
  func('optional.ofNonZeroValue(V): optional(V)', (a) => (isZero(a) ? NONE : new OptionalValue(a))),
  func('optional.none(): optional(V)', () => NONE),
  func('optional.unwrap(list(optional(V))): list(V)', (a) => unwrapped(a)),
  method('list(optional(V)).unwrapOpt(): list(V)', (a) => unwrapped(a)),
  method('optional(V).value(): V', (a) => valueOf(a)),
  method('optional(V).hasValue(): bool', (a) => optional(a).value !== undefined),
  method('optional(V).or(optional(V)): optional(V)', (a, b) =>
    optional(a).value === undefined ? optional(b) : a,
  ),
  method('optional(V).orValue(V): V', (a, b) => optional(a).value ?? (optional(a).value === null ? null : b)),
  method('list(V).first(): optional(V)', (a) => new OptionalValue(list(a).elements[0])),
  method('list(V).last(): optional(V)', (a) => new OptionalValue(list(a).elements.at(-1))),
];
