/** The fields of messages as another Kubernetes version has them: this one's, less what that lacks, with what it has besides. */
import { type JsonObject, isJsonObject, objectMember, stringMember } from '../../mockserver/ground/json.js';
import { type MessageDocuments } from '../built-in-api.js';
import { type FieldRecord, definitionNameOfMessage, messageNameOf } from '../protobuf-message.js';

/** Beyond the numbers of real fields: protobuf bodies do not carry these. */
const FIRST_NUMBER = 100_000;
/** Stand in every kind, whether or not its message has fields for them. */
const TYPE_META: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

type Messages = MessageDocuments['protobuf']['messages'];

/**
 * Shape: messages without a schema of their own stay as they are, but for those whose fields stand in a parent.
 *
 * @param schemas folded schemas of the other version, by name
 */
export function importedMessages(messages: Messages, schemas: ReadonlyMap<string, JsonObject>): Messages {
  const changed: Record<string, readonly FieldRecord[]> = { ...messages };
  const inlined = new Map<string, Set<string>>();
  for (const [message, records] of Object.entries(messages)) {
    const properties = propertiesOf(schemas.get(definitionNameOfMessage(message)));
    if (properties === undefined) continue;
    const known = new Set<string>(TYPE_META);
    const kept = records.filter((record) => {
      const [, , type, , emission] = record;
      if (emission === 'inline') {
        const names = inlined.get(type) ?? new Set();
        inlined.set(type, names);
        for (const name of Object.keys(properties)) names.add(name);
        for (const name of namesIn(messages, type)) known.add(name);
        return true;
      }
      known.add(nameOf(record));
      return Object.hasOwn(properties, nameOf(record));
    });
    const added = Object.entries(properties)
      .filter(([name]) => !known.has(name))
      .map(([name, schema], i) => recordOf(name, FIRST_NUMBER + i, isJsonObject(schema) ? schema : {}));
    if (kept.length !== records.length || added.length > 0) changed[message] = [...kept, ...added];
  }
  for (const [message, names] of inlined) {
    const records = changed[message];
    if (records === undefined || schemas.has(definitionNameOfMessage(message))) continue;
    const kept = records.filter((record) => record[4] === 'inline' || names.has(nameOf(record)));
    if (kept.length !== records.length) changed[message] = kept;
  }
  for (const [name, schema] of schemas) {
    const message = messageNameOf(name);
    const properties = propertiesOf(schema);
    if (Object.hasOwn(messages, message) || properties === undefined) continue;
    changed[message] = Object.entries(properties).map(([field, one], i) =>
      recordOf(field, FIRST_NUMBER + i, isJsonObject(one) ? one : {}),
    );
  }
  return changed;
}

/** The names of a message's fields, with those that stand in it for a message of their own. */
function namesIn(messages: Messages, message: string): readonly string[] {
  const records = Object.hasOwn(messages, message) ? (messages[message] ?? []) : [];
  return records.flatMap((record) =>
    record[4] === 'inline' ? namesIn(messages, record[2]) : [nameOf(record)],
  );
}

const nameOf = ([protobufName, , , , , jsonName]: FieldRecord): string => jsonName ?? protobufName;

const propertiesOf = (schema: JsonObject | undefined): JsonObject | undefined =>
  objectMember(schema, 'properties');

/** A field that only its schema tells of: written when it is set. */
function recordOf(name: string, number: number, schema: JsonObject): FieldRecord {
  const items = objectMember(schema, 'items');
  const values = objectMember(schema, 'additionalProperties');
  if (items !== undefined) return [name, number, typeOf(items), 'rep', 'omit'];
  if (values !== undefined) return [name, number, `map<string,${typeOf(values)}>`, 'map', 'omit'];
  return [name, number, typeOf(schema), 'opt', 'ptr'];
}

const RAW = 'k8s.io.apimachinery.pkg.runtime.RawExtension';

function typeOf(schema: JsonObject): string {
  const reference = stringMember(schema, '$ref');
  if (reference !== undefined) return messageNameOf(reference);
  const format = stringMember(schema, 'format');
  switch (stringMember(schema, 'type')) {
    case 'string':
      return format === 'byte' ? 'bytes' : 'string';
    case 'boolean':
      return 'bool';
    case 'integer':
      return format === 'int32' ? 'int32' : 'int64';
    case 'number':
      return 'double';
    default:
      // Whatever is sent.
      return RAW;
  }
}
