/** Reads a JSON body as Go reads it. */
import { type JsonValue } from './json.js';
import { type OnDuplicate, readExactly } from './json-exact.js';
import { isFaithful } from './json-faithful.js';
import { jsonSyntaxError } from './json-syntax.js';
import { decodeUtf8 } from './utf8.js';

export interface JsonReadOptions {
  /**
   * What a member given twice becomes: the last value (`replace`, custom resources and anything untyped), or, as built-in
   * kinds have it, the later one merged over the earlier (`merge`).
   * @default 'replace'
   */
  readonly onDuplicate?: OnDuplicate;
}

export type JsonReading =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /** Members given again, as `spec.list[0].k`, in the order of the text; of a YAML body, whole warnings. */
      readonly duplicates: readonly string[];
      /**
       * The first number too large for a float64 (`1e400`). Where it is read as one, the body is refused with
       * `overflowError`; in the value it stands as a Float of ±Infinity, which nothing may store.
       */
      readonly overflow?: string;
    }
  | { readonly ok: false; readonly error: string };

/**
 * The value that a body says, or Go's words for why it is none (`unexpected end of JSON input`).
 *
 * Shape: fresh, not frozen; members in the order of the text (but see json.ts). Numbers are as json.ts has them; text that is not
 * UTF-8 and lone surrogates read as U+FFFD. A body deeper than 10,000 levels is refused.
 * Cost: that of JSON.parse and a third, unless the body holds what JSON.parse would lose.
 */
export function readJson(bytes: Buffer, options: JsonReadOptions = {}): JsonReading {
  const text = decodeUtf8(bytes);
  const quick = text.includes('\ufffd') || hasSurrogateEscape(text) ? undefined : parse(text);
  if (quick !== undefined && isFaithful(bytes, quick)) return { ok: true, value: quick, duplicates: NONE };
  const error = jsonSyntaxError(bytes);
  if (error !== undefined) return { ok: false, error };
  const { value, duplicates, overflow } = readExactly(text, options.onDuplicate ?? 'replace');
  return { ok: true, value, duplicates, ...(overflow === undefined ? {} : { overflow }) };
}

const NONE: readonly string[] = Object.freeze([]);

/** Whether some escape says a surrogate, alone or not; hardly any body has escapes of this form at all. */
const hasSurrogateEscape = (text: string): boolean => text.includes('\\u') && /\\u[dD][89a-fA-F]/.test(text);

function parse(text: string): JsonValue | undefined {
  try {
    // JSON.parse answers `any`; JSON text holds nothing but JSON values.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The error of reading `literal` (JsonReading.overflow) as a float64. */
export const overflowError = (literal: string): string =>
  `json: cannot unmarshal number ${literal} into Go value of type float64`;

/**
 * The paths of all members of a well-formed body in the order of the text; a member given twice is named twice. Strict decoding
 * reports unknown and duplicate fields in this order.
 */
export function memberPaths(bytes: Buffer): readonly string[] {
  const paths: string[] = [];
  readExactly(decodeUtf8(bytes), 'replace', { member: (path) => paths.push(path()) });
  return paths;
}

/**
 * The number at `path` (`spec.replicas`) of a well-formed body as it was written (`1.50`); the last one where a member is given
 * twice, undefined when there is none.
 */
export function numberLiteralAt(bytes: Buffer, path: string): string | undefined {
  let found: string | undefined;
  readExactly(decodeUtf8(bytes), 'replace', {
    number: (literal, at) => {
      if (at() === path) found = literal;
    },
  });
  return found;
}

/** As much of a body as errors show: thirty bytes of an object's text, else thirty in hex, ` ...` when that is not all. */
export function showBody(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const shown = bytes.subarray(0, 30);
  const text = bytes[0] === 0x7b ? decodeUtf8(shown) : shown.toString('hex');
  return bytes.length > shown.length ? `${text} ...` : text;
}
