/** Schemas of served OpenAPI documents, in the form in which this package keeps schemas. */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../mockserver/ground/json.js';

/**
 * A schema whose references are `{"$ref": name}`: those that version 3 wraps into `allOf` lose that, those that stand
 * alone there are marked `"$bare": true`.
 */
export function foldedSchema(schema: JsonObject): JsonObject {
  const { allOf, ...rest } = schema;
  const [only, ...others] = isJsonArray(allOf) ? allOf : [];
  const wrapped = isJsonObject(only) && others.length === 0 ? referenceIn(only) : undefined;
  if (wrapped !== undefined) return { ...folded(rest), $ref: wrapped };
  const bare = referenceIn(schema);
  if (bare !== undefined) {
    const marked = JSON.stringify(schema['$ref']).includes('#/components/') ? { $bare: true } : {};
    return { ...folded(schema), $ref: bare, ...marked };
  }
  return folded(schema);
}

const folded = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, foldedPart(name, value)]));

function foldedPart(name: string, value: JsonValue): JsonValue {
  // The members of these are schemas by names that may be those of keywords.
  if (name === 'properties' && isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([property, one]) => [property, isJsonObject(one) ? foldedSchema(one) : one]),
    );
  }
  if (name === 'default' || name.startsWith('x-')) return value;
  if (isJsonArray(value)) return value.map((one) => (isJsonObject(one) ? foldedSchema(one) : one));
  return isJsonObject(value) ? foldedSchema(value) : value;
}

/** The name that a reference names; undefined where there is none. */
function referenceIn(schema: JsonObject): string | undefined {
  const target = schema['$ref'];
  return typeof target === 'string'
    ? /^#\/(?:components\/schemas|definitions)\/(.+)$/.exec(target)?.[1]
    : undefined;
}
