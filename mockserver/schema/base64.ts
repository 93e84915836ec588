/** Base64 as Go's standard encoding reads it. */

export type Base64Reading =
  | { readonly ok: true; /** Canonical text of the same bytes. */ readonly text: string }
  | { readonly ok: false; /** Index of the byte that Go blames. */ readonly offset: number };

const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const DIGIT = /[A-Za-z0-9+/]/;

/**
 * Reads base64: line breaks are skipped, padding is needed, stray low bits are cleared.
 *
 * Source: Go encoding/base64, decodeQuantum (which byte an error names).
 */
export function readBase64(text: string): Base64Reading {
  if (!CANONICAL.test(text)) {
    const offset = corruptByte(text);
    if (offset !== undefined) return { ok: false, offset };
  }
  return { ok: true, text: Buffer.from(text, 'base64').toString('base64') };
}

const isBreak = (ch: string | undefined): boolean => ch === '\n' || ch === '\r';

/** Offsets of characters are those of bytes: all before the first wrong one is ASCII. */
function corruptByte(text: string): number | undefined {
  let at = 0;
  let have = 0;
  while (at < text.length) {
    const ch = text.charAt(at++);
    if (isBreak(ch)) continue;
    if (DIGIT.test(ch)) {
      have = (have + 1) % 4;
      continue;
    }
    if (ch !== '=' || have < 2) return at - 1;
    if (have === 2) {
      while (isBreak(text[at])) at++;
      if (at === text.length) return at;
      if (text[at] !== '=') return at - 1;
      at++;
    }
    while (isBreak(text[at])) at++;
    return at < text.length ? at : undefined;
  }
  return have === 0 ? undefined : at - have;
}
