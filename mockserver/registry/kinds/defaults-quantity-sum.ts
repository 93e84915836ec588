/** Sums of quantities, written in the form of the first. */
import { type Quantity } from '../../schema/quantity.js';

/** Both amounts in units of the finer one. */
function aligned(
  a: Quantity,
  b: Quantity,
): { readonly a: bigint; readonly b: bigint; readonly scale: number } {
  const scale = Math.max(a.amount.scale, b.amount.scale);
  const of = ({ amount }: Quantity): bigint => amount.unscaled * 10n ** BigInt(scale - amount.scale);
  return { a: of(a), b: of(b), scale };
}

/** Source: apimachinery api/resource/quantity.go, Add: nothing takes the form of what is added to it. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const both = aligned(a, b);
  return {
    amount: { unscaled: both.a + both.b, scale: both.scale },
    format: a.amount.unscaled === 0n ? b.format : a.format,
  };
}

export function isGreater(a: Quantity, b: Quantity): boolean {
  const both = aligned(a, b);
  return both.a > both.b;
}
