/**
 * From untyped JSON to what a kind's Go type can hold, as it is done without going through text: other conversions, and
 * other words for what does not convert, than those of the JSON decoder.
 * Source: apimachinery runtime/converter.go, FromUnstructuredWithValidation.
 */
import {
  compareUtf8,
  Float,
  isJsonArray,
  isJsonObject,
  member,
  setMember,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from '../ground/json.js';
import { readBase64 } from '../schema/base64.js';
import { DecodeRun } from '../schema/decode-run.js';
import { goKindOf } from '../ground/go-value-text.js';
import { type OpaqueType, type ScalarType, type StructType, type ValueType } from './value-type.js';

export type Conversion =
  | {
      readonly ok: true;
      /** With numbers as their fields hold them; the value itself where nothing had to be converted. */
      readonly value: JsonObject;
      /** `unknown field "spec.a"`, in byte order. */
      readonly unknown: readonly string[];
    }
  | { readonly ok: false; readonly error: string };

export function fromUnstructured(value: JsonObject, type: StructType): Conversion {
  const unknown: string[] = [];
  try {
    const converted = convertStruct(value, type, { path: '', unknown });
    const texts = unknown.map((path) => `unknown field "${path}"`).sort(compareUtf8);
    return { ok: true, value: converted, unknown: texts };
  } catch (error) {
    if (error instanceof Unconvertible) return { ok: false, error: error.message };
    throw error;
  }
}

/** Thrown within this file only, and caught there. */
class Unconvertible extends Error {}

interface Walk {
  readonly path: string;
  readonly unknown: string[];
}

function convert(value: JsonValue, type: ValueType, walk: Walk): JsonValue {
  if (value === null) return null;
  switch (type.kind) {
    case 'scalar':
      return convertScalar(value, type);
    case 'bytes':
      return convertBytes(value);
    case 'opaque':
      return convertOpaque(value, type);
    case 'list':
      if (!isJsonArray(value)) throw new Unconvertible(`cannot restore slice from ${goKindOf(value)}`);
      return convertList(value, type.element, walk);
    case 'map':
      if (!isJsonObject(value)) throw new Unconvertible(`cannot restore map from ${goKindOf(value)}`);
      return convertMap(value, type.element, walk);
    case 'struct':
      if (!isJsonObject(value)) throw new Unconvertible(`cannot restore struct from: ${goKindOf(value)}`);
      return convertStruct(value, type, walk);
  }
}

function convertStruct(value: JsonObject, type: StructType, walk: Walk): JsonObject {
  const { path, unknown } = walk;
  const within = (name: string): string => (path === '' ? name : `${path}.${name}`);
  let changed: MutableJsonObject | undefined;
  // In the order of the type, so that of several errors the same one comes first as on a real server.
  for (const [name, field] of type.fields) {
    const own = member(value, name);
    if (own === undefined) continue;
    const converted = convert(own, field.type, { path: within(name), unknown });
    if (converted !== own) setMember((changed ??= { ...value }), name, converted);
  }
  for (const name of Object.keys(value)) if (!type.fields.has(name)) unknown.push(within(name));
  return changed ?? value;
}

/** Names of members do not become part of paths. */
function convertMap(value: JsonObject, element: ValueType, walk: Walk): JsonObject {
  let changed: MutableJsonObject | undefined;
  for (const [name, own] of Object.entries(value)) {
    const converted = convert(own, element, walk);
    if (converted !== own) setMember((changed ??= { ...value }), name, converted);
  }
  return changed ?? value;
}

function convertList(value: readonly JsonValue[], element: ValueType, walk: Walk): JsonValue {
  const converted = value.map((own, i) =>
    convert(own, element, { path: `${walk.path}[${i}]`, unknown: walk.unknown }),
  );
  return converted.some((one, i) => one !== value[i]) ? converted : value;
}

function convertScalar(value: JsonValue, { base, goType }: ScalarType): JsonValue {
  const given = goKindOf(value);
  const number = given === 'int64' || given === 'float64';
  switch (base) {
    case 'string':
    case 'bool':
      if (given === base) return value;
      break;
    case 'float64':
      if (number) return value;
      break;
    case 'int32':
    case 'int64': {
      const whole = number ? wholeOf(value) : undefined;
      if (whole !== undefined) return base === 'int32' ? asInt32(whole) : whole;
    }
  }
  // Go has conversions between numbers, and one from integers to texts, which is not wanted here.
  const convertible = base === 'string' ? given === 'int64' : number && base !== 'bool';
  throw new Unconvertible(
    convertible ? `cannot convert ${given} to ${goType}` : `unrecognized type: ${base}`,
  );
}

/** Undefined for fractions. */
function wholeOf(value: JsonValue): number | bigint | undefined {
  if (typeof value === 'bigint') return value;
  const number = value instanceof Float ? value.value : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) return undefined;
  return Number.isSafeInteger(number) ? number : BigInt.asIntN(64, BigInt(number));
}

/** The low 32 bits: nothing checks the range here. */
const asInt32 = (value: number | bigint): number =>
  typeof value === 'number' && value === (value | 0) ? value : Number(BigInt.asIntN(32, BigInt(value)));

function convertBytes(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const reading = readBase64(value);
    if (reading.ok) return value;
    throw new Unconvertible(`error decoding from json: illegal base64 data at input byte ${reading.offset}`);
  }
  if (!isJsonArray(value)) throw new Unconvertible(`cannot restore slice from ${goKindOf(value)}`);
  return value.map((one) => Number(BigInt.asUintN(8, BigInt(wholeOf(one ?? 0) ?? 0))));
}

function convertOpaque(value: JsonValue, { coder }: OpaqueType): JsonValue {
  const run = new DecodeRun();
  coder.decode(value, run);
  const error = run.error();
  if (error !== undefined) throw new Unconvertible(error);
  return value;
}
