/** Functions of quantities. Source: apiserver pkg/cel/library/quantity.go. */
import { type Quantity, parseQuantity } from '../quantity.js';
import { CelError, noSuchOverload } from './cel-error.js';
import { type Overload, func, method } from './overload.js';
import { int, text } from './readers.js';
import { Opaque, type Value } from './values.js';

type Amount = Quantity['amount'];

/** Powers of ten beyond this are no amounts; numbers with them are as good as endless. */
const WILD = 10_000;
const INT_LIMIT = 2n ** 63n;

class QuantityValue extends Opaque {
  readonly typeName = 'kubernetes.Quantity';
  readonly amount: Amount;
  constructor(amount: Amount) {
    super();
    this.amount = amount;
  }
  equals(other: Opaque): boolean {
    return other instanceof QuantityValue && compared(this.amount, other.amount) === 0;
  }
}

function amountOf(value: Value): Amount {
  if (value instanceof QuantityValue) return value.amount;
  throw noSuchOverload();
}

function quantity(source: string): QuantityValue {
  const reading = parseQuantity(source);
  if (!reading.ok) throw new CelError(reading.error);
  return new QuantityValue(reading.quantity.amount);
}

/** Both in units of the finer one. */
function aligned(a: Amount, b: Amount): readonly [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale, -WILD);
  const inUnits = (one: Amount): bigint => one.unscaled * 10n ** BigInt(Math.min(scale - one.scale, WILD));
  return [inUnits(a), inUnits(b), scale];
}

function compared(a: Amount, b: Amount): number {
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

function added(a: Amount, b: Amount): QuantityValue {
  const [left, right, scale] = aligned(a, b);
  return new QuantityValue({ unscaled: left + right, scale });
}

const negated = ({ unscaled, scale }: Amount): Amount => ({ unscaled: -unscaled, scale });
const whole = (value: Value): Amount => ({ unscaled: int(value), scale: 0 });

/** Undefined for a fraction, and for what an int64 cannot hold. */
function integerOf({ unscaled, scale }: Amount): bigint | undefined {
  const divisor = 10n ** BigInt(Math.max(0, Math.min(scale, WILD)));
  if (unscaled % divisor !== 0n || scale < -WILD) return undefined;
  const value = (unscaled / divisor) * 10n ** BigInt(Math.max(0, -scale));
  return value >= INT_LIMIT || value < -INT_LIMIT ? undefined : value;
}

function asInteger(value: Value): bigint {
  const integer = integerOf(amountOf(value));
  if (integer === undefined) throw new CelError('cannot convert value to integer');
  return integer;
}

const sign = ({ unscaled }: Amount): bigint => (unscaled < 0n ? -1n : unscaled > 0n ? 1n : 0n);

export const QUANTITY_LIBRARY: readonly Overload[] = [
  func('quantity(string): quantity', (a) => quantity(text(a))),
  func('isQuantity(string): bool', (a) => parseQuantity(text(a)).ok),
  func('sign(quantity): int', (a) => sign(amountOf(a))),
  method('quantity.isGreaterThan(quantity): bool', (a, b) => compared(amountOf(a), amountOf(b)) > 0),
  method('quantity.isLessThan(quantity): bool', (a, b) => compared(amountOf(a), amountOf(b)) < 0),
  method('quantity.compareTo(quantity): int', (a, b) => BigInt(compared(amountOf(a), amountOf(b)))),
  method('quantity.asApproximateFloat(): double', (a) =>
    Number(`${amountOf(a).unscaled}e${-amountOf(a).scale}`),
  ),
  method('quantity.asInteger(): int', (a) => asInteger(a)),
  method('quantity.isInteger(): bool', (a) => integerOf(amountOf(a)) !== undefined),
  method('quantity.add(quantity): quantity', (a, b) => added(amountOf(a), amountOf(b))),
  method('quantity.add(int): quantity', (a, b) => added(amountOf(a), whole(b))),
  method('quantity.sub(quantity): quantity', (a, b) => added(amountOf(a), negated(amountOf(b)))),
  method('quantity.sub(int): quantity', (a, b) => added(amountOf(a), negated(whole(b)))),
];
