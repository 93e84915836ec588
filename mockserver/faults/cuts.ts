/** Ways of laying the bytes of frames and bodies into chunks. */
import { type Cut, type Piece } from '../http/exchange-hooks.js';

/** Pieces of so many bytes, with a pause between two. */
export const inPieces =
  (size: number, pauseMs = 0): Cut =>
  (bytes) =>
    at(bytes, multiples(size, bytes.length), pauseMs);

/** Pieces of one byte up to twice the size, less one. @param chance numbers in [0, 1) */
export const inRandomPieces =
  (size: number, chance: () => number, pauseMs = 0): Cut =>
  (bytes) => {
    const cuts: number[] = [];
    for (let position = 0; ; cuts.push(position)) {
      position += 1 + Math.floor(chance() * (2 * size - 1));
      if (position >= bytes.length) return at(bytes, cuts, pauseMs);
    }
  };

/** Cuts behind the first byte of each character of several bytes. */
export const insideCharacters =
  (pauseMs = 0): Cut =>
  (bytes) =>
    at(
      bytes,
      positions(bytes, (byte) => byte >= 0xc0),
      pauseMs,
    );

const BACKSLASH = 0x5c;

/** Cuts behind each backslash. */
export const insideEscapes =
  (pauseMs = 0): Cut =>
  (bytes) =>
    at(
      bytes,
      positions(bytes, (byte) => byte === BACKSLASH),
      pauseMs,
    );

/** All in one chunk. */
export const inOne: Cut = (bytes) => [{ bytes }];

/** The first half and nothing else. */
export const firstHalf: Cut = (bytes) => [{ bytes: bytes.subarray(0, Math.floor(bytes.length / 2)) }];

/** The first bytes and nothing else. */
export const firstBytes =
  (count: number): Cut =>
  (bytes) => [{ bytes: bytes.subarray(0, count) }];

/** The last byte, a frame's newline, is left out. */
export const allButLastByte: Cut = (bytes) => [{ bytes: bytes.subarray(0, -1) }];

/** The last byte, a frame's newline, so much later. */
export const lateLastByte =
  (ms: number): Cut =>
  (bytes) => [{ bytes: bytes.subarray(0, -1) }, { bytes: bytes.subarray(-1), waitMs: ms }];

/** A piece at a time, ten of them a second at the most. */
const PIECES_PER_SECOND = 10;

/** So many bytes a second. */
export const slowly =
  (bytesPerSecond: number): Cut =>
  (bytes) => {
    const size = Math.max(1, Math.round(bytesPerSecond / PIECES_PER_SECOND));
    return at(bytes, multiples(size, bytes.length), 0).map((piece) => ({
      ...piece,
      waitMs: (piece.bytes.length / bytesPerSecond) * 1000,
    }));
  };

function multiples(size: number, length: number): number[] {
  const found: number[] = [];
  for (let position = size; position < length; position += size) found.push(position);
  return found;
}

/** Behind each byte that is such a one. */
function positions(bytes: Buffer, is: (byte: number) => boolean): number[] {
  const found: number[] = [];
  for (const [i, byte] of bytes.entries()) if (is(byte)) found.push(i + 1);
  return found;
}

/** Cuts at positions that rise. Shape: no empty piece, but one for no bytes at all. */
function at(bytes: Buffer, cuts: readonly number[], pauseMs: number): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    if (to === from && bytes.length > 0) continue;
    const waitMs = pieces.length === 0 ? 0 : pauseMs;
    pieces.push({ bytes: bytes.subarray(from, to), waitMs });
    from = to;
  }
  return pieces;
}
