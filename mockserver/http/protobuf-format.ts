/** Protobuf bodies: an envelope around the object's own message; watches as frames with their length in front. */
import { type JsonObject, isJsonObject, stringMember } from '../ground/json.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type TypeMeta, envelopeOf } from '../schema/protobuf/envelope.js';
import { type ProtobufCodec } from '../schema/protobuf/protobuf-codec.js';
import { WireWriter } from '../schema/protobuf/wire-writer.js';
import { type Format, type ListParts, type Piece } from './format.js';

const NAME = 'protobuf';

/** Tags of length-delimited fields by number. */
const TAG = { 1: 0x0a, 2: 0x12 } as const;

/**
 * Shape: the message of an object is made once and shared, and so is its body; lists and frames are put around it. Lists have
 * their metadata in the first field and their items in the second, whatever the kind.
 * Source: apimachinery runtime/serializer/protobuf.
 */
export function protobufFormat(codec: ProtobufCodec): Format {
  const messageOf = (object: StoredObject): Buffer => object.encoded(NAME, (value) => codec.encode(value));
  const enveloped = (typeMeta: TypeMeta, message: Buffer): Buffer[] => {
    const { head, tail } = envelopeOf(typeMeta, message.length);
    return [head, message, tail];
  };
  const ofObject = (object: StoredObject): Buffer[] => enveloped(object.object, messageOf(object));
  const ofValue = (value: JsonObject): Buffer[] => enveloped(typeMetaOf(value), codec.encode(value));
  return {
    name: NAME,
    mediaType: 'application/vnd.kubernetes.protobuf',
    watchMediaType: 'application/vnd.kubernetes.protobuf;stream=watch',
    text: false,
    object: (object) => [object.body(NAME, () => Buffer.concat(ofObject(object)).toString('latin1'))],
    value(value) {
      if (!isJsonObject(value)) throw new Error('only objects have a protobuf form');
      return ofValue(value);
    },
    list: ({ head, items }: ListParts) => {
      const typeMeta = typeMetaOf(head);
      const metadata = codec.encodeAs(typeMeta, head);
      const messages = items.map(messageOf);
      const total = messages.reduce((sum, { length }) => sum + sizeOf(length) + length, metadata.length);
      const envelope = envelopeOf(typeMeta, total);
      return listPieces([envelope.head, metadata], messages, envelope.tail);
    },
    frames: {
      object: (type, object) => frameOf(type, ofObject(object)),
      value: (type, value) => frameOf(type, ofValue(value)),
    },
  };
}

const typeMetaOf = (value: JsonObject): TypeMeta => ({
  apiVersion: stringMember(value, 'apiVersion') ?? '',
  kind: stringMember(value, 'kind') ?? '',
});

function* listPieces(
  before: readonly Buffer[],
  messages: readonly Buffer[],
  after: Buffer,
): Generator<Piece> {
  yield* before;
  for (const message of messages) {
    yield lengthPrefix(message.length);
    yield message;
  }
  yield after;
}

/** Bytes of what stands in front of a message. */
const HEAD_ROOM = 64;

/** An item's tag and length. */
function lengthPrefix(length: number): Buffer {
  const out = new WireWriter(8);
  out.varint(length);
  out.byte(TAG[2]);
  return out.take();
}

/** Bytes of the same. */
const sizeOf = (length: number): number =>
  1 + (length < 0x80 ? 1 : length < 0x4000 ? 2 : length < 0x200000 ? 3 : length < 0x10000000 ? 4 : 5);

/** A WatchEvent with the envelope as its raw object, and the length of it all in front. */
function frameOf(type: string, envelope: readonly Buffer[]): Buffer {
  const bytes = envelope.reduce((sum, { length }) => sum + length, 0);
  const out = new WireWriter(HEAD_ROOM);
  out.varint(bytes);
  out.byte(TAG[1]);
  out.varint(out.length + bytes);
  out.byte(TAG[2]);
  out.text(type);
  out.byte(TAG[1]);
  const head = out.take();
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(head.length + bytes);
  return Buffer.concat([length, head, ...envelope]);
}
