/** The built-in API's OpenAPI document of version 2, and what version 2 makes of schemas of version 3. */
import {
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  isJsonArray,
  isJsonObject,
} from '../ground/json.js';
import {
  type FoldedBodyParameter,
  type FoldedSchema,
  type OpenApiFacts,
  METHODS,
} from '../../openapi/open-api-facts.js';
import { type OperationFacts, type PathOperations, operationsOf } from './openapi-operations.js';
import { RESPONSE_TEXTS, describing, parameterNamed, without } from './openapi-built-in.js';

export const V2_PREFIX = '#/definitions/';

/** What a document of version 2 has at least. */
export interface DocumentV2 extends JsonObject {
  readonly swagger: string;
  readonly info: JsonObject;
  readonly paths: JsonObject;
  readonly definitions: JsonObject;
}

/** `/openapi/v2` without what custom resources add. */
export function builtInDocumentV2(facts: OpenApiFacts): DocumentV2 {
  return {
    swagger: '2.0',
    info: { title: facts.info.title, version: facts.info.version },
    paths: Object.fromEntries(
      Object.entries(facts.paths).map(([path, folded]) => [
        path,
        pathItemV2(facts, operationsOf(facts, path, folded)),
      ]),
    ),
    definitions: Object.fromEntries(
      Object.entries(facts.definitions).map(([name, schema]) => [name, definitionV2(schema)]),
    ),
    parameters: facts.v2Parameters,
    securityDefinitions: facts.securityDefinitions,
    security: facts.security,
  };
}

/** A path item in v2 form. */
export function pathItemV2(facts: OpenApiFacts, path: PathOperations): JsonObject {
  const item: MutableJsonObject = {};
  for (const method of METHODS) {
    const operation = path.operations[method];
    if (operation !== undefined) item[method] = operationItemV2(facts, operation);
  }
  if (path.parameters !== undefined) {
    item['parameters'] = path.parameters.v2.map((name) => parameterV2(facts, name));
  }
  return item;
}

/** `#key` is a reference into the shared parameters; other names are written out. */
function parameterV2(facts: OpenApiFacts, name: string): JsonObject {
  if (name.startsWith('#')) return { $ref: `#/parameters/${name.slice(1)}` };
  const { schema, ...place } = parameterNamed(facts, name);
  return { ...(isJsonObject(schema) ? schema : {}), ...place };
}

function operationItemV2(facts: OpenApiFacts, operation: OperationFacts): JsonObject {
  const { shape, schemas, kind } = operation;
  const schemaOf = (schema: FoldedSchema): JsonObject =>
    typeof schema === 'number' ? { $ref: `${V2_PREFIX}${schemas[schema] ?? ''}` } : schema;
  const bodyParameter = ({ body, required }: FoldedBodyParameter): JsonObject => ({
    name: 'body',
    in: 'body',
    ...(required === true ? { required: true } : {}),
    schema: schemaOf(body),
  });
  const { consumes, produces, schemes, parameters, responses } = shape.v2;
  return {
    ...describing(operation),
    ...(consumes === undefined ? {} : { consumes }),
    ...(produces === undefined ? {} : { produces }),
    ...(schemes === undefined ? {} : { schemes }),
    tags: [operation.tag],
    operationId: operation.id,
    ...(parameters === undefined
      ? {}
      : {
          parameters: parameters.map((one) =>
            typeof one === 'string' ? parameterV2(facts, one) : bodyParameter(one),
          ),
        }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([code, schema]) => [
        code,
        {
          description: RESPONSE_TEXTS[code] ?? code,
          ...(schema === null ? {} : { schema: schemaOf(schema) }),
        },
      ]),
    ),
    ...(operation.deprecated ? { deprecated: true } : {}),
    ...(shape.action === undefined ? {} : { 'x-kubernetes-action': shape.action }),
    ...(kind === undefined
      ? {}
      : { 'x-kubernetes-group-version-kind': { group: kind.group, kind: kind.kind, version: kind.version } }),
  };
}

/**
 * A folded schema in v2 form: references stand alone, defaults go, and a choice between a text and a number
 * (quantities, int-or-string) becomes a text.
 */
export function definitionV2(schema: JsonObject): JsonObject {
  const name = schema['$ref'];
  const rest = without(schema, ['$ref', '$bare', 'default', 'oneOf']);
  if (typeof name === 'string') {
    return { ...rest, $ref: `${V2_PREFIX}${name}` };
  }
  return Object.fromEntries(
    Object.entries({ ...(Object.hasOwn(schema, 'oneOf') ? { type: 'string' } : {}), ...rest }).map(
      ([key, value]) => [
        key,
        // The members of these two are schemas by names that may be those of keywords.
        key === 'properties' && isJsonObject(value)
          ? Object.fromEntries(
              Object.entries(value).map(([property, one]) => [
                property,
                isJsonObject(one) ? definitionV2(one) : one,
              ]),
            )
          : partV2(value),
      ],
    ),
  );
}

function partV2(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(partV2);
  return isJsonObject(value) ? definitionV2(value) : value;
}
