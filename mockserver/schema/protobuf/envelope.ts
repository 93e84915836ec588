/** The envelope of protobuf bodies: four bytes and a message `runtime.Unknown` around the object's own. */
import { type MutableJsonObject, objectMember, stringMember } from '../../ground/json.js';
import { MessageWire } from './message-wire.js';
import { type WireCoder, stringWire } from './wire-coder.js';
import { WireError } from './wire-error.js';
import { WIRE, WireReader } from './wire-reader.js';
import { WireWriter } from './wire-writer.js';

/** `k8s` and a zero byte. */
const MAGIC = Buffer.from('k8s\0', 'latin1');

/** The fields contentEncoding and contentType, both empty. */
const TAIL = Buffer.from([0x1a, 0, 0x22, 0]);

/** Bytes of most heads; longer ones grow. */
const HEAD_ROOM = 128;

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What stands before and after a message of so many bytes. */
export interface Envelope {
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** Source: apimachinery runtime/serializer/protobuf, runtime/generated.pb.go. */
export function envelopeOf({ apiVersion, kind }: TypeMeta, messageBytes: number): Envelope {
  const out = new WireWriter(HEAD_ROOM);
  out.varint(messageBytes);
  out.byte((2 << 3) | WIRE.bytes);
  const before = out.length;
  out.text(kind);
  out.byte((2 << 3) | WIRE.bytes);
  out.text(apiVersion);
  out.byte((1 << 3) | WIRE.bytes);
  out.varint(out.length - before);
  out.byte((1 << 3) | WIRE.bytes);
  return { head: Buffer.concat([MAGIC, out.take()]), tail: TAIL };
}

export interface Opened extends TypeMeta {
  readonly message: Buffer;
}

/**
 * Reads an envelope; what it does not say is empty.
 *
 * Errors: WireError in the words of the real server.
 * Source: apimachinery runtime/serializer/protobuf/protobuf.go, Decode.
 */
export function openEnvelope(bytes: Buffer): Opened {
  if (bytes.length === 0) throw new WireError('empty data');
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new WireError(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  }
  if (bytes.length === MAGIC.length) throw new WireError('empty body');
  const fields: MutableJsonObject = {};
  UNKNOWN.readFields(new WireReader(bytes, MAGIC.length), fields);
  const typeMeta = objectMember(fields, 'typeMeta');
  return {
    apiVersion: stringMember(typeMeta, 'apiVersion') ?? '',
    kind: stringMember(typeMeta, 'kind') ?? '',
    message: Buffer.from(stringMember(fields, 'raw') ?? '', 'latin1'),
  };
}

/** Bytes as a byte string, since a message is read as JSON. */
const byteStringWire: WireCoder = { ...stringWire, read: (from) => from.slice().toString('latin1') };

const OPTIONAL = { label: 'opt', optional: true } as const;

const TYPE_META = new MessageWire('TypeMeta', () => [
  { ...OPTIONAL, number: 1, name: 'apiVersion', goName: 'APIVersion', coder: stringWire },
  { ...OPTIONAL, number: 2, name: 'kind', goName: 'Kind', coder: stringWire },
]);

const UNKNOWN = new MessageWire('Unknown', () => [
  { ...OPTIONAL, number: 1, name: 'typeMeta', goName: 'TypeMeta', coder: TYPE_META },
  { ...OPTIONAL, number: 2, name: 'raw', goName: 'Raw', coder: byteStringWire },
  { ...OPTIONAL, number: 3, name: 'contentEncoding', goName: 'ContentEncoding', coder: stringWire },
  { ...OPTIONAL, number: 4, name: 'contentType', goName: 'ContentType', coder: stringWire },
]);
