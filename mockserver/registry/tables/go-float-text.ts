/** Floats as Go's fmt prints them. */

/** Exponents from which on Go writes `1e+06` rather than digits. */
const LARGE_EXPONENT = 6;
const SMALL_EXPONENT = -4;

/**
 * A float64 as `%v` shows it: the shortest digits that read back, an exponent of at least two digits.
 *
 * Source: Go strconv/ftoa.go, format 'g' with the shortest precision.
 */
export function goFloatText(value: number): string {
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (Object.is(value, -0)) return '-0';
  if (exponent < SMALL_EXPONENT || exponent >= LARGE_EXPONENT) {
    const sign = exponent < 0 ? '-' : '+';
    return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  return String(value);
}
