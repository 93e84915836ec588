/** What messages of gnostic are made of: fields of JSON members, each written with its tag, from the last to the first. */
import { type JsonObject, type JsonValue, Float, isJsonArray, isJsonObject } from '../ground/json.js';
import { writeYamlNode } from '../ground/yaml-write.js';
import { type WireWriter } from '../schema/protobuf/wire-writer.js';

/** Writes the content of a message. What has another form than expected is left out. */
export type Message = (out: WireWriter, value: JsonValue) => void;

/** Writes one field with its tag; of zero values nothing, as proto3 has it. */
export type Field = (out: WireWriter, number: number, value: JsonValue) => void;

const WIRE = { varint: 0, double: 1, bytes: 2 } as const;

const tag = (out: WireWriter, number: number, wire: number): void => {
  out.varint(number * 8 + wire);
};

export function textOrEmpty(out: WireWriter, number: number, value: string): void {
  out.text(value);
  tag(out, number, WIRE.bytes);
}

export const text: Field = (out, number, value) => {
  if (typeof value === 'string' && value !== '') textOrEmpty(out, number, value);
};

export const texts: Field = (out, number, value) => {
  if (!isJsonArray(value)) return;
  for (const one of value.toReversed()) if (typeof one === 'string') textOrEmpty(out, number, one);
};

export const truth: Field = (out, number, value) => {
  if (value === true) truthOrNot(out, number, value);
};

/** Of a choice the alternative that was taken is written, even where it is false. */
export const truthOrNot: Field = (out, number, value) => {
  out.byte(value === true ? 1 : 0);
  tag(out, number, WIRE.varint);
};

export const integer: Field = (out, number, value) => {
  if ((typeof value !== 'number' && typeof value !== 'bigint') || value === 0) return;
  out.int64(typeof value === 'number' ? Math.trunc(value) : value);
  tag(out, number, WIRE.varint);
};

export const double: Field = (out, number, value) => {
  if (floatOf(value) !== 0) doubleOrZero(out, number, value);
};

/** Of a choice also zero is written; so is an empty text by `textOrEmpty`. */
export const doubleOrZero: Field = (out, number, value) => {
  out.double(floatOf(value));
  tag(out, number, WIRE.double);
};

function floatOf(value: JsonValue): number {
  const float = value instanceof Float ? value.value : value;
  return typeof float === 'number' || typeof float === 'bigint' ? Number(float) : 0;
}

export const nested =
  (message: Message): Field =>
  (out, number, value) => {
    const before = out.length;
    message(out, value);
    out.varint(out.length - before);
    tag(out, number, WIRE.bytes);
  };

export const repeated =
  (message: Message): Field =>
  (out, number, value) => {
    if (!isJsonArray(value)) return;
    for (const one of value.toReversed()) nested(message)(out, number, one);
  };

/** Any value, as YAML. */
export const any: Message = (out, value) => {
  textOrEmpty(out, 2, writeYamlNode(value));
};

/** A list of names with their values, all of them field `number`. */
export const named =
  (message: Message, number = 1): Message =>
  (out, value) => {
    if (isJsonObject(value)) namedFields(out, number, Object.entries(value), message);
  };

function namedFields(
  out: WireWriter,
  number: number,
  entries: readonly (readonly [string, JsonValue])[],
  message: Message,
): void {
  for (const [name, one] of entries.toReversed()) {
    nested((inner) => {
      nested(message)(inner, 2, one);
      text(inner, 1, name);
    })(out, number, one);
  }
}

/** A choice: the field of one alternative. */
export const oneOf =
  (choose: (value: JsonObject) => readonly [number: number, message: Message]): Message =>
  (out, value) => {
    if (!isJsonObject(value)) return;
    const [number, message] = choose(value);
    nested(message)(out, number, value);
  };

/**
 * A message with a field for each member.
 *
 * @param extensions the number of the field that takes members whose name begins with `x-`; it is the last.
 */
export function record(
  fields: Readonly<Record<string, readonly [number: number, field: Field]>>,
  extensions?: number,
): Message {
  const descending = Object.entries(fields).sort(([, [a]], [, [b]]) => b - a);
  return (out, value) => {
    if (!isJsonObject(value)) return;
    if (extensions !== undefined) {
      const own = Object.entries(value).filter(([name]) => name.startsWith('x-'));
      namedFields(out, extensions, own, any);
    }
    for (const [name, [number, field]] of descending) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      if (member !== undefined) field(out, number, member);
    }
  };
}
