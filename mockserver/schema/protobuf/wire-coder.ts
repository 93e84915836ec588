/** How values of one type stand on the wire, and their JSON form: scalars. */
import { type JsonValue, Float } from '../../ground/json.js';
import { decodeKeepingBytes } from '../../ground/utf8.js';
import { WireError } from './wire-error.js';
import { WIRE, type WireReader } from './wire-reader.js';
import { type WireWriter } from './wire-writer.js';

export interface WireCoder {
  /** What the low bits of a field's tag say. */
  readonly wireType: number;
  /**
   * Writes the value without a tag, its length included. Undefined and null: the zero value of the Go type.
   */
  write(value: JsonValue | undefined, out: WireWriter): void;
  /**
   * Reads the value, its length included.
   *
   * Shape: what a JSON decoder takes for the same value; undefined where that is null.
   * @param before of the same field, where it has come already: messages go into it
   */
  read(from: WireReader, before?: JsonValue): JsonValue | undefined;
  /** Whether the JSON of the zero value is null. @default false */
  readonly nullIsZero?: boolean;
}

export const stringWire: WireCoder = {
  wireType: WIRE.bytes,
  write: (value, out) => out.text(typeof value === 'string' ? value : ''),
  read: (from) => decodeKeepingBytes(from.slice()),
};

export const boolWire: WireCoder = {
  wireType: WIRE.varint,
  write: (value, out) => out.byte(value === true ? 1 : 0),
  read: (from) => from.bool(),
};

const integerOf = (value: JsonValue | undefined): number | bigint =>
  typeof value === 'number' || typeof value === 'bigint' ? value : 0;

export const int32Wire: WireCoder = {
  wireType: WIRE.varint,
  write: (value, out) => out.int64(integerOf(value)),
  read: (from) => from.int32(),
};

export const int64Wire: WireCoder = {
  wireType: WIRE.varint,
  write: (value, out) => out.int64(integerOf(value)),
  read: (from) => from.int64(),
};

export const doubleWire: WireCoder = {
  wireType: WIRE.eightBytes,
  write: (value, out) => out.double(value instanceof Float ? value.value : Number(integerOf(value))),
  read(from) {
    const value = from.double();
    if (!Number.isFinite(value)) throw new WireError(`json: unsupported value: ${goFloat(value)}`);
    return value;
  },
};

const goFloat = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf');

/** Base64 in JSON. */
export const bytesWire: WireCoder = {
  wireType: WIRE.bytes,
  write: (value, out) => out.bytes(Buffer.from(typeof value === 'string' ? value : '', 'base64')),
  read: (from) => from.slice().toString('base64'),
};
