/** OpenAPI documents of version 3 in gnostic's protobuf messages, which Go clients may ask for. */
import { type JsonObject, type JsonValue, Float, isJsonArray, isJsonObject } from '../ground/json.js';
import { WireWriter } from '../schema/protobuf/wire-writer.js';
import {
  type Field,
  type Message,
  any,
  double,
  doubleOrZero,
  integer,
  named,
  nested,
  oneOf,
  record,
  repeated,
  text,
  textOrEmpty,
  texts,
  truth,
  truthOrNot,
} from './gnostic-message.js';

const ROOM = 1 << 20;

/**
 * Shape: byte for byte what gnostic and Go's protobuf make of the document's JSON, as for version 2.
 * Source: gnostic-models openapiv3/OpenAPIv3.proto and OpenAPIv3.go.
 */
export function openApiV3Protobuf(document: JsonObject): Buffer {
  const out = new WireWriter(ROOM);
  documentMessage(out, document);
  return out.take();
}

const reference = record({ $ref: [1, text], summary: [2, text], description: [3, text] });

/** What stands in a place where a reference may stand too. */
const orReference = (message: Message): Message =>
  oneOf((value) => (Object.hasOwn(value, '$ref') ? [2, reference] : [1, message]));

const externalDocs = record({ description: [1, text], url: [2, text] }, 3);

/** Calls what is made only below: schemas are within schemas. */
const schema: Message = (out, value) => {
  schemaMessage(out, value);
};

const schemaItem = orReference(schema);

/** One of three scalars; lists and objects leave the message empty. */
const scalar: Message = (out, value) => {
  if (typeof value === 'boolean') truthOrNot(out, 2, value);
  else if (typeof value === 'string') textOrEmpty(out, 3, value);
  else if (isNumber(value)) doubleOrZero(out, 1, value);
};

const isNumber = (value: JsonValue): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Float;

/** A list of schemas; gnostic takes no more than one. */
const items: Field = nested((out, value) => {
  repeated(schemaItem)(out, 1, isJsonArray(value) ? value : [value]);
});

const schemaMessage = record(
  {
    nullable: [1, truth],
    readOnly: [3, truth],
    writeOnly: [4, truth],
    externalDocs: [6, nested(externalDocs)],
    example: [7, nested(any)],
    deprecated: [8, truth],
    title: [9, text],
    multipleOf: [10, double],
    maximum: [11, double],
    exclusiveMaximum: [12, truth],
    minimum: [13, double],
    exclusiveMinimum: [14, truth],
    maxLength: [15, integer],
    minLength: [16, integer],
    pattern: [17, text],
    maxItems: [18, integer],
    minItems: [19, integer],
    uniqueItems: [20, truth],
    maxProperties: [21, integer],
    minProperties: [22, integer],
    required: [23, texts],
    enum: [24, repeated(any)],
    type: [25, text],
    allOf: [26, repeated(schemaItem)],
    oneOf: [27, repeated(schemaItem)],
    anyOf: [28, repeated(schemaItem)],
    not: [29, nested(schema)],
    items: [30, items],
    properties: [31, nested(named(schemaItem))],
    additionalProperties: [
      32,
      nested((out, value) => {
        if (isJsonObject(value)) nested(schemaItem)(out, 1, value);
        else truthOrNot(out, 2, value);
      }),
    ],
    default: [33, nested(scalar)],
    description: [34, text],
    format: [35, text],
  },
  36,
);

const content = named(record({ schema: [1, nested(schemaItem)] }, 5));

const parameter = record(
  {
    name: [1, text],
    in: [2, text],
    description: [3, text],
    required: [4, truth],
    schema: [10, nested(schemaItem)],
  },
  14,
);

const requestBody = record(
  { description: [1, text], content: [2, nested(content)], required: [3, truth] },
  4,
);

const response = record({ description: [1, text], content: [3, nested(content)] }, 5);

const operation = record(
  {
    tags: [1, texts],
    summary: [2, text],
    description: [3, text],
    operationId: [5, text],
    parameters: [6, repeated(orReference(parameter))],
    requestBody: [7, nested(orReference(requestBody))],
    responses: [8, nested(named(orReference(response), 2))],
    deprecated: [10, truth],
  },
  13,
);

const pathItem = record(
  {
    get: [4, nested(operation)],
    put: [5, nested(operation)],
    post: [6, nested(operation)],
    delete: [7, nested(operation)],
    options: [8, nested(operation)],
    head: [9, nested(operation)],
    patch: [10, nested(operation)],
    parameters: [13, repeated(orReference(parameter))],
  },
  14,
);

const securityScheme = record({ type: [1, text], description: [2, text], name: [3, text], in: [4, text] }, 9);

const documentMessage = record(
  {
    openapi: [1, text],
    info: [2, nested(record({ title: [1, text], description: [2, text], version: [6, text] }, 7))],
    paths: [4, nested(named(pathItem))],
    components: [
      5,
      nested(
        record(
          {
            schemas: [1, nested(named(schemaItem))],
            securitySchemes: [7, nested(named(orReference(securityScheme)))],
          },
          10,
        ),
      ),
    ],
  },
  9,
);
