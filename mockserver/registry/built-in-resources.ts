/** The resources of the built-in API, from the facts about it. */
import { type BuiltInApi } from '../../openapi/built-in-api.js';
import { type ResourceDefinition, definitionNameOf } from '../../openapi/resource-definition.js';
import { apiVersionOf, qualifiedName, type GroupVersionKind } from '../ground/kind.js';
import { messageNameOf } from '../../openapi/protobuf-message.js';
import { builtInCodec, type Codec } from '../schema/codec.js';
import { type ValueTypes } from '../patch/value-types.js';
import { type SchemaTree } from '../schema/schema-tree.js';
import { type MessagePlans } from '../schema/typed-codec.js';
import { ALL_KIND_RULES } from './kinds/all.js';
import { ALL_KIND_VALIDATIONS } from './kinds/validate-all.js';
import { type KindValidation } from './kind-validation.js';
import { storagePrefix } from './kinds/storage-prefix.js';
import { builtInDefaults, type BuiltInDefaults } from './built-in-defaults.js';
import { foreignResource } from './foreign-resource.js';
import { type KindRules } from './kind-rules.js';
import { type Resource, type ResourceStore, type Subresource } from './resource.js';
import { builtInStrategy } from './strategy.js';

/** Compiled from the facts when first used; to be shared by all clusters of one version. */
export interface CompiledForms {
  readonly plans: () => MessagePlans;
  readonly valueTypes: () => ValueTypes;
  readonly schemas: () => SchemaTree;
}

/**
 * Every resource in every version, those that share objects sharing one store.
 *
 * Shape: in the order of discovery. Codecs are compiled when they are first used.
 */
export function builtInResources(
  api: BuiltInApi,
  { plans, valueTypes }: Pick<CompiledForms, 'plans' | 'valueTypes'>,
): readonly Resource[] {
  const defaults = lazyDefaults(api, plans);
  const stores = new Map<string, ResourceStore>();
  return api.resources.flatMap((definition) => {
    const { storage, schema, listedOnly } = definition;
    if (listedOnly === true) return [];
    if (schema !== undefined) return [foreignResource(api.resources, definition, schema)];
    const key = qualifiedName({ group: storage.group, resource: definition.resource });
    const store = stores.get(key) ?? storeOf(api, definition, plans, defaults);
    stores.set(key, store);
    return [resourceOf(api, { plans, valueTypes }, definition, store, defaults)];
  });
}

const validationOf = (group: string, resource: string): KindValidation | undefined =>
  ALL_KIND_VALIDATIONS.find((one) => one.group === group && one.resource === resource);

const rulesOf = (group: string, resource: string): KindRules | undefined =>
  ALL_KIND_RULES.find((rules) => rules.group === group && rules.resource === resource);

function storeOf(
  api: BuiltInApi,
  definition: ResourceDefinition,
  plans: () => MessagePlans,
  defaults: BuiltInDefaults,
): ResourceStore {
  const { storage, resource, kind, namespaced } = definition;
  const rules = rulesOf(storage.group, resource);
  const validation = validationOf(storage.group, resource);
  const prefix = storagePrefix(storage.group, resource);
  const groupResource = { group: storage.group, resource };
  const stored =
    api.resources.find(
      (one) => one.resource === resource && one.group === storage.group && one.version === storage.version,
    ) ?? definition;
  return {
    groupResource,
    prefix,
    cacheMode: rules?.uncached === true ? 'direct' : 'cached',
    strategy: builtInStrategy(
      api.strategyOf({ group: stored.group, version: stored.version, kind }),
      namespaced,
    ),
    rules,
    ...(validation === undefined ? {} : { validation }),
    namespaced,
    apiVersion: apiVersionOf(stored),
    codec: codecOf(plans, stored),
    fill: defaults.defaultsFor(stored),
    drop: defaults.dropsFor(stored),
  };
}

function resourceOf(
  api: BuiltInApi,
  { plans, valueTypes }: Pick<CompiledForms, 'plans' | 'valueTypes'>,
  definition: ResourceDefinition,
  store: ResourceStore,
  defaults: BuiltInDefaults,
): Resource {
  const { group, version, kind, namespaced } = definition;
  const apiVersion = apiVersionOf(definition);
  const strategy = api.strategyOf({ group, version, kind });
  const warning = definition.deprecationWarning ?? store.rules?.requestWarning;
  return {
    group,
    version,
    kind,
    resource: definition.resource,
    singular: definition.singular,
    listKind: definition.listKind,
    namespaced,
    verbs: definition.verbs,
    shortNames: definition.shortNames,
    categories: definition.categories,
    storageVersionHash: definition.storageVersionHash,
    subresources: new Map(
      definition.subresources
        .filter(({ listedOnly }) => listedOnly !== true)
        .map((one) => [
          one.name,
          subresourceOf({ plans, valueTypes }, definition, one, store.rules, defaults),
        ]),
    ),
    custom: false,
    codec: apiVersion === store.apiVersion ? store.codec : codecOf(plans, definition),
    valueType: () => valueTypes().kind(messageNameOf(definition.definitionName)),
    fill: defaults.defaultsFor(definition),
    store,
    conversion: store.rules?.conversions?.find((one) => one.apiVersion === apiVersion),
    fieldSelectors: builtInStrategy(strategy, namespaced).fieldSelectors,
    requestWarnings: warning === undefined ? [] : [warning],
  };
}

function subresourceOf(
  { plans, valueTypes }: Pick<CompiledForms, 'plans' | 'valueTypes'>,
  parent: ResourceDefinition,
  { name, group, version, kind, verbs }: ResourceDefinition['subresources'][number],
  kindRules: KindRules | undefined,
  defaults: BuiltInDefaults,
): Subresource {
  const own = group === parent.group && version === parent.version && kind === parent.kind;
  const rules = kindRules?.subresources?.[name];
  return {
    name,
    kind: { group, version, kind },
    verbs,
    ...(own
      ? {}
      : {
          codec: kindCodec(plans, { group, version, kind }),
          fill: defaults.defaultsFor({ group, version, kind }),
          valueType: () => valueTypes().kind(messageNameOf(definitionNameOf(group, version, kind))),
        }),
    ...(rules === undefined ? {} : { rules }),
  };
}

/** The codec of a kind that may be no resource of its own: a Scale, say. */
export const kindCodec = (plans: () => MessagePlans, kind: GroupVersionKind): Codec =>
  codecOf(plans, { ...kind, definitionName: definitionNameOf(kind.group, kind.version, kind.kind) });

function codecOf(
  plans: () => MessagePlans,
  definition: GroupVersionKind & Pick<ResourceDefinition, 'definitionName'>,
): Codec {
  let codec: Codec | undefined;
  const compiled = (): Codec =>
    (codec ??= builtInCodec(plans(), {
      apiVersion: apiVersionOf(definition),
      kind: definition.kind,
      message: messageNameOf(definition.definitionName),
    }));
  return {
    decode: (value, nulls) => compiled().decode(value, nulls),
    arrange: (object) => compiled().arrange(object),
    asStored: (object) => compiled().asStored(object),
    zero: () => compiled().zero(),
    empty: (metadata) => compiled().empty(metadata),
  };
}

const keyOf = (kind: GroupVersionKind): string => `${apiVersionOf(kind)} ${kind.kind}`;

/** The message table is read with the first object. */
function lazyDefaults(api: BuiltInApi, plans: () => MessagePlans): BuiltInDefaults {
  const names = new Map(
    api.resources.flatMap((one) => [
      [keyOf(one), messageNameOf(one.definitionName)] as const,
      ...one.subresources.map(
        (part) =>
          [keyOf(part), messageNameOf(definitionNameOf(part.group, part.version, part.kind))] as const,
      ),
    ]),
  );
  return builtInDefaults({
    table: () => plans().table,
    records: () => api.defaultRecords,
    partial: api.imported !== undefined,
    messageOf: (kind) => names.get(keyOf(kind)),
  });
}
