/** From an openAPIV3Schema as it was written to a structural schema. */
import {
  type JsonObject,
  type JsonValue,
  arrayMember,
  compareUtf8,
  isJsonObject,
  member,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { sortedMembers } from '../member-order.js';
import { pruned } from './prune.js';
import { type AdditionalProperties, type StructuralSchema } from './structural-schema.js';

/**
 * The schema compiled.
 *
 * Shape: a tree of its own, without cycles ($ref is not part of the format). Defaults are pruned.
 * Source: apiextensions-apiserver pkg/apiserver/schema/convert.go, schema/defaulting/prune.go.
 */
export function compileSchema(json: JsonObject): StructuralSchema {
  const properties = new Map<string, StructuralSchema>();
  const given = objectMember(json, 'properties');
  for (const name of Object.keys(given ?? {}).sort(compareUtf8)) {
    const one = member(given, name);
    if (isJsonObject(one)) properties.set(name, compileSchema(one));
  }
  const items = objectMember(json, 'items');
  const bare = {
    json,
    type: stringMember(json, 'type') ?? '',
    nullable: member(json, 'nullable') === true,
    properties,
    additional: additionalOf(member(json, 'additionalProperties')),
    items: items === undefined ? undefined : compileSchema(items),
    preservesUnknown: member(json, 'x-kubernetes-preserve-unknown-fields') === true,
    embedded: member(json, 'x-kubernetes-embedded-resource') === true,
    intOrString: member(json, 'x-kubernetes-int-or-string') === true,
    listType: stringMember(json, 'x-kubernetes-list-type'),
    listMapKeys: (arrayMember(json, 'x-kubernetes-list-map-keys') ?? []).filter(
      (one): one is string => typeof one === 'string',
    ),
    mapType: stringMember(json, 'x-kubernetes-map-type'),
    rules: arrayMember(json, 'x-kubernetes-validations') ?? [],
  };
  const below = [...properties.values(), bare.additional?.schema, bare.items].filter(
    (one): one is StructuralSchema => one !== undefined,
  );
  const schema = {
    ...bare,
    default: undefined,
    hasDefaults: below.some((one) => one.default !== undefined || one.hasDefaults),
    hasRules: bare.rules.length > 0 || below.some((one) => one.hasRules),
    hasListTypes: ['set', 'map'].includes(bare.listType ?? '') || below.some((one) => one.hasListTypes),
    hasEmbedded: bare.embedded || below.some((one) => one.hasEmbedded),
  };
  const value = member(json, 'default') ?? null;
  return value === null ? schema : { ...schema, default: sortedMembers(pruned(value, schema, [])) };
}

function additionalOf(value: JsonValue | undefined): AdditionalProperties | undefined {
  if (isJsonObject(value)) return { schema: compileSchema(value) };
  return typeof value === 'boolean' ? { schema: undefined } : undefined;
}
