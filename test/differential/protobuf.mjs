/** Protobuf bodies as the JSON of the same objects, read and written with the built codec. */

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

let coding;

/** Errors: when dist/ is not built. */
export function protobufCoding() {
  coding ??= loaded();
  return coding;
}

async function loaded() {
  const [{ ProtobufCodec }, { envelopeOf }, { loadBuiltInApi }, { writeJson }] = await Promise.all(
    [
      'mockserver/schema/protobuf/protobuf-codec.js',
      'mockserver/schema/protobuf/envelope.js',
      'openapi/built-in-api.js',
      'mockserver/ground/json-write.js',
    ].map((path) => import(new URL(`../../dist/${path}`, import.meta.url).href)),
  );
  const api = loadBuiltInApi();
  const codec = new ProtobufCodec(() => api.messageDocuments.protobuf);

  const encoded = (object) => {
    const message = codec.encode(object);
    const { head, tail } = envelopeOf(object, message.length);
    return Buffer.concat([head, message, tail]);
  };
  /**
   * Shape: `text` is JSON; `bytes` says whether our writer makes the same bytes of it, and where not.
   */
  const decoded = (bytes) => {
    const reading = codec.decode(bytes, { apiVersion: '', kind: '' });
    if (!reading.ok) return { text: `${reading.error}: ${bytes.toString('hex')}`, bytes: 'unreadable' };
    return { text: writeJson(reading.value), bytes: writtenAlike(bytes, reading.value) };
  };
  const writtenAlike = (bytes, value) => {
    const own = encoded(value);
    if (own.equals(bytes)) return 'as written here';
    const at = own.findIndex((byte, i) => byte !== bytes[i]);
    return `${value.kind}: ${bytes.subarray(at, at + 8).toString('hex')} and not ${own.subarray(at, at + 8).toString('hex')}`;
  };
  /** One event of a watch as a line of JSON; the last four bytes of a head are its length. */
  const event = (frame) => {
    const [type, raw] = membersOf(frame);
    const [envelope] = membersOf(raw);
    const { text, bytes } = decoded(envelope);
    return `{"type":${JSON.stringify(type.toString())},"bytes":${JSON.stringify(bytes)},"object":${text}}`;
  };
  return { encoded, decoded, event };
}

/** The contents of a message's fields, all of them length-delimited. */
function membersOf(message) {
  const members = [];
  for (let at = 0; at < message.length;) {
    at += 1;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at];
      at += 1;
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    members.push(message.subarray(at, at + length));
    at += length;
  }
  return members;
}

/** Splits what has come of a stream into frames. Shape: whole frames, and the rest. */
export function framesOf(bytes) {
  const frames = [];
  let at = 0;
  while (bytes.length >= at + 4 && bytes.length >= at + 4 + bytes.readUInt32BE(at)) {
    const length = bytes.readUInt32BE(at);
    frames.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return { frames, rest: bytes.subarray(at) };
}
