/** The bytes of protobuf bodies. */
import { readFileSync } from 'node:fs';
import { loadBuiltInApi } from '../../../../openapi/built-in-api.js';
import { type JsonObject, type JsonValue, isJsonObject } from '../../../../mockserver/ground/json.js';
import { readJson } from '../../../../mockserver/ground/json-read.js';
import { envelopeOf } from '../../../../mockserver/schema/protobuf/envelope.js';
import { ProtobufCodec } from '../../../../mockserver/schema/protobuf/protobuf-codec.js';

const api = loadBuiltInApi();
const codec = new ProtobufCodec(() => api.messageDocuments.protobuf);

interface Recorded {
  readonly path: string;
  readonly json: JsonObject;
  readonly hex: string;
}

const url = new URL('../../../../fixtures/recorded/protobuf.json', import.meta.url);
// The file is ours: what it holds is described in its first member.
const { objects } = JSON.parse(readFileSync(url, 'utf8')) as { readonly objects: readonly Recorded[] };

const typeMetaOf = (object: JsonObject): { apiVersion: string; kind: string } => ({
  apiVersion: typeof object['apiVersion'] === 'string' ? object['apiVersion'] : '',
  kind: typeof object['kind'] === 'string' ? object['kind'] : '',
});

const bodyOf = (object: JsonObject): Buffer => {
  const message = codec.encode(object);
  const { head, tail } = envelopeOf(typeMetaOf(object), message.length);
  return Buffer.concat([head, message, tail]);
};

test.each(objects)('$path is the bytes that were recorded', ({ json, hex }) => {
  const reading = readJson(Buffer.from(JSON.stringify(json)));
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error('the fixture is no JSON');
  expect(bodyOf(reading.value).toString('hex')).toBe(hex);
});

test.each(objects)('$path can be read and written again', ({ hex }) => {
  const reading = codec.decode(Buffer.from(hex, 'hex'), { apiVersion: '', kind: '' });
  if (!reading.ok) throw new Error(reading.error);
  expect(bodyOf(reading.value).toString('hex')).toBe(hex);
});

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
/** A body whose message is `hex`. */
const configMap = (hex: string): Buffer => {
  const message = Buffer.from(hex, 'hex');
  const { head, tail } = envelopeOf(CONFIG_MAP, message.length);
  return Buffer.concat([head, message, tail]);
};
const read = (hex: string): JsonValue => {
  const reading = codec.decode(configMap(hex), CONFIG_MAP);
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
};

test('fields may come in any order and more than once', () => {
  // data k=1, metadata name=a, data k=2, metadata namespace=b
  expect(read(`12060a016b120131 0a030a0161 12060a016b120132 0a031a0162`.replaceAll(' ', ''))).toEqual({
    ...CONFIG_MAP,
    metadata: { name: 'a', namespace: 'b' },
    data: { k: '2' },
  });
});

test('an entry without value has the zero value', () => {
  expect(read('12030a016b')).toMatchObject({ data: { k: null } });
});

test('keys that mean something in JavaScript are keys like any other', () => {
  const hex = Buffer.from('\n\u000b\n\t__proto__').toString('hex').replace(/^0a/, '12');
  expect(Object.keys((read(hex) as { data: object }).data)).toEqual(['__proto__']);
});

test.each([
  ['a varint', 'f80601'],
  ['eight bytes', 'f9060102030405060708'],
  ['bytes', 'fa06020102'],
  ['a group', 'fb060801fc06'],
  ['four bytes', 'fd0601020304'],
])('an unknown field of %s is skipped', (_what, hex) => {
  expect(read(`${hex}2001`)).toEqual({ ...CONFIG_MAP, immutable: true });
});

test.each([
  ['a message cut off', '0a05', 'unexpected EOF'],
  ['a varint without an end', '20ffff', 'unexpected EOF'],
  ['a varint of eleven bytes', '20ffffffffffffffffffff01', 'proto: integer overflow'],
  ['a negative length', '0affffffffffffffffff01', 'proto: negative length found during unmarshaling'],
  ['a scalar where a message is due', '0801', 'proto: wrong wireType = 0 for field ObjectMeta'],
  ['a wrong type deep inside', '0a022801', 'proto: wrong wireType = 0 for field UID'],
  ['field 0', '0000', 'proto: ConfigMap: illegal tag 0 (wire type 0)'],
  ['the end of no group', '0c00', 'proto: ConfigMap: wiretype end group for non-group'],
  ['a type that there is not', 'fe0600', 'proto: illegal wireType 6'],
])('%s is refused as Go refuses it', (_what, hex, error) => {
  expect(codec.decode(configMap(hex), CONFIG_MAP)).toEqual({ ok: false, error, typeMeta: CONFIG_MAP });
});

test.each([
  ['nothing', '', 'empty data'],
  ['JSON', '7b7d', 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
  ['the mark alone', '6b387300', 'empty body'],
  ['half an envelope', '6b3873000a', 'unexpected EOF'],
])('%s is no body', (_what, hex, error) => {
  expect(codec.decode(Buffer.from(hex, 'hex'), CONFIG_MAP)).toEqual({ ok: false, error });
});

test('an envelope takes what it does not say from what is expected', () => {
  expect(codec.decode(Buffer.from('6b38730012040a020a00', 'hex'), CONFIG_MAP)).toEqual({
    ok: true,
    value: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: '' } },
  });
});

test('messages nested without end are refused', () => {
  let schema: Buffer = Buffer.alloc(0);
  const out = (part: Buffer): Buffer => {
    const length: number[] = [];
    for (let rest = part.length; ; rest >>>= 7) {
      length.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
      if (rest < 0x80) return Buffer.concat([Buffer.from([0xda, 0x01, ...length]), part]);
    }
  };
  for (let depth = 0; depth < 5_000; depth++) schema = out(schema);
  const kind = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'JSONSchemaProps' };
  const { head, tail } = envelopeOf(kind, schema.length);
  expect(codec.decode(Buffer.concat([head, schema, tail]), kind)).toMatchObject({ ok: false });
});
