/** Durations as Go writes them: `1h30m`, `1.5s`, `-20ms`. Source: Go's time.ParseDuration. */

const NANOSECONDS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n], // micro sign
  ['\u03bcs', 1_000n], // Greek mu
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const LIMIT = 1n << 63n;

export type ParsedDuration =
  { readonly ok: true; readonly nanoseconds: bigint } | { readonly ok: false; readonly error: string };

/**
 * Reads a duration: numbers with units, added up; `0` needs no unit.
 *
 * Shape: nanoseconds (within int64, may be negative), or the error in Go's words:
 * `time: invalid duration "abc"`, `time: missing unit in duration "1"`, `time: unknown unit "x" in duration "1x"`.
 */
export function parseDuration(text: string): ParsedDuration {
  const wrong = (what: string): ParsedDuration => ({ ok: false, error: `time: ${what} ${quoteBytes(text)}` });
  const negative = text.startsWith('-');
  let rest = /^[-+]/.test(text) ? text.slice(1) : text;
  if (rest === '0') return { ok: true, nanoseconds: 0n };
  if (rest === '') return wrong('invalid duration');

  let total = 0n;
  while (rest !== '') {
    const number = /^([0-9]*)(?:\.([0-9]*))?/.exec(rest);
    const integer = number?.[1] ?? '';
    const fraction = number?.[2] ?? '';
    if (integer === '' && fraction === '') return wrong('invalid duration');
    const whole = BigInt(integer === '' ? '0' : integer);
    if (whole > LIMIT) return wrong('invalid duration');
    rest = rest.slice(number?.[0].length ?? 0);

    const unitText = /^[^.0-9]*/.exec(rest)?.[0] ?? '';
    if (unitText === '') return wrong('missing unit in duration');
    const unit = NANOSECONDS.get(unitText);
    if (unit === undefined) return wrong(`unknown unit ${quoteBytes(unitText)} in duration`);
    rest = rest.slice(unitText.length);

    if (whole > LIMIT / unit) return wrong('invalid duration');
    total += whole * unit + (BigInt(`0${fraction}`) * unit) / 10n ** BigInt(fraction.length);
    if (total > LIMIT) return wrong('invalid duration');
  }
  if (negative) return { ok: true, nanoseconds: -total };
  if (total > LIMIT - 1n) return wrong('invalid duration');
  return { ok: true, nanoseconds: total };
}

/** The time package quotes by bytes: all but printable ASCII is shown as `\xNN`. */
function quoteBytes(text: string): string {
  let out = '"';
  for (const byte of Buffer.from(text)) {
    if (byte === 0x22 || byte === 0x5c) out += `\\${String.fromCharCode(byte)}`;
    else if (byte >= 0x80 || byte < 0x20) out += `\\x${byte.toString(16).padStart(2, '0')}`;
    else out += String.fromCharCode(byte);
  }
  return `${out}"`;
}
