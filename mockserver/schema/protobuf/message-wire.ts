/** Messages on the wire: one plan per message, which writes its fields in descending order and reads them in any. */
import {
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  setMember,
} from '../../ground/json.js';
import { decodeKeepingBytes } from '../../ground/utf8.js';
import { inByteOrder } from '../member-order.js';
import { type WireCoder, stringWire } from './wire-coder.js';
import { WireError } from './wire-error.js';
import { WIRE, type WireReader } from './wire-reader.js';
import { type WireWriter } from './wire-writer.js';

export interface WireField {
  readonly number: number;
  /** In JSON. */
  readonly name: string;
  /** As decoding errors name it. */
  readonly goName: string;
  readonly label: 'opt' | 'rep' | 'map';
  readonly coder: WireCoder;
  /** Whether an unset one stays away; what is no pointer is written always, as its zero value. */
  readonly optional: boolean;
  /** Null is a set one, with the zero value. @default false */
  readonly keepsNull?: boolean;
  /** In JSON its members stand in the parent. Present for messages only. */
  readonly inline?: MessageWire;
}

/** Messages within messages. A Go decoder has no such bound; none of the API's own come near it. */
const DEEPEST = 500;

export class MessageWire implements WireCoder {
  readonly wireType = WIRE.bytes;
  readonly #struct: string;
  readonly #compile: () => readonly WireField[];
  #descending: readonly WireField[] | undefined;
  #numbered: ReadonlyMap<number, WireField> | undefined;

  /** @param compile is asked when the message is first used, since messages may contain themselves. */
  constructor(struct: string, compile: () => readonly WireField[]) {
    this.#struct = struct;
    this.#compile = compile;
  }

  write(value: JsonValue | undefined, out: WireWriter): void {
    const before = out.length;
    this.writeFields(isJsonObject(value) ? value : {}, out);
    out.varint(out.length - before);
  }

  writeFields(object: JsonObject, out: WireWriter): void {
    for (const field of this.#fields) {
      if (field.inline !== undefined) {
        field.inline.write(object, out);
        out.varint((field.number << 3) | WIRE.bytes);
        continue;
      }
      const value = Object.hasOwn(object, field.name) ? object[field.name] : undefined;
      switch (field.label) {
        case 'opt':
          if (field.optional && (value === undefined || (value === null && field.keepsNull !== true))) break;
          field.coder.write(value, out);
          out.varint((field.number << 3) | field.coder.wireType);
          break;
        case 'rep':
          if (isJsonArray(value)) writeList(value, field, out);
          break;
        case 'map':
          if (isJsonObject(value)) writeMap(value, field, out);
          break;
      }
    }
  }

  read(from: WireReader, before?: JsonValue): JsonValue {
    const end = from.lengthEnd();
    const outerEnd = from.end;
    from.end = end;
    const into: MutableJsonObject = isJsonObject(before) ? before : {};
    this.readFields(from, into);
    from.end = outerEnd;
    return into;
  }

  /** Reads fields up to the reader's end. */
  readFields(from: WireReader, into: MutableJsonObject): void {
    if (++from.depth > DEEPEST) throw new WireError('proto: exceeded max depth');
    const byNumber = (this.#numbered ??= new Map(this.#fields.map((field) => [field.number, field])));
    while (from.at < from.end) {
      const start = from.at;
      const tag = from.varint();
      const wireType = Number(typeof tag === 'number' ? tag & 7 : tag & 7n);
      const number = typeof tag === 'number' ? tag >>> 3 : Number(BigInt.asIntN(32, tag >> 3n));
      if (wireType === WIRE.endGroup)
        throw new WireError(`proto: ${this.#struct}: wiretype end group for non-group`);
      if (number <= 0)
        throw new WireError(`proto: ${this.#struct}: illegal tag ${number} (wire type ${tag})`);
      const field = byNumber.get(number);
      if (field === undefined) from.skip(start, from.end);
      else readField(field, wireType, from, into);
    }
    from.depth--;
  }

  get #fields(): readonly WireField[] {
    return (this.#descending ??= [...this.#compile()].sort((a, b) => b.number - a.number));
  }
}

function writeList(list: readonly JsonValue[], { number, coder }: WireField, out: WireWriter): void {
  for (let i = list.length - 1; i >= 0; i--) {
    coder.write(list[i], out);
    out.varint((number << 3) | coder.wireType);
  }
}

/** Go writes the entries of a map sorted by their names' bytes; an engine lists names like `10` first. */
function writeMap(map: JsonObject, { number, coder }: WireField, out: WireWriter): void {
  const names = Object.keys(map);
  if (!inByteOrder(names)) names.sort(compareUtf8);
  for (let i = names.length - 1; i >= 0; i--) {
    const name = names[i] ?? '';
    const before = out.length;
    coder.write(map[name], out);
    out.varint((2 << 3) | coder.wireType);
    stringWire.write(name, out);
    out.varint((1 << 3) | WIRE.bytes);
    out.varint(out.length - before);
    out.varint((number << 3) | WIRE.bytes);
  }
}

function readField(field: WireField, wireType: number, from: WireReader, into: MutableJsonObject): void {
  const { coder, name } = field;
  const expected = field.label === 'map' ? WIRE.bytes : coder.wireType;
  const packed = field.label === 'rep' && wireType === WIRE.bytes && expected !== WIRE.bytes;
  if (wireType !== expected && !packed)
    throw new WireError(`proto: wrong wireType = ${wireType} for field ${field.goName}`);
  if (field.inline !== undefined) {
    field.inline.read(from, into);
    return;
  }
  switch (field.label) {
    case 'opt': {
      into[name] = coder.read(from, into[name]) ?? null;
      return;
    }
    case 'rep': {
      const before = into[name];
      // A list in here is one that this reader has begun.
      const list: JsonValue[] = isJsonArray(before) ? (before as JsonValue[]) : [];
      if (packed) for (const end = from.lengthEnd(); from.at < end;) list.push(coder.read(from) ?? null);
      else list.push(coder.read(from) ?? null);
      into[name] = list;
      return;
    }
    case 'map': {
      const before = into[name];
      const map: MutableJsonObject = isJsonObject(before) ? before : {};
      readEntry(map, coder, from);
      into[name] = map;
    }
  }
}

/** One entry. What stands in it may reach beyond its end, as long as the message around it goes on. */
function readEntry(map: MutableJsonObject, coder: WireCoder, from: WireReader): void {
  const end = from.lengthEnd();
  let name = '';
  let value: JsonValue | undefined;
  while (from.at < end) {
    const start = from.at;
    const tag = from.varint();
    const number = typeof tag === 'number' ? tag >>> 3 : Number(BigInt.asIntN(32, tag >> 3n));
    if (number === 1) name = decodeKeepingBytes(from.slice());
    else if (number === 2) value = coder.read(from);
    else from.skip(start, end);
  }
  // Null is the zero value of the element.
  setMember(map, name, value ?? null);
  from.at = end;
}
