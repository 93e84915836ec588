/** The types and codecs of the built-in API, for tests of what goes by them. */
import { loadBuiltInApi } from '../../../openapi/built-in-api.js';
import { definitionNameOfMessage, messageNameOf } from '../../../openapi/protobuf-message.js';
import { type StructType } from '../../../mockserver/patch/value-type.js';
import { ValueTypes } from '../../../mockserver/patch/value-types.js';
import { builtInCodec, type Codec } from '../../../mockserver/schema/codec.js';
import { messageTable } from '../../../mockserver/schema/message-table.js';
import { MessagePlans } from '../../../mockserver/schema/typed-codec.js';

const api = loadBuiltInApi();
const table = messageTable(api.messageDocuments.protobuf, api.messageDocuments.goTypes);
const plans = new MessagePlans(table);
const types = new ValueTypes({
  table,
  coderOf: (message) => plans.coder(message),
  schemaOf: (message) => api.definitionOf(definitionNameOfMessage(message)),
});

/** @param definition `io.k8s.api.core.v1.Pod` */
export const typeOf = (definition: string): StructType => types.kind(messageNameOf(definition));

export const codecOf = (definition: string, kind: { apiVersion: string; kind: string }): Codec =>
  builtInCodec(plans, { ...kind, message: messageNameOf(definition) });

/** All kinds that are stored, by the name of their schema. */
export const DEFINITIONS: readonly string[] = api.resources.map((resource) => resource.definitionName);

export const schemaOf = (definition: string) => api.definitionOf(definition);
