/** Quantities as exact numbers, for comparing them. */
import { type JsonValue } from '../../ground/json.js';

/** In billionths (10^-9): the smallest step that a quantity has. */
export type Quantity = bigint;

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL_EXPONENT: Readonly<Record<string, number>> = {
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
const FORM = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE])([+-]?\d+)|(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]?))$/;

/**
 * Reads `1`, `100m`, `1.5Gi`, `1e3`, rounding up what is finer than a billionth, as Kubernetes does.
 *
 * Errors: undefined for what is no quantity. Source: apimachinery api/resource/quantity.go.
 */
export function parseQuantity(value: JsonValue | undefined): Quantity | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', , exponent, suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const binary = BINARY.indexOf(suffix);
  const factor = binary > 0 ? 1024n ** BigInt(binary) : 1n;
  const power =
    (exponent === undefined ? (DECIMAL_EXPONENT[suffix] ?? 0) : Number(exponent)) - fraction.length + 9;
  if (Math.abs(power) > 1000) return undefined;
  const digits = BigInt(`${whole}${fraction}`) * factor;
  const size = power >= 0 ? digits * 10n ** BigInt(power) : roundedUp(digits, 10n ** BigInt(-power));
  return sign === '-' ? -size : size;
}

const roundedUp = (amount: bigint, divisor: bigint): bigint => (amount + divisor - 1n) / divisor;

export const isPositive = (quantity: Quantity): boolean => quantity > 0n;
export const addQuantities = (a: Quantity, b: Quantity): Quantity => a + b;
export const compareQuantities = (a: Quantity, b: Quantity): number => (a < b ? -1 : a > b ? 1 : 0);
