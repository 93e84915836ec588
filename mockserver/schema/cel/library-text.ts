/** Functions of texts beyond the standard. Source: cel-go ext/strings.go, version 2. */
import { codePointsOf } from './code-points.js';
import { CelError, CostExceeded } from './cel-error.js';
import { formatted } from './format-text.js';
import { type Overload, func, method } from './overload.js';
import { int, list, text } from './readers.js';
import { ListValue, type Value, plainText } from './values.js';
import { checkWeight } from './weight.js';

const outOfRange = (index: bigint): CelError => new CelError(`index out of range: ${index}`);

function charAt(value: string, index: bigint): string {
  const points = codePointsOf(value);
  if (index < 0n || index > BigInt(points.length)) throw outOfRange(index);
  return points[Number(index)] ?? '';
}

function isAt(points: readonly string[], sought: readonly string[], place: number): boolean {
  return sought.every((one, i) => points[place + i] === one);
}

function indexOf(value: string, substring: string, offset: bigint): bigint {
  if (substring === '') return offset;
  if (offset < 0n) throw outOfRange(offset);
  const points = codePointsOf(value);
  const sought = codePointsOf(substring);
  for (let i = Number(offset); i <= points.length - sought.length; i++) {
    if (isAt(points, sought, i)) return BigInt(i);
  }
  return -1n;
}

function lastIndexOf(value: string, substring: string, offset: bigint | undefined): bigint {
  const points = codePointsOf(value);
  if (substring === '') return offset ?? BigInt(points.length);
  const sought = codePointsOf(substring);
  if (offset === undefined && sought.length > points.length) return -1n;
  const from = offset ?? BigInt(points.length - 1);
  if (from < 0n) throw outOfRange(from);
  if (from >= BigInt(points.length)) return -1n;
  for (let i = Math.min(Number(from), points.length - sought.length); i >= 0; i--) {
    if (isAt(points, sought, i)) return BigInt(i);
  }
  return -1n;
}

/** Texts as long as this have cost what an evaluation may. */
const MOST_CHARACTERS = 10_000_000;

function replaced(value: string, old: string, next: string, limit: bigint): string {
  if (limit === 0n || old === next) return value;
  // The longest text that can come of it.
  if (((value.length + 1) * (next.length + 1)) / Math.max(1, old.length) > MOST_CHARACTERS)
    throw new CostExceeded();
  const parts = old === '' ? ['', ...codePointsOf(value), ''] : value.split(old);
  const count = limit < 0n ? parts.length : Number(limit) + 1;
  const tail = parts.slice(count - 1).join(old);
  return [...parts.slice(0, count - 1), ...(parts.length >= count ? [tail] : [])].join(next);
}

function split(value: string, separator: string, limit: bigint): ListValue {
  if (limit === 0n) return new ListValue([]);
  const parts = separator === '' ? codePointsOf(value) : value.split(separator);
  if (limit < 0n || parts.length <= Number(limit)) return new ListValue(parts);
  const count = Number(limit) - 1;
  return new ListValue([...parts.slice(0, count), parts.slice(count).join(separator)]);
}

function substring(value: string, start: bigint, end: bigint | undefined): string {
  const points = codePointsOf(value);
  const length = BigInt(points.length);
  const to = end ?? length;
  if (end !== undefined && start > end) {
    throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0n || start > length) throw outOfRange(start);
  if (to < 0n || to > length) throw outOfRange(to);
  return points.slice(Number(start), Number(to)).join('');
}

function joined(value: Value, separator: string): string {
  return list(value)
    .elements.map((one) => {
      if (typeof one !== 'string') throw new CelError(`join: invalid input: ${plainText(one)}`);
      return one;
    })
    .join(separator);
}

const ascii = (value: string, pattern: RegExp, change: (one: string) => string): string =>
  value.replaceAll(pattern, change);

const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

const quoted = (value: string): string =>
  `"${codePointsOf(value)
    .map((one) => ESCAPES[one] ?? one)
    .join('')}"`;

/** White space as Go's strings.TrimSpace knows it. */
const trimmed = (value: string): string => value.replace(/^[\s\u0085]+|[\s\u0085]+$/g, '');

export const TEXT_LIBRARY: readonly Overload[] = [
  method('string.charAt(int): string', (a, b) => charAt(text(a), int(b))),
  method('string.indexOf(string): int', (a, b) => indexOf(text(a), text(b), 0n)),
  method('string.indexOf(string, int): int', (a, b, c) => indexOf(text(a), text(b), int(c))),
  method('string.lastIndexOf(string): int', (a, b) => lastIndexOf(text(a), text(b), undefined)),
  method('string.lastIndexOf(string, int): int', (a, b, c) => lastIndexOf(text(a), text(b), int(c))),
  method('string.lowerAscii(): string', (a) => ascii(text(a), /[A-Z]/g, (one) => one.toLowerCase())),
  method('string.upperAscii(): string', (a) => ascii(text(a), /[a-z]/g, (one) => one.toUpperCase())),
  method('string.replace(string, string): string', (a, b, c) => replaced(text(a), text(b), text(c), -1n)),
  method('string.replace(string, string, int): string', (a, b, c, d) =>
    replaced(text(a), text(b), text(c), int(d)),
  ),
  method('string.split(string): list(string)', (a, b) => split(text(a), text(b), -1n)),
  method('string.split(string, int): list(string)', (a, b, c) => split(text(a), text(b), int(c))),
  method('string.substring(int): string', (a, b) => substring(text(a), int(b), undefined)),
  method('string.substring(int, int): string', (a, b, c) => substring(text(a), int(b), int(c))),
  method('string.trim(): string', (a) => trimmed(text(a))),
  method('string.format(list(dyn)): string', (a, b) => {
    checkWeight(b);
    return formatted(text(a), list(b).elements);
  }),
  method('list(string).join(): string', (a) => joined(a, '')),
  method('list(string).join(string): string', (a, b) => joined(a, text(b))),
  func('strings.quote(string): string', (a) => quoted(text(a))),
];
