/** The parameters of a URL, read as Go reads them. */
import { parseInt64 } from '../ground/go-number.js';
import { badRequest } from '../ground/status.js';

/** Values of each name in the order of the text; never empty. Names are case-sensitive. */
export type Query = ReadonlyMap<string, readonly string[]>;

export const NO_QUERY: Query = new Map();

/**
 * Reads what follows the `?`.
 *
 * Shape: pairs that hold a `;` or a bad escape are left out, without an error; a name alone has the value `''`.
 * Source: Go's url.ParseQuery, whose errors the server drops.
 */
export function parseQuery(text: string): Query {
  const query = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = unescapePart(equals < 0 ? pair : pair.slice(0, equals));
    const value = unescapePart(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const known = query.get(name);
    if (known === undefined) query.set(name, [value]);
    else known.push(value);
  }
  return query;
}

/** undefined when a `%` is not followed by two hexadecimal digits. */
function unescapePart(text: string): string | undefined {
  if (!/[%+\u0080-\u{10ffff}]/u.test(text)) return text;
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (text[i] === '%') {
      const digits = text.slice(i + 1, i + 3);
      if (!/^[0-9a-fA-F]{2}$/.test(digits)) return undefined;
      bytes.push(Number.parseInt(digits, 16));
      i += 2;
    } else if (text[i] === '+') {
      bytes.push(0x20);
    } else if (code <= 0xff) {
      // Node shows the bytes of a request line as latin1.
      bytes.push(code);
    } else {
      const ch = String.fromCodePoint(text.codePointAt(i) ?? 0);
      bytes.push(...Buffer.from(ch));
      i += ch.length - 1;
    }
  }
  return Buffer.from(bytes).toString('utf8');
}

/** The first value; undefined when the name does not occur. */
export const firstValue = (query: Query, name: string): string | undefined => query.get(name)?.[0];

/** The first value; `''` when the name does not occur. */
export const textValue = (query: Query, name: string): string => firstValue(query, name) ?? '';

export const allValues = (query: Query, name: string): readonly string[] => query.get(name) ?? [];

/** undefined when absent; false for `0` and `false` in any case; true for all else, also for `''`. */
export function booleanValue(query: Query, name: string): boolean | undefined {
  const value = firstValue(query, name);
  return value === undefined ? undefined : !(value === '0' || value.toLowerCase() === 'false');
}

/**
 * An int64, as a number (beyond 2^53 only nearly the same); undefined when absent.
 *
 * Errors: 400 `strconv.ParseInt: parsing "x": invalid syntax`, also for the empty text.
 */
export function integerValue(query: Query, name: string): number | undefined {
  const value = firstValue(query, name);
  if (value === undefined) return undefined;
  const parsed = parseInt64(value);
  if (!parsed.ok) throw badRequest(parsed.error);
  return Number(parsed.value);
}
