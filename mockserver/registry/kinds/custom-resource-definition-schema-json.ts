/** An openAPIV3Schema read as JSON: the parts that validations of definitions ask for. */
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  arrayMember,
  compareUtf8,
  isJsonArray,
  isJsonObject,
  member,
  objectMember,
  stringMember,
} from '../../ground/json.js';

export const typeOf = (schema: JsonObject | undefined): string => stringMember(schema, 'type') ?? '';

export const isTrue = (schema: JsonObject, name: string): boolean => member(schema, name) === true;

/** `properties[name]`, in byte order, where a server's order is chance. */
export function propertiesOf(
  schema: JsonObject,
  name = 'properties',
): readonly (readonly [string, JsonObject])[] {
  const properties = objectMember(schema, name) ?? {};
  return Object.keys(properties)
    .sort(compareUtf8)
    .flatMap((key) => {
      const one = member(properties, key);
      return isJsonObject(one) ? [[key, one] as const] : [];
    });
}

export const schemasOf = (schema: JsonObject, name: string): readonly JsonObject[] =>
  (arrayMember(schema, name) ?? []).filter(isJsonObject);

export const textsOf = (schema: JsonObject, name: string): readonly string[] =>
  (arrayMember(schema, name) ?? []).filter((one): one is string => typeof one === 'string');

/** `additionalProperties` when it is a schema. */
export const additionalSchemaOf = (schema: JsonObject): JsonObject | undefined =>
  objectMember(schema, 'additionalProperties');

/** Whether a member counts as set: not null, false, an empty text, list or object. */
export function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  if (isJsonArray(value)) return value.length > 0;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

/** A default or an example: null is none. */
export const hasDefault = (schema: JsonObject): boolean => (member(schema, 'default') ?? null) !== null;

export const rulesOf = (schema: JsonObject): JsonArray =>
  arrayMember(schema, 'x-kubernetes-validations') ?? [];

/** The schema and all in it, each before what it holds. Source: apis/apiextensions/validation, SchemaHas. */
export function* allSchemas(schema: JsonObject): Generator<JsonObject> {
  yield schema;
  const single = (name: string): JsonObject[] => {
    const one = objectMember(schema, name);
    return one === undefined ? [] : [one];
  };
  const parts = [
    ...single('items'),
    ...schemasOf(schema, 'items'),
    ...schemasOf(schema, 'allOf'),
    ...schemasOf(schema, 'anyOf'),
    ...schemasOf(schema, 'oneOf'),
    ...single('not'),
    ...propertiesOf(schema).map(([, one]) => one),
    ...single('additionalProperties'),
  ];
  for (const part of parts) yield* allSchemas(part);
}
