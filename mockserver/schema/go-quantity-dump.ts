/** Quantities as Go's dump shows what is inside of them. */
import { parseQuantity, type Quantity } from './quantity.js';

const FORMATS = { decimal: 'DecimalSI', binary: 'BinarySI', exponent: 'DecimalExponent' } as const;
const ZERO_AMOUNT = '(resource.int64Amount){value:(int64)0 scale:(resource.Scale)0}';
const NO_DECIMAL = '(resource.infDecAmount){Dec:(*inf.Dec)<nil>}';
const NANO_SCALE = 9;
const WORD_BITS = 64n;

/**
 * What Go holds after it has read the text; of none, the zero quantity.
 *
 * Source: apimachinery api/resource/quantity.go and amount.go.
 */
export function quantityDump(text: string | undefined): string {
  const reading = text === undefined ? undefined : parseQuantity(text);
  if (text === undefined || reading?.ok !== true) return dump(ZERO_AMOUNT, NO_DECIMAL, '', '');
  const { quantity } = reading;
  const format = FORMATS[quantity.format];
  if (quantity.long === true) return dump(ZERO_AMOUNT, decimal(quantity.amount), '', format);
  const { unscaled, scale } = quantity.amount;
  const amount = `(resource.int64Amount){value:(int64)${unscaled} scale:(resource.Scale)${exponent(scale)}}`;
  return dump(amount, NO_DECIMAL, quantity.text ?? (text === '0' ? text : ''), format);
}

const dump = (amount: string, decimal: string, text: string, format: string): string =>
  `{i:${amount} d:${decimal} s:(string)${text} Format:(resource.Format)${format}}`;

/** Without a negative zero. */
const exponent = (scale: number): number => 0 - scale;

/** Rounded to nano-units, as Go keeps every number that is too long for an int64. */
function decimal({ unscaled, scale }: Quantity['amount']): string {
  const negative = unscaled < 0n;
  const magnitude = (negative ? -unscaled : unscaled) * 10n ** BigInt(Math.max(0, NANO_SCALE - scale));
  const number = `(big.Int){neg:(bool)${negative} abs:(big.nat)[${words(magnitude).join(' ')}]}`;
  return `(resource.infDecAmount){Dec:(*inf.Dec){unscaled:${number} scale:(inf.Scale)${NANO_SCALE}}}`;
}

/** Of 64 bits, the lowest first. */
function words(value: bigint): readonly bigint[] {
  if (value === 0n) return [];
  return [BigInt.asUintN(Number(WORD_BITS), value), ...words(value >> WORD_BITS)];
}
