/** How a structural schema is written in the OpenAPI documents. */
import {
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  objectMember,
  setMember,
} from '../ground/json.js';

export type OpenApiVersion = 'v2' | 'v3';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
export const CONVENTIONS =
  'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

export const schemaRef = (name: string, openApi: OpenApiVersion): JsonObject => ({
  $ref: `${openApi === 'v2' ? '#/definitions/' : '#/components/schemas/'}${name}`,
});

/** A reference with a description beside it, which v3 allows only around the reference. */
function describedRef(name: string, description: string, openApi: OpenApiVersion): JsonObject {
  const reference = schemaRef(name, openApi);
  return openApi === 'v2' ? { description, ...reference } : { description, allOf: [reference] };
}

/** The members that every object (or list) has beside its own, described anew since the definitions come without descriptions. */
export const kindMembers = (openApi: OpenApiVersion, meta: 'ObjectMeta' | 'ListMeta'): JsonObject => ({
  apiVersion: {
    description: `Version of this representation. More info: ${CONVENTIONS}#resources`,
    type: 'string',
  },
  kind: { description: `Name of the resource's kind. More info: ${CONVENTIONS}#types-kinds`, type: 'string' },
  metadata: describedRef(
    `${META}.${meta}`,
    `Standard metadata. More info: ${CONVENTIONS}#${meta === 'ObjectMeta' ? 'metadata' : 'types-kinds'}`,
    openApi,
  ),
});

/** Keywords in the order in which they are written; others are not published. */
const KEYWORDS = [
  'description',
  'type',
  'nullable',
  'format',
  'title',
  'default',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'enum',
  'maxProperties',
  'minProperties',
  'required',
  'items',
  'allOf',
  'oneOf',
  'anyOf',
  'not',
  'properties',
  'additionalProperties',
  'externalDocs',
  'example',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
] as const;

const MARKS = ['x-kubernetes-group-version-kind', 'x-kubernetes-selectable-fields'];
/** Extensions come last, by name. */
const WIRE_ORDER: readonly string[] = [
  ...KEYWORDS.filter((keyword) => !keyword.startsWith('x-')),
  ...[...KEYWORDS.filter((keyword) => keyword.startsWith('x-')), ...MARKS].sort(),
];

/** What version 2 cannot say. */
const NOT_IN_V2: ReadonlySet<string> = new Set(['allOf', 'oneOf', 'anyOf', 'not', 'default', 'nullable']);

/**
 * A structural schema as it is published.
 *
 * Version 2 leaves out the type and the parts of what may be null or holds unknown fields: clients of that version
 * would refuse such values otherwise. Source: apiextensions-apiserver controller/openapi/v2/conversion.go.
 */
export function publishSchema(schema: JsonObject, openApi: OpenApiVersion): JsonObject {
  const v2 = openApi === 'v2';
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const closedParts = v2 && (schema['nullable'] === true || open);
  const published: MutableJsonObject = {};
  for (const keyword of KEYWORDS) {
    const value = keywordValue(schema, keyword);
    if (value === undefined || (v2 && NOT_IN_V2.has(keyword))) continue;
    if (closedParts && (keyword === 'items' || keyword === 'properties')) continue;
    published[keyword] = publishPart(keyword, value, openApi);
  }
  if (v2) {
    if (
      schema['nullable'] === true ||
      (open && published['type'] === 'object') ||
      (published['type'] === 'array' && published['items'] === undefined)
    ) {
      delete published['type'];
    }
    requireOnlyWhatCannotBeNull(published, schema, closedParts);
  } else if (schema['x-kubernetes-int-or-string'] === true) {
    sayIntOrString(published);
  }
  if (!embedded || (v2 && open)) return published;
  published['required'] = withEmbeddedKind(published['required']);
  published['properties'] = sortMembers({
    ...objectMember(published, 'properties'),
    ...kindMembers(openApi, 'ObjectMeta'),
  });
  return inKeywordOrder(published);
}

/** Zero values are not written: `false`, `''` and empty lists say nothing. */
function keywordValue(schema: JsonObject, keyword: string): JsonValue | undefined {
  if (!Object.hasOwn(schema, keyword)) return undefined;
  const value = schema[keyword];
  const meansNothing = keyword !== 'default' && keyword !== 'example' && keyword !== 'additionalProperties';
  if (value === null) return undefined;
  if (meansNothing && (value === false || value === '' || (isJsonArray(value) && value.length === 0))) {
    return undefined;
  }
  if (keyword === 'properties' && isJsonObject(value) && Object.keys(value).length === 0) return undefined;
  return value;
}

function publishPart(keyword: string, value: JsonValue, openApi: OpenApiVersion): JsonValue {
  switch (keyword) {
    case 'properties':
      return isJsonObject(value) ? publishMembers(value, openApi) : value;
    case 'items':
    case 'not':
    case 'additionalProperties':
      return isJsonObject(value) ? publishSchema(value, openApi) : value;
    case 'allOf':
    case 'oneOf':
    case 'anyOf':
      return isJsonArray(value)
        ? value.map((one) => (isJsonObject(one) ? publishSchema(one, openApi) : one))
        : value;
    default:
      return value;
  }
}

function publishMembers(properties: JsonObject, openApi: OpenApiVersion): JsonObject {
  const published: MutableJsonObject = {};
  for (const name of Object.keys(properties).sort(compareUtf8)) {
    const schema = properties[name];
    setMember(published, name, isJsonObject(schema) ? publishSchema(schema, openApi) : (schema ?? null));
  }
  return published;
}

function requireOnlyWhatCannotBeNull(
  published: MutableJsonObject,
  schema: JsonObject,
  withoutParts: boolean,
): void {
  const required = published['required'];
  if (!isJsonArray(required)) return;
  const additional = objectMember(schema, 'additionalProperties');
  const properties = withoutParts ? undefined : objectMember(schema, 'properties');
  const left =
    additional?.['nullable'] === true
      ? []
      : required.filter(
          (name) => typeof name !== 'string' || objectMember(properties, name)?.['nullable'] !== true,
        );
  if (left.length === 0) delete published['required'];
  else published['required'] = left;
}

const INT_OR_STRING: JsonValue = [{ type: 'integer' }, { type: 'string' }];

/** Writes out what `x-kubernetes-int-or-string` means. Source: apiserver/schema/unfold.go. */
function sayIntOrString(published: MutableJsonObject): void {
  const { anyOf, allOf } = published;
  const isPattern = (value: JsonValue | undefined): boolean =>
    JSON.stringify(value) === JSON.stringify(INT_OR_STRING);
  if (anyOf === undefined) {
    const [first] = isJsonArray(allOf) ? allOf : [];
    if (isJsonObject(first) && Object.keys(first).length === 1 && isPattern(first['anyOf'])) return;
    published['anyOf'] = INT_OR_STRING;
    reorder(published);
  } else if (!isPattern(anyOf)) {
    published['allOf'] = [{ anyOf: INT_OR_STRING }, ...(isJsonArray(allOf) ? allOf : [])];
    reorder(published);
  }
}

function reorder(published: MutableJsonObject): void {
  const ordered = inKeywordOrder(published);
  for (const name of Object.keys(published)) Reflect.deleteProperty(published, name);
  Object.assign(published, ordered);
}

/** A published schema with its keywords in the order in which they are written. */
export function inKeywordOrder(schema: JsonObject): JsonObject {
  const ordered: MutableJsonObject = {};
  for (const keyword of WIRE_ORDER) {
    const value = schema[keyword];
    if (value !== undefined) ordered[keyword] = value;
  }
  return ordered;
}

function withEmbeddedKind(required: JsonValue | undefined): JsonValue {
  const names = isJsonArray(required) ? [...required] : [];
  for (const name of ['kind', 'apiVersion']) if (!names.includes(name)) names.push(name);
  return names;
}

export function sortMembers(members: JsonObject): JsonObject {
  const sorted: MutableJsonObject = {};
  for (const name of Object.keys(members).sort(compareUtf8)) setMember(sorted, name, members[name] ?? null);
  return sorted;
}
