/** Unfolds the built-in API's OpenAPI documents, version 3. */
import {
  type JsonObject,
  type MutableJsonObject,
  arrayMember,
  stringMember,
  compareUtf8,
  isJsonObject,
  isJsonArray,
  type JsonValue,
} from '../ground/json.js';
import { type GroupVersion } from '../ground/kind.js';
import { type FoldedSchema, type OpenApiFacts, METHODS } from '../../openapi/open-api-facts.js';
import { type OperationFacts, type PathOperations, operationsOf } from './openapi-operations.js';

/** Of the codes that operations answer; the bodies of other codes are not described. */
export const RESPONSE_TEXTS: Readonly<Record<string, string>> = {
  '200': 'OK',
  '201': 'Created',
  '202': 'Accepted',
  '401': 'Unauthorized',
};

export const V3_PREFIX = '#/components/schemas/';

/** The names of the v3 documents: `api/v1`, `apis/apps`, `version`; sorted. */
export function builtInDocumentNames(facts: OpenApiFacts): string[] {
  return [...new Set(Object.values(facts.paths).map((path) => path.d))].sort(compareUtf8);
}

/** One document of `/openapi/v3`, with the paths that belong to it and the schemas that they need. */
export function builtInDocument(facts: OpenApiFacts, name: string): JsonObject {
  const paths: MutableJsonObject = {};
  const needed = new Set<string>();
  for (const [path, folded] of Object.entries(facts.paths)) {
    if (folded.d === name) paths[path] = pathItem(facts, operationsOf(facts, path, folded), needed);
  }
  return {
    openapi: '3.0.0',
    info: { title: facts.info.title, version: facts.info.version },
    paths,
    components: {
      ...(needed.size === 0 ? {} : { schemas: schemasFor(facts, needed, listedBy(groupVersionOf(name))) }),
      securitySchemes: facts.securityDefinitions,
    },
  };
}

/** `apis/apps/v1` → group and version; undefined for documents of no group version. */
function groupVersionOf(name: string): GroupVersion | undefined {
  const parts = name.split('/');
  if (parts[0] === 'api' && parts[1] !== undefined) return { group: '', version: parts[1] };
  if (parts[0] === 'apis' && parts[1] !== undefined && parts[2] !== undefined) {
    return { group: parts[1], version: parts[2] };
  }
  return undefined;
}

/** A built-in document lists core v1 and its own group version; one of no group version lists all. */
const listedBy =
  (own: GroupVersion | undefined) =>
  ({ group, version }: GroupVersion): boolean =>
    own === undefined ||
    (group === '' && version === 'v1') ||
    (group === own.group && version === own.version);

/** A path item in v3 form; the names of the schemas it refers to are added to `needed`. */
export function pathItem(facts: OpenApiFacts, path: PathOperations, needed: Set<string>): JsonObject {
  const item: MutableJsonObject = {};
  for (const method of METHODS) {
    const operation = path.operations[method];
    if (operation !== undefined) item[method] = operationItem(facts, operation, needed);
  }
  if (path.parameters !== undefined) {
    item['parameters'] = path.parameters.v3.map((name) => parameterNamed(facts, name));
  }
  return item;
}

export function parameterNamed(facts: OpenApiFacts, name: string): JsonObject {
  const parameter = facts.parameters[name];
  if (parameter === undefined) throw new Error(`the built-in API has no parameter ${name}`);
  return parameter;
}

export const describing = ({ description }: OperationFacts): JsonObject =>
  description === undefined ? {} : { description };

function operationItem(facts: OpenApiFacts, operation: OperationFacts, needed: Set<string>): JsonObject {
  const { shape, kind } = operation;
  const content = (types: readonly string[], schema: FoldedSchema): JsonObject => {
    const unfolded = typeof schema === 'number' ? reference(operation.schemas, schema, needed) : schema;
    return Object.fromEntries(types.map((type) => [type, { schema: unfolded }]));
  };
  const { parameters, body, responses } = shape.v3;
  return {
    tags: [operation.tag],
    ...describing(operation),
    operationId: operation.id,
    ...(parameters === undefined
      ? {}
      : { parameters: parameters.map((name) => parameterNamed(facts, name)) }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            content: content(body.types, body.schema),
            ...(body.required === true ? { required: true } : {}),
          },
        }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([code, response]) => [
        code,
        {
          description: RESPONSE_TEXTS[code] ?? code,
          ...(response === null ? {} : { content: content(response.types, response.schema) }),
        },
      ]),
    ),
    ...(operation.deprecated ? { deprecated: true } : {}),
    ...(shape.action === undefined ? {} : { 'x-kubernetes-action': shape.action }),
    ...(kind === undefined
      ? {}
      : { 'x-kubernetes-group-version-kind': { group: kind.group, version: kind.version, kind: kind.kind } }),
  };
}

function reference(schemas: readonly string[], index: number, needed: Set<string>): JsonObject {
  const name = schemas[index];
  if (name === undefined) throw new Error(`an operation has no schema ${index}`);
  needed.add(name);
  return { $ref: `${V3_PREFIX}${name}` };
}

/**
 * The schemas named and all they refer to, by name, sorted.
 *
 * @param lists which of its group versions a kind lists that stands for the whole API (delete options, watch events).
 */
export function schemasFor(
  facts: OpenApiFacts,
  needed: Iterable<string>,
  lists: (groupVersion: GroupVersion) => boolean,
): JsonObject {
  const reached = new Map<string, JsonObject>();
  const left = [...needed];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (reached.has(name)) continue;
    const folded = facts.definitions[name];
    // Schemas of custom resources are not among them; who made them puts them in.
    if (folded === undefined) continue;
    const found: string[] = [];
    const schema = unfoldSchema(folded, found);
    reached.set(name, listingKinds(schema, lists));
    left.push(...found);
  }
  return Object.fromEntries([...reached].sort(([a], [b]) => compareUtf8(a, b)));
}

/** A schema in v3 form; the names of those it refers to are added to `found`. */
export function unfoldSchema(schema: JsonObject, found: string[]): JsonObject {
  const name = schema['$ref'];
  // A property may be called `$ref`; only a text is a reference.
  if (typeof name === 'string') {
    found.push(name);
    const target = { $ref: `${V3_PREFIX}${name}` };
    if (schema['$bare'] === true) return target;
    // Extensions come last.
    const isExtension = (key: string): boolean => key.startsWith('x-');
    const keys = Object.keys(schema);
    return {
      ...without(schema, ['$ref', ...keys.filter(isExtension)]),
      allOf: [target],
      ...without(schema, ['$ref', ...keys.filter((key) => !isExtension(key))]),
    };
  }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, unfoldValue(value, found)]));
}

/** A copy that leaves some members out. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function unfoldValue(value: JsonValue, found: string[]): JsonValue {
  if (isJsonArray(value)) return value.map((one) => unfoldValue(one, found));
  return isJsonObject(value) ? unfoldSchema(value, found) : value;
}

const KINDS = 'x-kubernetes-group-version-kind';

function listingKinds(schema: JsonObject, lists: (groupVersion: GroupVersion) => boolean): JsonObject {
  const kinds = arrayMember(schema, KINDS);
  if (kinds === undefined || kinds.length < 2) return schema;
  const isListed = (kind: JsonValue): boolean =>
    isJsonObject(kind) &&
    lists({ group: stringMember(kind, 'group') ?? '', version: stringMember(kind, 'version') ?? '' });
  return { ...schema, [KINDS]: kinds.filter(isListed) };
}
