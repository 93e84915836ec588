/** The messages of one table, each compiled for the wire when it is first used. */
import { type ProtobufDocument, type ProtobufRow } from '../message-table.js';
import { goFieldName } from './go-field-names.js';
import { MessageWire, type WireField } from './message-wire.js';
import { specialWire } from './special-wires.js';
import {
  type WireCoder,
  boolWire,
  bytesWire,
  doubleWire,
  int32Wire,
  int64Wire,
  stringWire,
} from './wire-coder.js';

export class WirePlans {
  readonly #document: ProtobufDocument;
  readonly #coders = new Map<string, WireCoder>();

  constructor(document: ProtobufDocument) {
    this.#document = document;
  }

  /** Undefined when the table does not have it, or it is none of fields. */
  message(name: string): MessageWire | undefined {
    if (!Object.hasOwn(this.#document.messages, name)) return undefined;
    const coder = this.#coder(name);
    return coder instanceof MessageWire ? coder : undefined;
  }

  #coder(type: string): WireCoder {
    const scalar = scalarWire(type);
    if (scalar !== undefined) return scalar;
    let coder = this.#coders.get(type);
    if (coder === undefined) {
      coder =
        specialWire(type, (other) => this.#coder(other)) ??
        new MessageWire(lastPart(type), () => this.#fieldsOf(type));
      this.#coders.set(type, coder);
    }
    return coder;
  }

  #fieldsOf(message: string): readonly WireField[] {
    const rows = this.#document.messages[message];
    if (rows === undefined) throw new Error(`no such message: ${message}`);
    return rows.map((row) => this.#field(row, lastPart(message)));
  }

  #field(row: ProtobufRow, struct: string): WireField {
    const [protobufName, number, declared, label, emission, jsonName] = row;
    const type = /^map<string,(.*)>$/.exec(String(declared))?.[1] ?? String(declared);
    const coder = this.#coder(type);
    return {
      number: Number(number),
      name: String(jsonName ?? protobufName),
      goName: goFieldName(struct, String(protobufName), type),
      label: label === 'rep' || label === 'map' ? label : 'opt',
      coder,
      // Bytes and named lists are slices, which may be nil.
      optional: emission === 'ptr' || emission === 'null' || type === 'bytes' || isNamedList(type),
      keepsNull: emission === 'ptr' && coder.nullIsZero === true,
      ...(emission === 'inline' && coder instanceof MessageWire ? { inline: coder } : {}),
    };
  }
}

function scalarWire(type: string): WireCoder | undefined {
  switch (type) {
    case 'string':
      return stringWire;
    case 'bool':
      return boolWire;
    case 'int32':
      return int32Wire;
    case 'int64':
      return int64Wire;
    case 'double':
      return doubleWire;
    case 'bytes':
      return bytesWire;
    default:
      return undefined;
  }
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
const isNamedList = (type: string): boolean => /\.(?:Verbs|ExtraValue)$/.test(type);
