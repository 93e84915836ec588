/** JSON to the canonical object and back, over every built-in kind. */
import { loadBuiltInApi } from '../../../openapi/built-in-api.js';
import { messageNameOf } from '../../../openapi/protobuf-message.js';
import { type JsonObject } from '../../../mockserver/ground/json.js';
import { apiVersionOf } from '../../../mockserver/ground/kind.js';
import { readJson } from '../../../mockserver/ground/json-read.js';
import { writeJson } from '../../../mockserver/ground/json-write.js';
import { seededRandom } from '../../../mockserver/ground/random.js';
import { builtInCodec } from '../../../mockserver/schema/codec.js';
import { messageTable } from '../../../mockserver/schema/message-table.js';
import { MessagePlans } from '../../../mockserver/schema/typed-codec.js';
import { RandomObjects } from './protobuf/random-object.js';

const api = loadBuiltInApi();
const { protobuf, goTypes } = api.messageDocuments;
const table = messageTable(protobuf, goTypes);
const plans = new MessagePlans(table);
const OBJECTS_PER_KIND = 5;

test.each(api.resources.map((one) => [`${apiVersionOf(one)} ${one.kind}`, one] as const))(
  '%s is the same after it is written and read',
  (_title, resource) => {
    const [apiVersion, message] = [apiVersionOf(resource), messageNameOf(resource.definitionName)];
    const codec = builtInCodec(plans, { apiVersion, kind: resource.kind, message });
    const decoded = (value: JsonObject) => {
      const decoding = codec.decode(value);
      if (!decoding.ok) throw new Error(decoding.error);
      return decoding;
    };
    const objects = new RandomObjects(table, seededRandom(message.length * 31 + resource.kind.length));
    for (let i = 0; i < OBJECTS_PER_KIND; i++) {
      const { object } = decoded(objects.message(message));
      const text = writeJson(object);
      const reading = readJson(Buffer.from(text));
      if (!reading.ok) throw new Error('what was written is no JSON');
      // An object was written.
      const again = decoded(reading.value as JsonObject);
      expect(again.unknown).toEqual([]);
      expect(writeJson(again.object)).toBe(text);
      expect(writeJson(codec.arrange(again.object))).toBe(text);
    }
  },
);
