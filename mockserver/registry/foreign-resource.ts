/** A resource of a real cluster that is known by its schema alone: served as a custom resource of that schema would be. */
import { type ResourceDefinition } from '../../openapi/resource-definition.js';
import { type JsonObject } from '../ground/json.js';
import { apiVersionOf } from '../ground/kind.js';
import { type ApiObject } from '../ground/object.js';
import { customCodec } from '../schema/custom-codec.js';
import { CustomSchema } from '../schema/structural/custom-schema.js';
import { customValidation } from './custom-validation.js';
import { customPrefix } from './kinds/storage-prefix.js';
import { type Resource } from './resource.js';
import { customStrategy } from './strategy.js';

const unchanged = (object: ApiObject): ApiObject => object;

/**
 * Its versions share their objects, as versions of a custom resource do without a webhook.
 *
 * @param all resources of the cluster, among them the other versions of this one
 * @param schema as a definition would have it
 */
export function foreignResource(
  all: readonly ResourceDefinition[],
  definition: ResourceDefinition,
  schema: JsonObject,
): Resource {
  const { group, version, kind, resource, namespaced, storage } = definition;
  const groupResource = { group, resource };
  const apiVersion = apiVersionOf(definition);
  const storedVersion = apiVersionOf(storage);
  const compiled = new CustomSchema(schema);
  const codec = customCodec({ apiVersion, kind }, compiled);
  const status = definition.subresources.find(({ name }) => name === 'status');
  const ofStorage = all.find(
    (one) => one.group === group && one.resource === resource && one.version === storage.version,
  )?.schema;
  const stored = ofStorage === undefined ? undefined : new CustomSchema(ofStorage);
  const strategy = customStrategy(status !== undefined, [], namespaced);
  return {
    group,
    version,
    kind,
    resource,
    singular: definition.singular,
    listKind: definition.listKind,
    namespaced,
    verbs: definition.verbs,
    shortNames: definition.shortNames,
    categories: definition.categories,
    storageVersionHash: definition.storageVersionHash,
    subresources: new Map(
      status === undefined ? [] : [['status', { name: 'status', kind: definition, verbs: status.verbs }]],
    ),
    custom: true,
    printerColumns: [],
    schema,
    codec,
    valueType: undefined,
    fill: unchanged,
    store: {
      groupResource,
      prefix: customPrefix(group, resource),
      cacheMode: 'cached',
      strategy,
      rules: customValidation(groupResource, { schema: compiled, scale: undefined }),
      namespaced,
      apiVersion: storedVersion,
      codec: apiVersion === storedVersion ? codec : customCodec({ apiVersion: storedVersion, kind }),
      fill: unchanged,
    },
    conversion:
      apiVersion === storedVersion
        ? undefined
        : {
            apiVersion,
            fromStorage: (object) => inVersion(object, apiVersion, compiled),
            toStorage: (object) => inVersion(object, storedVersion, stored),
          },
    fieldSelectors: strategy.fieldSelectors,
    requestWarnings: [],
  };
}

const inVersion = (object: ApiObject, apiVersion: string, schema: CustomSchema | undefined): ApiObject => {
  const renamed = { ...object, apiVersion };
  return schema?.convert(renamed) ?? renamed;
};
