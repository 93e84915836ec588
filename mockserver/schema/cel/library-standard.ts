/** Standard functions: sizes, conversions, texts, times. Source: the CEL language definition, "Standard Definitions". */
import { parseDuration } from '../../ground/go-duration.js';
import { goFloat } from '../../ground/go-float.js';
import { codePointsOf } from './code-points.js';
import { CelError, noSuchOverload } from './cel-error.js';
import { checkedInt, checkedTimestamp, checkedUint } from './library-operators.js';
import { type Overload, func, method } from './overload.js';
import { bool, bytes, double, duration, int, list, map, text, timestamp, uint } from './readers.js';
import { type Civil, civilOf, readTimestamp, timestampText, zoneOf } from './time-text.js';
import { Bytes, Duration, Timestamp, TypeValue, Uint, type Value, typeName } from './values.js';

const conversionError = (from: string, to: string): CelError =>
  new CelError(`type conversion error from '${from}' to '${to}'`);

const SIZES: readonly Overload[] = (
  [
    ['string', (a) => BigInt(codePointsOf(text(a)).length)],
    ['bytes', (a) => BigInt(bytes(a).length)],
    ['list(T)', (a) => BigInt(list(a).size)],
    ['map(K, V)', (a) => BigInt(map(a).size)],
  ] satisfies [string, (a: Value) => Value][]
).flatMap(([type, size]) => [func(`size(${type}): int`, size), method(`${type}.size(): int`, size)]);

function wholeOf(value: number): bigint {
  if (!Number.isFinite(value)) throw new CelError('integer overflow');
  return checkedInt(BigInt(Math.trunc(value)));
}

function intOf(value: string): bigint {
  if (!/^[+-]?\d+$/.test(value)) throw conversionError('string', 'int');
  const number = BigInt(value.replace(/^\+/, ''));
  if (number >= 2n ** 63n || number < -(2n ** 63n)) throw conversionError('string', 'int');
  return number;
}

function uintOf(value: string): Uint {
  if (!/^\d+$/.test(value) || BigInt(value) >= 2n ** 64n) throw conversionError('string', 'uint');
  return new Uint(BigInt(value));
}

function doubleOf(value: string): number {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(value)) return Number(value);
  const special = /^([+-]?)(?:(inf|infinity)|nan)$/i.exec(value);
  if (special === null) throw conversionError('string', 'double');
  if (special[2] === undefined) return NaN;
  return special[1] === '-' ? -Infinity : Infinity;
}

function boolOf(value: string): boolean {
  if (/^(?:1|t|T|true|TRUE|True)$/.test(value)) return true;
  if (/^(?:0|f|F|false|FALSE|False)$/.test(value)) return false;
  throw conversionError('string', 'bool');
}

/** Errors: as for text that is none. */
export function durationOf(value: string): Duration {
  const parsed = parseDuration(value);
  if (!parsed.ok) throw conversionError('string', 'google.protobuf.Duration');
  return new Duration(parsed.nanoseconds);
}

export function timestampOf(value: string): Value {
  const nanos = readTimestamp(value);
  if (nanos === undefined) throw conversionError('string', 'google.protobuf.Timestamp');
  return checkedTimestamp(nanos, zoneOf(value));
}

function utf8Of(value: Buffer): string {
  const decoded = value.toString('utf8');
  if (!Buffer.from(decoded).equals(value))
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
  return decoded;
}

/** Seconds, without an exponent. */
export const durationText = (nanos: bigint): string => `${plainNumber(Number(nanos) / 1e9)}s`;

const plainNumber = (value: number): string =>
  Math.abs(value) < 1e-6 && value !== 0 ? value.toFixed(9).replace(/0+$/, '') : String(value);

const doubleText = (value: number): string => goFloat(value);

function instant(value: Value): Timestamp {
  if (value instanceof Timestamp) return value;
  throw noSuchOverload();
}

const CONVERSIONS: readonly Overload[] = [
  func('int(int): int', (a) => a),
  func('int(uint): int', (a) => checkedInt(uint(a))),
  func('int(double): int', (a) => wholeOf(double(a))),
  func('int(string): int', (a) => intOf(text(a))),
  func('int(timestamp): int', (a) => BigInt(Math.floor(Number(timestamp(a)) / 1e9))),
  func('int(duration): int', (a) => duration(a)),
  func('uint(uint): uint', (a) => a),
  func('uint(int): uint', (a) => checkedUint(int(a))),
  func('uint(double): uint', (a) =>
    checkedUint(Number.isFinite(double(a)) ? BigInt(Math.trunc(double(a))) : -1n),
  ),
  func('uint(string): uint', (a) => uintOf(text(a))),
  func('double(double): double', (a) => a),
  func('double(int): double', (a) => Number(int(a))),
  func('double(uint): double', (a) => Number(uint(a))),
  func('double(string): double', (a) => doubleOf(text(a))),
  func('bool(bool): bool', (a) => a),
  func('bool(string): bool', (a) => boolOf(text(a))),
  func('string(string): string', (a) => a),
  func('string(bool): string', (a) => String(bool(a))),
  func('string(int): string', (a) => String(int(a))),
  func('string(uint): string', (a) => String(uint(a))),
  func('string(double): string', (a) => doubleText(double(a))),
  func('string(bytes): string', (a) => utf8Of(bytes(a))),
  func('string(timestamp): string', (a) => timestampText(instant(a))),
  func('string(duration): string', (a) => durationText(duration(a))),
  func('bytes(bytes): bytes', (a) => a),
  func('bytes(string): bytes', (a) => new Bytes(Buffer.from(text(a)))),
  func('timestamp(timestamp): timestamp', (a) => a),
  func('timestamp(string): timestamp', (a) => timestampOf(text(a))),
  func('timestamp(int): timestamp', (a) => checkedTimestamp(int(a) * 1_000_000_000n)),
  func('duration(duration): duration', (a) => a),
  func('duration(string): duration', (a) => durationOf(text(a))),
  func('duration(int): duration', (a) => new Duration(int(a))),
  func('dyn(T): dyn', (a) => a),
  func('type(T): type', (a) => new TypeValue(typeName(a))),
];

const TEXTS: readonly Overload[] = [
  method('string.startsWith(string): bool', (a, b) => text(a).startsWith(text(b))),
  method('string.endsWith(string): bool', (a, b) => text(a).endsWith(text(b))),
  method('string.contains(string): bool', (a, b) => text(a).includes(text(b))),
];

const PARTS: readonly (readonly [name: string, part: (civil: Civil) => number])[] = [
  ['getFullYear', (civil) => civil.year],
  ['getMonth', (civil) => civil.month - 1],
  ['getDate', (civil) => civil.day],
  ['getDayOfMonth', (civil) => civil.day - 1],
  ['getDayOfWeek', (civil) => civil.weekday],
  ['getDayOfYear', (civil) => civil.dayOfYear],
  ['getHours', (civil) => civil.hour],
  ['getMinutes', (civil) => civil.minute],
  ['getSeconds', (civil) => civil.second],
  ['getMilliseconds', (civil) => Math.floor(civil.nanosecond / 1e6)],
];

const DURATION_PARTS: readonly (readonly [name: string, nanos: bigint])[] = [
  ['getHours', 3_600_000_000_000n],
  ['getMinutes', 60_000_000_000n],
  ['getSeconds', 1_000_000_000n],
  ['getMilliseconds', 1_000_000n],
];

const TIMES: readonly Overload[] = [
  ...PARTS.flatMap(([name, part]) => [
    method(`timestamp.${name}(): int`, (a) => BigInt(part(civilOf(timestamp(a), 'UTC')))),
    method(`timestamp.${name}(string): int`, (a, b) => BigInt(part(civilOf(timestamp(a), text(b))))),
  ]),
  ...DURATION_PARTS.map(([name, nanos]) => method(`duration.${name}(): int`, (a) => duration(a) / nanos)),
];

export const STANDARD: readonly Overload[] = [...SIZES, ...CONVERSIONS, ...TEXTS, ...TIMES];
