/** What openapi/1.36 says of the fields of built-in kinds, for objects that are made from it. */
import { readFileSync } from 'node:fs';

const FILE = new URL('../../openapi/1.36/kubernetes-1.36.json', import.meta.url);
const { definitions } = JSON.parse(readFileSync(FILE, 'utf8'));

const byKind = new Map(
  Object.entries(definitions).flatMap(([name, { 'x-kubernetes-group-version-kind': kinds = [] }]) =>
    kinds.map(({ group, version, kind }) => [
      `${group === '' ? '' : `${group}/`}${version} ${kind}`,
      { $ref: name },
    ]),
  ),
);

/**
 * The schema behind a reference.
 * Shape: `name` is the last part of the definition's, such as `PodSpec`; undefined for a schema in place.
 */
export function resolved(schema) {
  const { $ref } = schema;
  return $ref === undefined
    ? { name: undefined, schema }
    : { name: $ref.split('.').at(-1), schema: definitions[$ref] };
}

/** A schema that refers to a kind's definition; undefined when there is none. */
export const schemaOfKind = (apiVersion, kind) => byKind.get(`${apiVersion} ${kind}`);

/** The schema of what is inside at a key; undefined where nothing is known. */
export function schemaInside(of, key) {
  const { schema } = resolved(of);
  if (typeof key === 'number') return schema.items;
  if (schema.properties !== undefined)
    return Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
  return schema.additionalProperties;
}
