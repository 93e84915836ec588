/** Reading the protobuf wire format: varints, lengths, and the skipping of fields that nobody knows. */
import { WireError } from './wire-error.js';

/** The three low bits of a tag. */
export const WIRE = { varint: 0, eightBytes: 1, bytes: 2, startGroup: 3, endGroup: 4, fourBytes: 5 } as const;

const MAX_INT64 = 2n ** 63n - 1n;

/**
 * A position in a message. Where a Go decoder is handed a slice, this reader has an end.
 *
 * Errors: WireError for what breaks the format, in the order in which Go's generated code notices it.
 * Source: gogo/protobuf, generated Unmarshal and skip functions.
 */
export class WireReader {
  at: number;
  /** Messages around the one that is being read. */
  depth = 0;
  /** Exclusive. */
  end: number;
  readonly bytes: Buffer;

  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  /** An unsigned number of 64 bits: a number while it is small, else a bigint. */
  varint(): number | bigint {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#next();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return low;
    }
    let high = BigInt(low);
    for (let shift = 28n; ; shift += 7n) {
      if (shift >= 64n) throw WireError.overflow();
      const byte = this.#next();
      high |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, high);
    }
  }

  int32(): number {
    const value = this.varint();
    return typeof value === 'number' ? value : Number(BigInt.asIntN(32, value));
  }

  /** A number where it is a safe integer, else a bigint. */
  int64(): number | bigint {
    const value = this.varint();
    if (typeof value === 'number') return value;
    const signed = BigInt.asIntN(64, value);
    const number = Number(signed);
    return Number.isSafeInteger(number) ? number : signed;
  }

  bool(): boolean {
    const value = this.varint();
    return typeof value === 'number' ? value !== 0 : value !== 0n;
  }

  double(): number {
    if (this.at + 8 > this.end) throw WireError.endOfInput();
    const value = this.bytes.readDoubleLE(this.at);
    this.at += 8;
    return value;
  }

  /** Reads a length and answers where what has it ends. */
  lengthEnd(): number {
    const value = this.varint();
    if (typeof value === 'bigint') {
      const length = BigInt.asIntN(64, value);
      if (length < 0n || BigInt(this.at) + length > MAX_INT64) throw WireError.negativeLength();
      const end = this.at + Number(length);
      if (end > this.end) throw WireError.endOfInput();
      return end;
    }
    const end = this.at + value;
    if (end > this.end) throw WireError.endOfInput();
    return end;
  }

  /** Bytes with their length in front; shared with the input. */
  slice(): Buffer {
    const end = this.lengthEnd();
    const slice = this.bytes.subarray(this.at, end);
    this.at = end;
    return slice;
  }

  /** Skips the field whose tag begins at `start`. It must not go beyond `limit`. */
  skip(start: number, limit: number): void {
    this.at = start;
    let depth = 0;
    while (this.at < this.end) {
      const tag = this.varint();
      const wireType = Number(typeof tag === 'number' ? tag & 7 : tag & 7n);
      switch (wireType) {
        case WIRE.varint:
          this.#skipVarint();
          break;
        case WIRE.eightBytes:
          this.at += 8;
          break;
        case WIRE.bytes:
          this.#skipBytes();
          break;
        case WIRE.startGroup:
          depth++;
          break;
        case WIRE.endGroup:
          if (depth === 0) throw new WireError('proto: unexpected end of group');
          depth--;
          break;
        case WIRE.fourBytes:
          this.at += 4;
          break;
        default:
          throw new WireError(`proto: illegal wireType ${wireType}`);
      }
      if (depth > 0) continue;
      if (this.at > limit) throw WireError.endOfInput();
      return;
    }
    throw WireError.endOfInput();
  }

  #next(): number {
    const byte = this.at < this.end ? this.bytes[this.at] : undefined;
    if (byte === undefined) throw WireError.endOfInput();
    this.at++;
    return byte;
  }

  #skipVarint(): void {
    for (let count = 0; ; count++) {
      if (count >= 10) throw WireError.overflow();
      if (this.#next() < 0x80) return;
    }
  }

  #skipBytes(): void {
    const value = this.varint();
    const length = typeof value === 'number' ? BigInt(value) : BigInt.asIntN(64, value);
    if (length < 0n || BigInt(this.at) + length > MAX_INT64) throw WireError.negativeLength();
    this.at += Number(length);
  }
}
