/** `'%d of %s'.format([1, 'a'])`. Source: cel-go ext/formatting.go. */
import { goFloat } from '../../ground/go-float.js';
import { goQuote } from '../../ground/revision.js';
import { CelError } from './cel-error.js';
import { durationText } from './library-standard.js';
import { timestampText } from './time-text.js';
import {
  Bytes,
  Duration,
  ListValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
  isMapValue,
  typeName,
} from './values.js';

const CLAUSE = /%(?:%|(?:\.([0-9]*))?(.)?)/gsu;

/** Errors: a CelError for a clause that is none, or does not suit its value. */
export function formatted(template: string, values: readonly Value[]): string {
  let next = 0;
  return template.replaceAll(CLAUSE, (all, precision: string | undefined, clause: string | undefined) => {
    if (all === '%%') return '%';
    if (clause === undefined) throw new CelError('unexpected end of string');
    const value = values[next];
    if (value === undefined) throw new CelError(`index ${next} out of range`);
    next++;
    return shown(clause, value, precision === undefined ? 6 : Number(precision));
  });
}

function shown(clause: string, value: Value, precision: number): string {
  switch (clause) {
    case 's':
      return stringClause(value);
    case 'd':
      if (typeof value === 'bigint') return String(value);
      if (value instanceof Uint) return String(value.value);
      throw unsuited('decimal clause can only be used on integers', value);
    case 'f':
      return fixed(floatOf(value, 'fixed-point'), precision);
    case 'e':
      return scientific(floatOf(value, 'scientific'));
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      if (typeof value === 'bigint') return value.toString(2);
      if (value instanceof Uint) return value.value.toString(2);
      throw unsuited('only integers and bools can be formatted as binary', value);
    case 'o':
      if (typeof value === 'bigint') return value.toString(8);
      if (value instanceof Uint) return value.value.toString(8);
      throw unsuited('octal clause can only be used on integers', value);
    case 'x':
      return hexadecimal(value);
    case 'X':
      return hexadecimal(value).toUpperCase();
    default:
      throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${clause}"`);
  }
}

const unsuited = (rule: string, value: Value): CelError =>
  new CelError(`error during formatting: ${rule}, was given ${typeName(value)}`);

function floatOf(value: Value, clause: string): number {
  if (typeof value === 'number') return value;
  if (value === 'NaN') return NaN;
  if (value === 'Infinity') return Infinity;
  if (value === '-Infinity') return -Infinity;
  throw unsuited(`${clause} clause can only be used on doubles`, value);
}

/** With commas between thousands. */
function fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
  const [whole = '', fraction] = value.toFixed(precision).split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const SUPERSCRIPTS: Readonly<Record<string, string>> = { '+': '', '-': '⁻' };
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A precision given is taken for a width, so that there are always six decimals. */
function scientific(value: number): string {
  if (!Number.isFinite(value)) return fixed(value, 0);
  const [digits = '', exponent = '+0'] = value.toExponential(6).split('e');
  const size = exponent.slice(1).padStart(2, '0');
  const raised = `${exponent.slice(0, 1)}${size}`.replaceAll(
    /./g,
    (one) => SUPERSCRIPTS[one] ?? RAISED.charAt(Number(one)),
  );
  return `${digits}×10${raised}`;
}

function hexadecimal(value: Value): string {
  if (typeof value === 'bigint') return value.toString(16);
  if (value instanceof Uint) return value.value.toString(16);
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Bytes) return value.bytes.toString('hex');
  throw unsuited('only integers, byte buffers, and strings can be formatted as hex', value);
}

function stringClause(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return goFloat(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Bytes) return value.bytes.toString('utf8');
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value.nanos);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof ListValue) return `[${value.elements.map(nested).join(', ')}]`;
  if (isMapValue(value)) {
    const entries = value.keys().map((key) => `${nested(key)}:${nested(value.find(key) ?? null)}`);
    return `{${entries.sort().join(', ')}}`;
  }
  throw unsuited(
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    value,
  );
}

/** Inside a list or a map, where texts are quoted and doubles have six decimals. */
function nested(value: Value): string {
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Bytes) return `b${goQuote(stringClause(value))}`;
  if (typeof value === 'number') return Number.isFinite(value) ? value.toFixed(6) : goQuote(goFloat(value));
  return stringClause(value);
}
