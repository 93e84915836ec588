/** Formats of texts, as the server checks them in custom resources. */
import { isIPv6 } from 'node:net';
import { parseDuration } from '../../ground/go-duration.js';
import { isRequestUri } from './format-uri.js';
import { isEmail } from './format-email.js';

type FormatCheck = (text: string) => boolean;

const matching =
  (expression: RegExp): FormatCheck =>
  (text) =>
    expression.test(text);

/** By name without dashes, which is how names are compared. */
const FORMATS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', matching(/^[0-9a-fA-F]{24}$/)],
  ['uri', isRequestUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', (text) => ipv4Bytes(text) !== undefined || (text.includes('.') && isLooseIpv6(text))],
  ['ipv6', (text) => isStrictIpv6(text)],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', isRgbColor],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && SHORT_NAME.test(text)],
  ['k8slongname', (text) => text.length <= 253 && text.split('.').every((part) => SHORT_NAME.test(part))],
]);

const SHORT_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** The check of a format; undefined for names that are not checked. */
export const formatCheck = (name: string): FormatCheck | undefined => FORMATS.get(name.replaceAll('-', ''));

// Symbols and letters of any script, dashes inside: the alternatives overlap, so the shape is checked label by label.
const FIRST_LABEL = /^[\p{S}\p{L}a-zA-Z0-9]/u;

/**
 * Source: kube-openapi strfmt/default.go, HostnamePattern. It accepts what begins with one label, or what ends with
 * dotted labels and a top level name, since its alternatives are not held together.
 */
function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255) return false;
  const parts = text.split('.');
  if (parts.some((part) => Buffer.byteLength(part) > 63)) return false;
  return isSingleLabel(text) || isDottedName(parts);
}

function isSingleLabel(text: string): boolean {
  const rest = text.replace(FIRST_LABEL, '');
  return rest !== text && /^(-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u.test(rest);
}

function isDottedName(parts: readonly string[]): boolean {
  if (parts.length < 2) return false;
  const top = parts.at(-1) ?? '';
  return (
    /^[a-zA-Z\p{L}]{2,63}$/u.test(top) &&
    parts
      .slice(0, -1)
      .every((part) =>
        /^[a-zA-Z0-9\p{S}\p{L}]([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u.test(part),
      )
  );
}

/** Zeros in front are taken, as they were by old servers. */
function ipv4Bytes(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^[0-9]+$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

/** Node takes scopes (`fe80::1%eth0`), which Go's ParseIP refuses. */
const isStrictIpv6 = (text: string): boolean => text.includes(':') && !text.includes('%') && isIPv6(text);

/** As above, but an IPv4 ending may have zeros in front. */
function isLooseIpv6(text: string): boolean {
  const ending = /^(.*:)([0-9.]+)$/.exec(text);
  const bytes = ending?.[2]?.includes('.') === true ? ipv4Bytes(ending[2]) : undefined;
  return isStrictIpv6(bytes === undefined ? text : `${ending?.[1] ?? ''}${bytes.join('.')}`);
}

function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const [address, length] = [text.slice(0, slash), text.slice(slash + 1)];
  const bits = ipv4Bytes(address) !== undefined ? 32 : isLooseIpv6(address) ? 128 : -1;
  return /^[0-9]+$/.test(length) && Number(length) <= bits;
}

/** EUI-48, EUI-64 or 20 bytes, with separators or without any. Source: Go's net.ParseMAC. */
function isMac(text: string): boolean {
  const colons = /^[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2})*$/i.test(text);
  const dots = /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(text);
  const plain = /^[0-9a-f]+$/i.test(text);
  const bytes = text.replace(/[:.-]/g, '').length / 2;
  return (colons || dots || plain) && (bytes === 6 || bytes === 8 || bytes === 20);
}

const withoutBlanks = (text: string): string => text.replace(/[\t\n\f\r -]+/g, '');

function isIsbn10(text: string): boolean {
  const isbn = withoutBlanks(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(isbn)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * (isbn[i] === 'X' ? 10 : Number(isbn[i]));
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const isbn = withoutBlanks(text);
  if (!/^[0-9]{13}$/.test(isbn)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(isbn[i]);
  return Number(isbn[12]) === (10 - (sum % 10)) % 10;
}

const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!CARD.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled >= 10 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isRgbColor(text: string): boolean {
  const part = '(0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])';
  const blank = '[\\t\\n\\f\\r ]*';
  return new RegExp(
    `^rgb\\(${blank}${part}${blank},${blank}${part}${blank},${blank}${part}${blank}\\)$`,
  ).test(text);
}

/** Not empty, in groups of four, padded. */
function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*(?:[A-Za-z0-9+/]{2}|={1,2})$/.test(text);
}

const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `2006-01-02`. */
function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (parts === null) return false;
  const [year = 0, month = 0, day = 0] = parts.slice(1).map(Number);
  const days = MONTH_DAYS[month - 1];
  if (days === undefined || day < 1 || day > days) return false;
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
}

/** Source: kube-openapi strfmt/time.go, IsDateTime: hours, minutes and seconds are compared, the offset is not. */
function isDateTime(text: string): boolean {
  const parts = text.toLowerCase().split('t');
  if (Buffer.byteLength(text) < 4 || parts.length < 2 || !isDate(parts[0] ?? '')) return false;
  const time = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u.exec(
    parts[1] ?? '',
  );
  if (time === null) return false;
  const [hour = '', minute = '', second = ''] = time.slice(1);
  return hour <= '23' && minute <= '59' && second <= '59';
}

/** The last name of each unit may go on: `minutes`. */
const UNITS = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
];

/** A Go duration, or any number with a unit somewhere. Source: kube-openapi strfmt/duration.go, ParseDuration. */
function isDuration(text: string): boolean {
  if (parseDuration(text).ok) return true;
  let found = false;
  for (const [, number = '', unitText = ''] of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    if (BigInt(number) >= 1n << 63n) return false;
    const unit = unitText.toLowerCase();
    found ||= UNITS.some((names) => names.includes(unit) || unit.startsWith(names.at(-1) ?? ''));
  }
  return found;
}
