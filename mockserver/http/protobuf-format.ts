/** Protobuf bodies: an envelope around the object's own message; watches as frames with their length in front. */
import { type JsonObject, isJsonObject, stringMember } from '../ground/json.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type TypeMeta, envelopeOf } from '../schema/protobuf/envelope.js';
import { type ProtobufCodec } from '../schema/protobuf/protobuf-codec.js';
import { WireWriter } from '../schema/protobuf/wire-writer.js';
import { type Format, type ListParts } from './format.js';

const NAME = 'protobuf';

/** Tags of length-delimited fields by number. */
const TAG = { 1: 0x0a, 2: 0x12 } as const;

/**
 * Shape: the message of an object, as an item of a list, is made once and shared, and so is its body; frames are put around it. Lists have
 * their metadata in the first field and their items in the second, whatever the kind.
 * Source: apimachinery runtime/serializer/protobuf.
 */
export function protobufFormat(codec: ProtobufCodec): Format {
  const itemOf = (object: StoredObject): Buffer =>
    object.encoded(NAME, (value) => itemBytes(codec.encode(value)));
  const enveloped = (typeMeta: TypeMeta, message: Buffer): Buffer[] => {
    const { head, tail } = envelopeOf(typeMeta, message.length);
    return [head, message, tail];
  };
  const ofObject = (object: StoredObject): Buffer[] => enveloped(object.object, messageOf(itemOf(object)));
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
      const bytes = items.map(itemOf);
      const total = bytes.reduce((sum, { length }) => sum + length, metadata.length);
      const envelope = envelopeOf(typeMeta, total);
      return [envelope.head, metadata, ...bytes, envelope.tail];
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

/** Bytes of what stands in front of a message. */
const HEAD_ROOM = 64;

/** A message with its tag and length, as it stands in a list. */
function itemBytes(message: Buffer): Buffer {
  const out = new WireWriter(HEAD_ROOM);
  out.varint(message.length);
  out.byte(TAG[2]);
  return Buffer.concat([out.take(), message]);
}

/** The message alone; shared with the item. */
function messageOf(item: Buffer): Buffer {
  let lastOfLength = 1;
  while ((item[lastOfLength] ?? 0) > 0x7f) lastOfLength++;
  return item.subarray(lastOfLength + 1);
}

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
