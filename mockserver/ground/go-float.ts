/** Floats as Go's %v writes them. */

/**
 * The shortest text that reads as the same float, with an exponent (of at least two digits) when that is below -4 or
 * above 5: `0.5`, `100000`, `1e+06`, `1.5e-07`.
 * Source: Go's fmt and strconv.FormatFloat(value, 'g', -1, 64).
 */
export function goFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent > 5) {
    const sign = exponent < 0 ? '-' : '+';
    return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  return String(value);
}
