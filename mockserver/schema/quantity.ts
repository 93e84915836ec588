/** Quantities: amounts of resources, such as `500m` or `1Gi`, in the one form that a server writes. */

type Format = 'decimal' | 'binary' | 'exponent';

/** value = unscaled × 10^-scale. */
interface Amount {
  readonly unscaled: bigint;
  readonly scale: number;
}

export interface Quantity {
  readonly amount: Amount;
  readonly format: Format;
  /** The text as given, where the format's own form would not be shorter; it is then written as it came. */
  readonly text?: string;
  /** Longer than an int64: Go keeps it as a decimal number of any length. */
  readonly long?: true;
}

export type QuantityReading =
  { readonly ok: true; readonly quantity: Quantity } | { readonly ok: false; readonly error: string };

export const QUANTITY_FORMAT_ERROR =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const NUMERIC_ERROR = 'unable to parse numeric part of quantity';
const SUFFIX_ERROR = "unable to parse quantity's suffix";

const DECIMAL: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const decimalSuffix = new Map(Object.entries(DECIMAL).map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffix = new Map(Object.entries(BINARY).map(([suffix, exponent]) => [exponent, suffix]));

/** Decimal digits that surely fit an int64; longer numbers take the exact road. */
const INT64_DIGITS = 18;
const MAX_INT64 = 2n ** 63n - 1n;
const NANO_SCALE = 9;
const SHAPE = /^([+-]?)(0*)([0-9]*)(?:(\.)([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
/** Beyond this an exponent no longer means an amount, and its power of ten would not fit in memory. */
const WILD_EXPONENT = 10_000;

/**
 * Reads a quantity.
 *
 * Shape: the amount, rounded up to whole nano-units; binary amounts end at 2^63-1.
 * Errors: the three texts of apimachinery. Source: apimachinery api/resource/quantity.go, ParseQuantity.
 */
export function parseQuantity(source: string): QuantityReading {
  const parts = SHAPE.exec(source);
  if (source === '' || parts === null) return { ok: false, error: QUANTITY_FORMAT_ERROR };
  const [, sign, zeros = '', digits = '', point, fraction = '', suffix = ''] = parts;
  // A number that is all zeros to its very end is 0 without further ado.
  if (digits === '' && point === undefined && suffix === '') return zeroQuantity();
  const scaled = interpretSuffix(suffix);
  if (scaled === undefined) return { ok: false, error: SUFFIX_ERROR };
  const { exponent, format } = scaled;
  const negative = sign === '-';
  const whole = digits === '' ? '0' : digits;
  return (
    shortQuantity({ source, negative, whole, fraction, exponent, format }) ??
    exactQuantity({ negative, given: zeros + digits, fraction, exponent, format })
  );
}

const zeroQuantity = (): QuantityReading => ({
  ok: true,
  quantity: { amount: { unscaled: 0n, scale: 0 }, format: 'decimal' },
});

function interpretSuffix(suffix: string): { exponent: number; format: Format } | undefined {
  const decimal = Object.hasOwn(DECIMAL, suffix) ? DECIMAL[suffix] : undefined;
  if (decimal !== undefined) return { exponent: decimal, format: 'decimal' };
  const binary = Object.hasOwn(BINARY, suffix) ? BINARY[suffix] : undefined;
  if (binary !== undefined) return { exponent: binary, format: 'binary' };
  const exponent = /^[eE]([-+]?[0-9]+)$/.exec(suffix)?.[1];
  if (exponent === undefined || exponent.length > 18) return undefined;
  return { exponent: Number(exponent), format: 'exponent' };
}

interface Parts {
  readonly negative: boolean;
  readonly fraction: string;
  readonly exponent: number;
  readonly format: Format;
}

/** Amounts that fit an int64: the only ones whose text may be kept as it came. */
function shortQuantity(
  parts: Parts & { readonly source: string; readonly whole: string },
): QuantityReading | undefined {
  const { source, negative, whole, fraction, exponent, format } = parts;
  const shifted = whole + fraction;
  const binary = format === 'binary';
  if (binary) {
    if (fraction !== '') return undefined;
    if (15 - whole.length - Math.trunc((exponent * 3) / 10) - 1 < 0) return undefined;
  } else if (shifted.length > INT64_DIGITS) {
    return undefined;
  }
  const scale = (binary ? 0 : exponent) - fraction.length;
  if (scale < -NANO_SCALE) return undefined;
  const value = BigInt(shifted);
  const magnitude = binary ? value << BigInt(exponent) : value;
  if (magnitude > MAX_INT64) return undefined;
  const amount = { unscaled: negative ? -magnitude : magnitude, scale: -scale };
  const asWritten = binary
    ? (value & 7n) !== 0n
    : scale % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
  return { ok: true, quantity: asWritten ? { amount, format, text: source } : { amount, format } };
}

function exactQuantity(parts: Parts & { readonly given: string }): QuantityReading {
  const { negative, given, fraction, exponent, format } = parts;
  if (given + fraction === '') return { ok: false, error: NUMERIC_ERROR };
  let unscaled = BigInt(given + fraction);
  let scale = fraction.length;
  if (format === 'binary') unscaled <<= BigInt(exponent);
  else scale -= exponent;
  ({ unscaled, scale } = roundedUp({ unscaled, scale }, NANO_SCALE));
  let shown = format;
  if (format === 'binary') {
    if (compare({ unscaled, scale }, MAX_INT64) > 0)
      ({ unscaled, scale } = { unscaled: MAX_INT64, scale: 0 });
    if (unscaled > 0n && compare({ unscaled, scale }, 1n) < 0) shown = 'decimal';
  }
  return {
    ok: true,
    quantity: { amount: { unscaled: negative ? -unscaled : unscaled, scale }, format: shown, long: true },
  };
}

/** Away from zero, to at most `scale` decimals. */
function roundedUp(amount: Amount, scale: number): Amount {
  if (amount.unscaled === 0n || amount.scale <= scale) return amount;
  const sign = amount.unscaled < 0n ? -1n : 1n;
  if (amount.scale - scale > WILD_EXPONENT) return { unscaled: sign, scale };
  const divisor = 10n ** BigInt(amount.scale - scale);
  const quotient = amount.unscaled / divisor;
  return { unscaled: amount.unscaled % divisor === 0n ? quotient : quotient + sign, scale };
}

/** < 0, 0 or > 0: the amount against a whole number. */
function compare(amount: Amount, whole: bigint): number {
  const { unscaled, scale } = amount;
  if (scale < -WILD_EXPONENT)
    return unscaled < 0n ? -1 : unscaled > 0n ? 1 : whole > 0n ? -1 : whole < 0n ? 1 : 0;
  const left = scale < 0 ? unscaled * 10n ** BigInt(-scale) : unscaled;
  const right = scale > 0 ? whole * 10n ** BigInt(scale) : whole;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The form that a server writes. Source: quantity.go, CanonicalizeBytes. */
export function quantityText(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  const { amount } = quantity;
  if (amount.unscaled === 0n) return '0';
  if (quantity.format === 'binary') {
    const whole = wholeOf(amount);
    const small = compare(amount, -1024n) > 0 && compare(amount, 1024n) < 0;
    // What is not a whole number of units would lose precision in binary form.
    if (whole !== undefined && !small) return binaryText(whole);
  }
  return decimalText(amount, quantity.format === 'exponent');
}

function wholeOf({ unscaled, scale }: Amount): bigint | undefined {
  if (scale <= 0) return unscaled * 10n ** BigInt(-scale);
  const divisor = 10n ** BigInt(scale);
  return unscaled % divisor === 0n ? unscaled / divisor : undefined;
}

function binaryText(whole: bigint): string {
  let value = whole;
  let exponent = 0;
  while (value % 1024n === 0n) {
    value /= 1024n;
    exponent += 10;
  }
  return `${value}${binarySuffix.get(exponent) ?? ''}`;
}

/** Beyond `E` there is no suffix, and a server writes none. */
function decimalText({ unscaled, scale }: Amount, withExponent: boolean): string {
  let value = unscaled;
  let exponent = -scale;
  while (value % 10n === 0n) {
    value /= 10n;
    exponent++;
  }
  while (exponent % 3 !== 0) {
    value *= 10n;
    exponent--;
  }
  if (withExponent) return exponent === 0 ? String(value) : `${value}e${exponent}`;
  return `${value}${decimalSuffix.get(exponent) ?? ''}`;
}

/** The amount rounded up to thousandths: what defaulting does to the values of every resource list. */
export function roundUpToMilli(quantity: Quantity): Quantity {
  if (quantity.amount.scale <= 3) return quantity;
  return { amount: roundedUp(quantity.amount, 3), format: quantity.format };
}

export type QuantityTextReading =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string };

/** Whole numbers and milli-units that are their own canonical form, the most usual ones by far. */
const PLAIN = /^[1-9][0-9]{0,14}m?$/;

/** A text → the text that a server writes for it. */
export function canonicalQuantity(source: string): QuantityTextReading {
  if (PLAIN.test(source) && !/000m?$/.test(source)) return { ok: true, text: source };
  const reading = parseQuantity(source);
  return reading.ok ? { ok: true, text: quantityText(reading.quantity) } : reading;
}
