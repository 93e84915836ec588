/** Whole numbers in texts, read as Go's strconv reads them. */
import { goQuote } from './revision.js';

export type ParsedInt64 =
  { readonly ok: true; readonly value: bigint } | { readonly ok: false; readonly error: string };

const MIN_INT64 = -(1n << 63n);
const MAX_INT64 = (1n << 63n) - 1n;

export const isInt64 = (value: bigint): boolean => value >= MIN_INT64 && value <= MAX_INT64;

/**
 * Reads decimal digits with an optional sign; no blanks, no separators.
 *
 * Shape: the value, or the error in Go's words, `strconv.ParseInt: parsing "x": invalid syntax` or
 * `…: value out of range`. Source: Go's strconv.ParseInt(text, 10, 64).
 */
export function parseInt64(text: string): ParsedInt64 {
  const wrong = (what: string): ParsedInt64 => ({
    ok: false,
    error: `strconv.ParseInt: parsing ${goQuote(text)}: ${what}`,
  });
  if (!/^[-+]?[0-9]+$/.test(text)) return wrong('invalid syntax');
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return isInt64(value) ? { ok: true, value } : wrong('value out of range');
}
