/** JSON to protobuf and back, over every built-in kind. */
import { loadBuiltInApi } from '../../../../openapi/built-in-api.js';
import { messageNameOf } from '../../../../openapi/protobuf-message.js';
import { apiVersionOf } from '../../../../mockserver/ground/kind.js';
import { writeJson } from '../../../../mockserver/ground/json-write.js';
import { seededRandom } from '../../../../mockserver/ground/random.js';
import { builtInCodec } from '../../../../mockserver/schema/codec.js';
import { messageTable } from '../../../../mockserver/schema/message-table.js';
import { envelopeOf } from '../../../../mockserver/schema/protobuf/envelope.js';
import { ProtobufCodec } from '../../../../mockserver/schema/protobuf/protobuf-codec.js';
import { MessagePlans } from '../../../../mockserver/schema/typed-codec.js';
import { RandomObjects } from './random-object.js';

const api = loadBuiltInApi();
const { protobuf, goTypes } = api.messageDocuments;
const table = messageTable(protobuf, goTypes);
const plans = new MessagePlans(table);
const codec = new ProtobufCodec(() => protobuf);

const OBJECTS_PER_KIND = 5;

const kinds = api.resources.map((resource) => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  message: messageNameOf(resource.definitionName),
}));

test.each(kinds)(
  '$apiVersion $kind is the same after a trip through protobuf',
  ({ apiVersion, kind, message }) => {
    const random = seededRandom(kind.length * 31 + message.length);
    const objects = new RandomObjects(table, random);
    const json = builtInCodec(plans, { apiVersion, kind, message });
    for (let i = 0; i < OBJECTS_PER_KIND; i++) {
      const decoded = json.decode(objects.message(message));
      if (!decoded.ok) throw new Error(decoded.error);
      const bytes = codec.encode(decoded.object);
      const { head, tail } = envelopeOf({ apiVersion, kind }, bytes.length);
      const reading = codec.decode(Buffer.concat([head, bytes, tail]), { apiVersion: '', kind: '' });
      if (!reading.ok) throw new Error(reading.error);
      const again = json.decode(reading.value);
      if (!again.ok) throw new Error(again.error);
      expect(again.unknown).toEqual([]);
      expect(writeJson(again.object)).toBe(writeJson(json.asStored(decoded.object)));
      expect(codec.encode(again.object).equals(bytes)).toBe(true);
    }
  },
);
