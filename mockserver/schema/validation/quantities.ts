/** Checks of quantities. */
import { type JsonValue } from '../../ground/json.js';
import { parseQuantity } from '../quantity.js';
import { type Findings } from './findings.js';

/** In billionths (10^-9), the smallest step that a quantity has; 0 for what is none. */
export function amountOf(value: JsonValue | undefined): bigint {
  const reading = typeof value === 'string' ? parseQuantity(value) : undefined;
  if (reading?.ok !== true) return typeof value === 'number' ? BigInt(Math.trunc(value)) * 10n ** 9n : 0n;
  const { unscaled, scale } = reading.quantity.amount;
  const shift = 9 - scale;
  return shift >= 0 ? unscaled * 10n ** BigInt(shift) : unscaled / 10n ** BigInt(-shift);
}

/** Plain numbers above 0 are most of all quantities. */
const POSITIVE = /^[1-9][0-9]*[A-Za-z]*$/;

export const isNegative = (value: JsonValue): boolean =>
  !(typeof value === 'string' && POSITIVE.test(value)) && amountOf(value) < 0n;

export function notNegative(found: Findings, value: JsonValue, field: string): void {
  if (isNegative(value)) found.invalid(field, value, 'must be greater than or equal to 0');
}
