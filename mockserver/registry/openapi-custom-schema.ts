/** The published schemas of custom resources: what a definition's schema looks like in the OpenAPI documents. */
import { type JsonObject, objectMember } from '../ground/json.js';
import { type CustomResource, type CustomVersion } from './custom-resource.js';
import {
  CONVENTIONS,
  type OpenApiVersion,
  inKeywordOrder,
  kindMembers,
  publishSchema,
  schemaRef,
  sortMembers,
} from './openapi-published-schema.js';

/** `io.ex.v1.Widget`: the group reversed, the version, the kind. */
export const customSchemaName = (group: string, version: string, kind: string): string =>
  [...group.split('.').reverse(), version, kind].join('.');

/**
 * The schemas of the kind and of its list in one version, by name.
 *
 * Source: apiextensions-apiserver controller/openapi/builder/builder.go, buildKubeNative and buildListSchema.
 */
export function customSchemas(
  resource: CustomResource,
  version: CustomVersion,
  openApi: OpenApiVersion,
): Record<string, JsonObject> {
  const { group, names } = resource;
  const name = customSchemaName(group, version.name, names.kind);
  const selectable: JsonObject =
    version.selectableFields.length === 0
      ? {}
      : {
          'x-kubernetes-selectable-fields': version.selectableFields.map((path) => ({
            fieldPath: path.replace(/^\./, ''),
          })),
        };
  const marks = (kind: string): JsonObject => ({
    'x-kubernetes-group-version-kind': [{ group, kind, version: version.name }],
    ...selectable,
  });
  return {
    [name]: inKeywordOrder({ ...objectSchema(version.schema, openApi), ...marks(names.kind) }),
    [customSchemaName(group, version.name, names.listKind)]: {
      description: `${names.listKind} is a list of ${names.kind}`,
      type: 'object',
      required: ['items'],
      properties: sortMembers({
        ...kindMembers(openApi, 'ListMeta'),
        items: {
          description: `List of ${names.plural}. More info: ${CONVENTIONS}`,
          type: 'array',
          items: schemaRef(name, openApi),
        },
      }),
      ...marks(names.listKind),
    },
  };
}

function objectSchema(schema: JsonObject | undefined, openApi: OpenApiVersion): JsonObject {
  // Clients take properties in v2 to be all there are, so a schema that lets others in must not name any.
  const open = openApi === 'v2' && schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema === undefined || open) return { type: 'object' };
  const published = publishSchema(schema, openApi);
  return {
    ...published,
    properties: sortMembers({
      ...objectMember(published, 'properties'),
      ...kindMembers(openApi, 'ObjectMeta'),
    }),
  };
}
