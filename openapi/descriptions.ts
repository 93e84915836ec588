/** What the documentation says about the built-in schemas and their fields, where the build has brought it along. */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type JsonObject, type JsonValue, isJsonObject } from '../mockserver/ground/json.js';

/** Schema name → field → sentences; those about the schema itself under `''`. */
export type Descriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The file is made by `scripts/descriptions.mjs` and named there. */
interface DescriptionsFile {
  readonly schemas: Descriptions;
}

/**
 * Reads the file of one version (a few milliseconds).
 *
 * Shape: empty where there is no such file, which is so in a source tree.
 */
export function readDescriptions(url: URL): Descriptions {
  if (!existsSync(url)) return {};
  // The build wrote it in this form.
  return (JSON.parse(gunzipSync(readFileSync(url)).toString()) as DescriptionsFile).schemas;
}

/** The definitions with `description` members, which come first, in schemas and in their properties. */
export function withDescriptions(
  definitions: Readonly<Record<string, JsonObject>>,
  descriptions: Descriptions,
): Readonly<Record<string, JsonObject>> {
  if (Object.keys(descriptions).length === 0) return definitions;
  return Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => {
      const sentences = Object.hasOwn(descriptions, name) ? descriptions[name] : undefined;
      return [name, sentences === undefined ? schema : described(schema, sentences)];
    }),
  );
}

function described(schema: JsonObject, sentences: Readonly<Record<string, string>>): JsonObject {
  const properties = schema['properties'];
  return {
    ...titled(schema, sentences['']),
    ...(isJsonObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([field, value]): [string, JsonValue] => [
              field,
              isJsonObject(value) && Object.hasOwn(sentences, field)
                ? titled(value, sentences[field])
                : value,
            ]),
          ),
        }
      : {}),
  };
}

/** A reference that stands alone has no room for a description. */
const titled = (schema: JsonObject, description: string | undefined): JsonObject =>
  description === undefined || schema['$bare'] === true ? schema : { description, ...schema };

/**
 * The sentences about a field of a type that is named without its package: `ObjectMeta`, `PodSpec`.
 *
 * Shape: `''` where nothing is said. Of several types of that name that of version 1 counts, then the first.
 */
export function fieldDescription(descriptions: Descriptions, type: string, field: string): string {
  let found = '';
  for (const [schema, sentences] of Object.entries(descriptions)) {
    if (!schema.endsWith(`.${type}`) || !Object.hasOwn(sentences, field)) continue;
    const said = sentences[field] ?? '';
    if (schema.endsWith(`.v1.${type}`)) return said;
    if (found === '') found = said;
  }
  return found;
}
