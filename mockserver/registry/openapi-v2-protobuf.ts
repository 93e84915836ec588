/** The OpenAPI document of version 2 in gnostic's protobuf messages, which kubectl and other Go clients ask for. */
import { type JsonObject, isJsonObject } from '../ground/json.js';
import { WireWriter } from '../schema/protobuf/wire-writer.js';
import {
  type Message,
  any,
  double,
  integer,
  named,
  nested,
  oneOf,
  record,
  repeated,
  text,
  texts,
  truth,
  truthOrNot,
} from './gnostic-message.js';

const ROOM = 1 << 22;

/**
 * Shape: byte for byte what gnostic and Go's protobuf make of the document's JSON: fields by number, members of maps in the order of
 * the document, values of any kind as YAML. Only what Kubernetes publishes has a place.
 * Source: gnostic-models openapiv2/OpenAPIv2.proto and OpenAPIv2.go.
 */
export function openApiProtobuf(document: JsonObject): Buffer {
  const out = new WireWriter(ROOM);
  documentMessage(out, document);
  return out.take();
}

const externalDocs = record({ description: [1, text], url: [2, text] }, 3);

/** Calls what is made only below: schemas are within schemas. */
const schema: Message = (out, value) => {
  schemaMessage(out, value);
};

const schemaMessage = record(
  {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, nested(any)],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, truth],
    minimum: [9, double],
    exclusiveMinimum: [10, truth],
    maxLength: [11, integer],
    minLength: [12, integer],
    pattern: [13, text],
    maxItems: [14, integer],
    minItems: [15, integer],
    uniqueItems: [16, truth],
    maxProperties: [17, integer],
    minProperties: [18, integer],
    required: [19, texts],
    enum: [20, repeated(any)],
    additionalProperties: [
      21,
      nested((out, value) => {
        if (isJsonObject(value)) nested(schema)(out, 1, value);
        else truthOrNot(out, 2, value);
      }),
    ],
    type: [
      22,
      nested((out, value) => {
        texts(out, 1, typeof value === 'string' ? [value] : value);
      }),
    ],
    items: [
      23,
      nested((out, value) => {
        nested(schema)(out, 1, value);
      }),
    ],
    allOf: [24, repeated(schema)],
    properties: [25, nested(named(schema))],
    externalDocs: [29, nested(externalDocs)],
    example: [30, nested(any)],
  },
  31,
);

const reference = record({ $ref: [1, text], description: [2, text] });

const bodyParameter = record(
  {
    description: [1, text],
    name: [2, text],
    in: [3, text],
    required: [4, truth],
    schema: [5, nested(schema)],
  },
  6,
);

const queryParameter = record(
  {
    required: [1, truth],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    allowEmptyValue: [5, truth],
    type: [6, text],
    format: [7, text],
    uniqueItems: [20, truth],
  },
  23,
);

/** Of headers the same. */
const pathParameter = record(
  {
    required: [1, truth],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [5, text],
    format: [6, text],
    uniqueItems: [19, truth],
  },
  22,
);

const otherParameter = oneOf((value) => {
  switch (value['in']) {
    case 'header':
      return [1, pathParameter];
    case 'path':
      return [4, pathParameter];
    default:
      return [3, queryParameter];
  }
});

const parameter = oneOf((value) => (value['in'] === 'body' ? [1, bodyParameter] : [2, otherParameter]));

const parameterItem = oneOf((value) => (Object.hasOwn(value, '$ref') ? [2, reference] : [1, parameter]));

const schemaItem = oneOf(() => [1, schema]);

const response = record({ description: [1, text], schema: [2, nested(schemaItem)] }, 5);

const responses = named(oneOf(() => [1, response]));

const operation = record(
  {
    tags: [1, texts],
    summary: [2, text],
    description: [3, text],
    operationId: [5, text],
    produces: [6, texts],
    consumes: [7, texts],
    parameters: [8, repeated(parameterItem)],
    responses: [9, nested(responses)],
    schemes: [10, texts],
    deprecated: [11, truth],
  },
  13,
);

const pathItem = record(
  {
    get: [2, nested(operation)],
    put: [3, nested(operation)],
    post: [4, nested(operation)],
    delete: [5, nested(operation)],
    options: [6, nested(operation)],
    head: [7, nested(operation)],
    patch: [8, nested(operation)],
    parameters: [9, repeated(parameterItem)],
  },
  10,
);

const apiKey = record({ type: [1, text], name: [2, text], in: [3, text], description: [4, text] }, 5);

const documentMessage = record(
  {
    swagger: [1, text],
    info: [2, nested(record({ title: [1, text], version: [2, text], description: [3, text] }, 7))],
    paths: [8, nested(named(pathItem, 2))],
    definitions: [9, nested(named(schema))],
    parameters: [10, nested(named(parameter))],
    security: [
      12,
      repeated(
        named((out, value) => {
          texts(out, 1, value);
        }),
      ),
    ],
    securityDefinitions: [13, nested(named(oneOf(() => [2, apiKey])))],
  },
  16,
);
