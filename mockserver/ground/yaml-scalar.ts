/** What a plain YAML 1.1 scalar means to Go's yaml.v2, which reads bodies and writes answers. */
import { type JsonValue, Float } from './json.js';
import { numberOf } from './json-exact.js';

export const TAGS = {
  text: '!!str',
  bool: '!!bool',
  int: '!!int',
  float: '!!float',
  none: '!!null',
  time: '!!timestamp',
  binary: '!!binary',
} as const;

export interface Resolved {
  readonly tag: (typeof TAGS)[keyof typeof TAGS];
  readonly value: JsonValue;
}

const WORDS: ReadonlyMap<string, Resolved> = new Map<string, Resolved>([
  ...words(TAGS.bool, true, 'y Y yes Yes YES true True TRUE on On ON'),
  ...words(TAGS.bool, false, 'n N no No NO false False FALSE off Off OFF'),
  ...words(TAGS.none, null, '~ null Null NULL'),
  ['', { tag: TAGS.none, value: null }],
  ...words(TAGS.float, new Float(NaN), '.nan .NaN .NAN'),
  ...words(TAGS.float, new Float(Infinity), '.inf .Inf .INF +.inf +.Inf +.INF'),
  ...words(TAGS.float, new Float(-Infinity), '-.inf -.Inf -.INF'),
]);

function words(tag: Resolved['tag'], value: JsonValue, list: string): [string, Resolved][] {
  return list.split(' ').map((word) => [word, { tag, value }]);
}

const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const POINT_FIRST = /^\.[0-9]+([eE][-+]?[0-9]+)?$/;

/**
 * Type and value of a plain scalar. Integers are those of Go's int64 and uint64; a float is a `Float` even when it
 * has a fraction. Source: go.yaml.in/yaml/v2 resolve.go.
 *
 * @param explicit the scalar has a tag of its own, so that dates count only with the tag for them.
 */
export function resolveScalar(text: string, explicit = false): Resolved {
  const first = text.charAt(0);
  if (text === '' || /[-+0-9.yYnNtTfFoO~]/.test(first)) {
    const word = WORDS.get(text);
    if (word !== undefined) return word;
  }
  if (first === '.' && POINT_FIRST.test(text)) return floatOr(text, text);
  if (/[-+0-9]/.test(first)) {
    if (!explicit && isTime(text)) return { tag: TAGS.time, value: text };
    const digits = text.replaceAll('_', '');
    const integer = integerOf(digits);
    if (integer !== undefined) return { tag: TAGS.int, value: integer };
    if (FLOAT.test(digits)) return floatOr(digits, text);
  }
  return { tag: TAGS.text, value: text };
}

function floatOr(literal: string, text: string): Resolved {
  const value = Number(literal);
  return Number.isFinite(value)
    ? { tag: TAGS.float, value: new Float(value) }
    : { tag: TAGS.text, value: text };
}

/** strconv.ParseInt with base 0, then ParseUint: signs, and prefixes `0x`, `0o`, `0b` and the bare `0` of octal. */
function integerOf(text: string): JsonValue | undefined {
  const [, sign = '', prefix = '', digits = ''] = /^([-+]?)(0[xX]|0[oO]|0[bB]|0(?=.))?(.+)$/.exec(text) ?? [];
  const base = { '': 10, '0x': 16, '0b': 2 }[prefix.toLowerCase()] ?? 8;
  const valid = { 10: /^[0-9]+$/, 16: /^[0-9a-fA-F]+$/, 8: /^[0-7]+$/, 2: /^[01]+$/ }[base];
  if (valid?.test(digits) !== true) return undefined;
  const size = BigInt(base === 10 ? digits : `${{ 16: '0x', 8: '0o', 2: '0b' }[base] ?? ''}${digits}`);
  const exact = sign === '-' ? -size : size;
  if (exact < -(2n ** 63n) || exact >= 2n ** 64n || (sign === '+' && exact >= 2n ** 63n)) return undefined;
  // A uint64 beyond int64 is read again from its JSON text, where it is a float64.
  return numberOf(exact.toString());
}

const TIME =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:([Tt ])([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})?)?$/;

/** Whether yaml.v2 takes the text for a date or a time. Source: resolve.go, allowedTimestampFormats. */
export function isTime(text: string): boolean {
  const found = TIME.exec(text);
  if (found === null) return false;
  const [, year, month, day, between, hour = '0', minute = '0', second = '0', zone] = found;
  if (between !== undefined && (between === ' ') !== (zone === undefined)) return false;
  if (zone !== undefined && zone !== 'Z' && (Number(zone.slice(1, 3)) > 24 || Number(zone.slice(4)) >= 60))
    return false;
  return (
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= daysOf(Number(year), Number(month)) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60
  );
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Whether a text may be written without quotes and still be read as a text. Source: yaml.v2 encode.go, stringv. */
export function readsAsText(text: string): boolean {
  return resolveScalar(text).tag === TAGS.text && !BASE_60.test(text);
}

const TRUTH = /^(?:true|True|TRUE|false|False|FALSE)$/;

/** The same of yaml.v3, which knows fewer words for truth and no base 60. Source: yaml.v3 resolve.go. */
export function nodeReadsAsText(text: string): boolean {
  const { tag } = resolveScalar(text);
  return tag === TAGS.text || (tag === TAGS.bool && !TRUTH.test(text));
}

/** A float64 as Go's FormatFloat(v, 'g', -1, bits) shows it: with an exponent below 1e-4 and from 1e6 on. */
export function goFloat(float: number, bits: 32 | 64 = 64): string {
  const value = bits === 64 ? float : Math.fround(float);
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const scientific = bits === 64 ? value.toExponential() : shortestOf32(value);
  const [mantissa = '', exponent = '0'] = scientific.split('e');
  const power = Number(exponent);
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (power < -4 || power >= 6)
    return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
  const whole = digits.slice(0, power + 1).padEnd(power + 1, '0');
  const rest = digits.slice(power + 1);
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`;
}

function shortestOf32(single: number): string {
  for (let places = 0; places < 9; places++) {
    const text = single.toExponential(places);
    if (Math.fround(Number(text)) === single) return text;
  }
  return single.toExponential(9);
}
