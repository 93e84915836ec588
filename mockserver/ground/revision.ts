/** Revisions (numbers, inside) and resourceVersions (texts, outside): two brands, converted only here. */
import { keptByte } from './utf8.js';

declare const revisionBrand: unique symbol;
/** Store-wide count of commits. 0 = nothing committed yet. */
export type Revision = number & { readonly [revisionBrand]: true };

declare const resourceVersionBrand: unique symbol;
/** A revision as clients see it: opaque to them, decimal digits to us. */
export type ResourceVersion = string & { readonly [resourceVersionBrand]: true };

export const NO_REVISION = 0 as Revision;

/** Brands a whole number that is known to be a revision. Errors: RangeError when it cannot be one. */
export function revision(value: number): Revision {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a revision: ${value}`);
  return value as Revision;
}

export function nextRevision(after: Revision): Revision {
  return (after + 1) as Revision;
}

export function toResourceVersion(value: Revision): ResourceVersion {
  return String(value) as ResourceVersion;
}

export type ParsedResourceVersion =
  { readonly ok: true; readonly value: Revision } | { readonly ok: false; readonly why: string };

const MAX_UINT64 = 18446744073709551615n;

/**
 * Reads a resourceVersion that a client sent.
 *
 * Shape: a revision (`05` is 5), or the reason in the words of Go's strconv. A value beyond 2^53 is a version from
 * the far future: it is answered as the largest safe integer, which no store reaches.
 * Source: apiserver storage/api_object_versioner.go, ParseResourceVersion.
 */
export function parseResourceVersion(text: string): ParsedResourceVersion {
  if (!/^[0-9]+$/.test(text)) {
    return { ok: false, why: `strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax` };
  }
  if (text.length < 16) return { ok: true, value: Number(text) as Revision };
  const exact = BigInt(text);
  if (exact > MAX_UINT64) {
    return { ok: false, why: `strconv.ParseUint: parsing ${goQuote(text)}: value out of range` };
  }
  return {
    ok: true,
    value: (exact > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(exact)) as Revision,
  };
}

/** A text as Go's %q shows it. */
export function goQuote(text: string): string {
  let out = '"';
  for (const ch of text) {
    const code = ch.codePointAt(0) ?? 0;
    const byte = keptByte(code);
    if (byte !== undefined) out += `\\x${byte.toString(16)}`;
    else if (ch === '"' || ch === '\\') out += `\\${ch}`;
    else if (ch === '\n') out += '\\n';
    else if (ch === '\r') out += '\\r';
    else if (ch === '\t') out += '\\t';
    else if (code === 7) out += '\\a';
    else if (code === 8) out += '\\b';
    else if (code === 11) out += '\\v';
    else if (code === 12) out += '\\f';
    else if (code < 0x20 || code === 0x7f) out += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (!isPrintable(ch))
      out +=
        code > 0xffff
          ? `\\U${code.toString(16).padStart(8, '0')}`
          : `\\u${code.toString(16).padStart(4, '0')}`;
    else out += ch;
  }
  return `${out}"`;
}

/** Whether Go's unicode.IsPrint takes the character: letters, marks, numbers, punctuation, symbols and the blank. */
export function isPrintable(ch: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(ch);
}
