/** Bytes to text as Go does it, and texts that stand for bytes. */
import { isAscii, isUtf8 } from 'node:buffer';

/**
 * The text of `bytes`. What is not UTF-8 becomes U+FFFD byte by byte: the three bytes of an encoded surrogate are
 * three of them, and so are the three of a character cut off before its fourth.
 * Source: Go unicode/utf8 DecodeRune, whose width of an error is one.
 */
export function decodeUtf8(bytes: Buffer): string {
  return decoded(bytes, () => '\ufffd');
}

/** The first of the lone surrogates that stand for bytes. */
const FIRST_KEPT = 0xdc00;

/**
 * As decodeUtf8, but nothing is lost: a byte that is not UTF-8 becomes a lone surrogate, U+DC80 to U+DCFF, which no other text
 * has, since lone surrogates of JSON read as U+FFFD. Messages are written with the byte again, JSON with `\\ufffd`.
 */
export function decodeKeepingBytes(bytes: Buffer): string {
  return decoded(bytes, (byte) => String.fromCharCode(FIRST_KEPT + byte));
}

/** The byte that a code point of a text stands for; undefined where it is a character. */
export function keptByte(codePoint: number): number | undefined {
  return codePoint >= FIRST_KEPT + 0x80 && codePoint <= FIRST_KEPT + 0xff
    ? codePoint - FIRST_KEPT
    : undefined;
}

/** The bytes that decodeKeepingBytes has read. */
export function encodeKeptBytes(text: string): Buffer {
  const parts = text.split(/([\udc80-\udcff])/u).map((part) => {
    const byte = part.length === 1 ? keptByte(part.charCodeAt(0)) : undefined;
    return byte === undefined ? Buffer.from(part) : Buffer.from([byte]);
  });
  return Buffer.concat(parts);
}

function decoded(bytes: Buffer, ofByte: (byte: number) => string): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString() : decodeLoosely(bytes, ofByte);
}

function decodeLoosely(bytes: Buffer, ofByte: (byte: number) => string): string {
  let text = '';
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const width = widthAt(bytes, at);
    if (width === 0) {
      text += `${bytes.toString('utf8', from, at)}${ofByte(bytes[at] ?? 0)}`;
      from = ++at;
    } else at += width;
  }
  return text + bytes.toString('utf8', from);
}

/** Bytes of the well-formed character at `at`; 0 when there is none. */
function widthAt(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const width = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  return width !== 0 && at + width <= bytes.length && isUtf8(bytes.subarray(at, at + width)) ? width : 0;
}

/**
 * The UTF-8 form of `text` as a byte string: one character (of at most U+00FF) for each byte, as latin1 has it.
 *
 * Most JSON is ASCII and its own byte string, so that nothing is copied. Byte strings are joined and cut without
 * copying too, and a socket takes them as they are.
 */
export function byteString(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}
