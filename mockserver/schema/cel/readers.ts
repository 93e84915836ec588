/** A value as what a function takes it for. Errors: `no such overload` where it is something else. */
import { noSuchOverload } from './cel-error.js';
import {
  Bytes,
  Duration,
  ListValue,
  type MapValue,
  OptionalValue,
  Timestamp,
  Uint,
  type Value,
  isMapValue,
} from './values.js';

export function text(value: Value): string {
  if (typeof value === 'string') return value;
  throw noSuchOverload();
}

export function bool(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  throw noSuchOverload();
}

export function int(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  throw noSuchOverload();
}

export function uint(value: Value): bigint {
  if (value instanceof Uint) return value.value;
  throw noSuchOverload();
}

export function double(value: Value): number {
  if (typeof value === 'number') return value;
  throw noSuchOverload();
}

export function bytes(value: Value): Buffer {
  if (value instanceof Bytes) return value.bytes;
  throw noSuchOverload();
}

export function list(value: Value): ListValue {
  if (value instanceof ListValue) return value;
  throw noSuchOverload();
}

export function map(value: Value): MapValue {
  if (isMapValue(value)) return value;
  throw noSuchOverload();
}

/** Nanoseconds. */
export function timestamp(value: Value): bigint {
  if (value instanceof Timestamp) return value.nanos;
  throw noSuchOverload();
}

/** Nanoseconds. */
export function duration(value: Value): bigint {
  if (value instanceof Duration) return value.nanos;
  throw noSuchOverload();
}

export function optional(value: Value): OptionalValue {
  if (value instanceof OptionalValue) return value;
  throw noSuchOverload();
}
