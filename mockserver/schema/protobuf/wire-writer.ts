/** Writing the protobuf wire format from the end to the beginning, so that every length is known when its turn comes. */
import { encodeKeptBytes } from '../../ground/utf8.js';

const FIRST_BYTES = 1024;

/** Characters of a text that is written one by one. */
const SHORT = 32;

/**
 * A message under construction. What is written last stands first, as in Go's generated encoders; so is its order:
 * fields in descending order, each with its content first, then its length, then its tag.
 */
export class WireWriter {
  #bytes: Buffer;
  #at: number;

  /** @param room bytes to begin with; it grows */
  constructor(room = FIRST_BYTES) {
    this.#bytes = Buffer.allocUnsafeSlow(room);
    this.#at = room;
  }

  /** Bytes written so far: the difference of two is the length of what came between. */
  get length(): number {
    return this.#bytes.length - this.#at;
  }

  /** What has been written, as bytes of their own; the writer is empty again. */
  take(): Buffer {
    const taken = Buffer.allocUnsafeSlow(this.length);
    this.#bytes.copy(taken, 0, this.#at);
    this.clear();
    return taken;
  }

  /** Forgets what has been written. */
  clear(): void {
    this.#at = this.#bytes.length;
  }

  byte(value: number): void {
    this.#make(1);
    this.#bytes[--this.#at] = value;
  }

  /** An unsigned number below 2^32. */
  varint(value: number): void {
    if (value < 0x80) {
      this.byte(value);
      return;
    }
    const size = value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
    this.#make(size);
    this.#at -= size;
    let rest = value;
    for (let i = 0; i < size - 1; i++) {
      this.#bytes[this.#at + i] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#at + size - 1] = rest;
  }

  /** A signed number of 64 bits; negative ones take ten bytes. */
  int64(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && value <= 0xffffffff) {
      this.varint(value);
      return;
    }
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest >= 0x80n) {
      bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    this.#make(bytes.length);
    this.#at -= bytes.length;
    this.#bytes.set(bytes, this.#at);
  }

  double(value: number): void {
    this.#make(8);
    this.#at -= 8;
    this.#bytes.writeDoubleLE(value, this.#at);
  }

  /** Text in UTF-8, with its length in front; bytes that stand in it for themselves are those bytes. */
  text(value: string): void {
    if (value.length <= SHORT && this.#shortAscii(value)) return;
    const size = Buffer.byteLength(value);
    if (size !== value.length && /[\udc80-\udcff]/u.test(value)) {
      this.bytes(encodeKeptBytes(value));
      return;
    }
    this.#make(size);
    this.#at -= size;
    if (size > 0) this.#bytes.write(value, this.#at, size, 'utf8');
    this.varint(size);
  }

  /** Bytes with their length in front. */
  bytes(value: Buffer): void {
    this.#make(value.length);
    this.#at -= value.length;
    value.copy(this.#bytes, this.#at);
    this.varint(value.length);
  }

  /** Byte by byte, which is faster than a call for what most texts are. Answers whether it was ASCII; else nothing is written. */
  #shortAscii(value: string): boolean {
    const size = value.length;
    this.#make(size);
    const start = this.#at - size;
    for (let i = 0; i < size; i++) {
      const code = value.charCodeAt(i);
      if (code > 0x7f) return false;
      this.#bytes[start + i] = code;
    }
    this.#at = start;
    this.varint(size);
    return true;
  }

  #make(room: number): void {
    if (room <= this.#at) return;
    const used = this.length;
    let size = this.#bytes.length * 2;
    while (size < used + room) size *= 2;
    const larger = Buffer.allocUnsafeSlow(size);
    this.#bytes.copy(larger, size - used, this.#at);
    this.#bytes = larger;
    this.#at = size - used;
  }
}
