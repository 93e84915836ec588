/** How values of one Go type are decoded and arranged: scalars, lists and maps. */
import {
  type JsonValue,
  type MutableJsonObject,
  Float,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  setMember,
} from '../ground/json.js';
import { readBase64 } from './base64.js';
import { type DecodeRun, literalOf, wordOf, wordWithLiteral } from './decode-run.js';
import { inByteOrder, mapMembersShared, mapShared } from './member-order.js';

export interface Coder {
  /** As error texts name it. */
  readonly goType: string;
  /** Value of an element that is null, and of a member that is unset but always written. */
  zero(): JsonValue;
  /** Whether that is null. @default false */
  readonly nullIsZero?: true;
  /** Canonical form of a value other than null. Undefined: not of this type, and `run` has been told. */
  decode(value: JsonValue, run: DecodeRun): JsonValue | undefined;
  /** The value with members in their places, the value itself where nothing moves. Absent: it never has any. */
  readonly arrange?: (value: JsonValue) => JsonValue;
  /** The value as a store gives it back: see `Codec.asStored`. Absent: as it is. */
  readonly asStored?: (value: JsonValue) => JsonValue;
  /** Whether `asStored` may change anything; absent: it may not. */
  readonly storesOtherwise?: () => boolean;
}

/** `asStored` of a container whose elements are changed by `each`. */
function elementsAsStored(
  element: Coder,
  each: (value: JsonValue, asStored: (value: JsonValue) => JsonValue) => JsonValue,
): Pick<Coder, 'asStored' | 'storesOtherwise'> {
  const { asStored, storesOtherwise } = element;
  return asStored === undefined || storesOtherwise === undefined
    ? {}
    : { storesOtherwise, asStored: (value) => each(value, asStored) };
}

export const stringCoder = (goType = 'string'): Coder => ({
  goType,
  zero: () => '',
  decode: (value, run) => (typeof value === 'string' ? value : run.mismatch(wordOf(value), goType)),
});

export const boolCoder = (goType = 'bool'): Coder => ({
  goType,
  zero: () => false,
  decode: (value, run) => (typeof value === 'boolean' ? value : run.mismatch(wordOf(value), goType)),
});

const MAX_INT64 = 2n ** 63n - 1n;

const isInt32 = (value: JsonValue): value is number =>
  typeof value === 'number' && value === Math.trunc(value) && value >= -0x80000000 && value <= 0x7fffffff;

/** Only integer literals in range: `1.0` and `1e2` are refused. */
export const int32Coder = (goType = 'int32'): Coder => ({
  goType,
  zero: () => 0,
  // Adding 0 turns -0 into 0.
  decode: (value, run) => (isInt32(value) ? value + 0 : run.mismatch(wordWithLiteral(value), goType)),
});

export const int64Coder = (goType = 'int64'): Coder => ({
  goType,
  zero: () => 0,
  decode(value, run) {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0;
    if (typeof value === 'bigint' && value <= MAX_INT64 && value >= -MAX_INT64 - 1n) return value;
    return run.mismatch(wordWithLiteral(value), goType);
  },
});

export const doubleCoder = (goType = 'float64'): Coder => ({
  goType,
  zero: () => 0,
  decode(value, run) {
    const literal = literalOf(value);
    if (literal === undefined) return run.mismatch(wordOf(value), goType);
    const float = value instanceof Float ? value.value : Number(value);
    if (!Number.isFinite(float)) return run.mismatch(`number ${literal}`, goType);
    return Number.isInteger(float) && !Number.isSafeInteger(float) ? new Float(float) : float + 0;
  },
});

/** Base64 text, or (as Go's decoder has it) a list of numbers up to 255. */
export const bytesCoder = (goType = '[]uint8'): Coder => ({
  goType,
  zero: () => '',
  decode(value, run) {
    if (typeof value === 'string') {
      const reading = readBase64(value);
      return reading.ok ? reading.text : run.complain(`illegal base64 data at input byte ${reading.offset}`);
    }
    if (!isJsonArray(value)) return run.mismatch(wordOf(value), goType);
    const bytes: number[] = [];
    for (const one of value) {
      const byte = one ?? 0;
      if (isInt32(byte) && byte >= 0 && byte <= 255) bytes.push(byte);
      else run.mismatch(wordWithLiteral(byte), 'uint8');
    }
    return Buffer.from(bytes).toString('base64');
  },
});

/** Shape of decode: a new list of as many elements; null elements become zero values. */
export function listCoder(element: Coder, goType: string): Coder {
  const { arrange } = element;
  return {
    goType,
    zero: () => null,
    decode(value, run) {
      if (!isJsonArray(value)) return run.mismatch(wordOf(value), goType);
      const out: JsonValue[] = [];
      for (let i = 0; i < value.length; i++) {
        const one = value[i] ?? null;
        if (one === null) {
          out.push(element.zero());
          continue;
        }
        const unknownBefore = run.unknown.length;
        const decoded = element.decode(one, run);
        if (run.unknown.length > unknownBefore) run.prefixUnknown(unknownBefore, `[${i}]`);
        if (decoded !== undefined) out.push(decoded);
        else if (run.aborted) return undefined;
      }
      return out;
    },
    ...(arrange === undefined
      ? {}
      : { arrange: (value: JsonValue) => (isJsonArray(value) ? mapShared(value, arrange) : value) }),
    ...elementsAsStored(element, (value, asStored) =>
      isJsonArray(value) ? mapShared(value, asStored) : value,
    ),
  };
}

/** Shape of decode: a new object with names in byte order; null values become zero values. */
export function mapCoder(element: Coder, goType: string): Coder {
  const arrangeElement = element.arrange;
  return {
    goType,
    zero: () => null,
    decode(value, run) {
      if (!isJsonObject(value)) return run.mismatch(wordOf(value), goType);
      const names = Object.keys(value);
      const out: MutableJsonObject = {};
      for (const name of names) {
        const one = value[name] ?? null;
        const unknownBefore = run.unknown.length;
        const decoded = one === null ? element.zero() : element.decode(one, run);
        if (run.unknown.length > unknownBefore) run.prefixUnknown(unknownBefore, `.${name}`);
        if (decoded !== undefined) setMember(out, name, decoded);
        else if (run.aborted) return undefined;
      }
      return inByteOrder(names) ? out : sortedByName(out);
    },
    arrange(value) {
      if (!isJsonObject(value)) return value;
      const names = Object.keys(value);
      if (arrangeElement === undefined) return inByteOrder(names) ? value : sortedByName(value);
      let same = inByteOrder(names);
      const out: MutableJsonObject = {};
      for (const name of same ? names : names.sort(compareUtf8)) {
        const old = value[name] ?? null;
        const next = arrangeElement(old);
        if (next !== old) same = false;
        setMember(out, name, next);
      }
      return same ? value : out;
    },
    ...elementsAsStored(element, (value, asStored) =>
      isJsonObject(value) ? mapMembersShared(value, asStored) : value,
    ),
  };
}

function sortedByName(object: Readonly<Record<string, JsonValue>>): MutableJsonObject {
  const out: MutableJsonObject = {};
  for (const name of Object.keys(object).sort(compareUtf8)) setMember(out, name, object[name] ?? null);
  return out;
}
