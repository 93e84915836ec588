/** Ownership's view of the resources: one scope per version and endpoint. */
import { type IgnoredFields } from '../../openapi/ignored-fields.js';
import { apiVersionOf, type GroupResource, parseApiVersion } from '../ground/kind.js';
import { type ApiObject } from '../ground/object.js';
import { type FieldFilter, exceptFields } from '../patch/field-filter.js';
import { ConversionError, type OwnershipScope, type VersionedObject } from '../patch/ownership-scope.js';
import { type SchemaNode } from '../schema/schema-node.js';
import { groupResourceOf, memberOrderOf, type Resource, toStorage } from './resource.js';

export interface OwnershipSources {
  /** The schema of a resource in its version. Asked once per scope: one object per version, as long as it is the same. */
  readonly schemaOf: (resource: Resource) => SchemaNode;
  /** Of a built-in resource; undefined: nothing. */
  readonly ignoredFieldsOf: (of: GroupResource, subresource: string) => IgnoredFields | undefined;
  /** The resource in another version; undefined when it is not served in that one. */
  readonly inVersion: (resource: Resource, apiVersion: string) => Resource | undefined;
}

/**
 * The scope of one endpoint that shows the resource's own kind: the resource itself, `status`, `finalize` and the like.
 *
 * Source: apiserver endpoints/installer.go; apiextensions-apiserver apiserver/customresource_handler.go.
 */
export function ownershipScope(
  sources: OwnershipSources,
  resource: Resource,
  subresource: string,
): OwnershipScope {
  const apiVersion = apiVersionOf(resource);
  const schema = sources.schemaOf(resource);
  return {
    apiVersion,
    kind: resource.kind,
    subresource,
    schema,
    order: memberOrderOf(resource),
    filterOf: filtersOf(sources, resource, subresource),
    convert(object, wanted) {
      if (object.apiVersion === apiVersion && wanted === apiVersion) return { object, schema };
      return converted(sources, resource, object, wanted);
    },
  };
}

const OF_CUSTOM_STATUS = exceptFields(['metadata', 'spec']);
const OF_CUSTOM_MAIN = exceptFields(['status']);

function filtersOf(
  sources: OwnershipSources,
  resource: Resource,
  subresource: string,
): (apiVersion: string) => FieldFilter | undefined {
  if (resource.custom) {
    // The resource itself ignores status in its own version alone, the status subresource the rest in all versions.
    if (subresource === 'status') return () => OF_CUSTOM_STATUS;
    const own = apiVersionOf(resource);
    const apart = subresource === '' && resource.store.strategy.statusApart;
    return (apiVersion) => (apart && apiVersion === own ? OF_CUSTOM_MAIN : undefined);
  }
  const ignored = sources.ignoredFieldsOf(groupResourceOf(resource), subresource);
  if (ignored === undefined) return () => undefined;
  const filter = exceptFields(ignored.except);
  return () => filter;
}

/** Through the stored version. */
function converted(
  sources: OwnershipSources,
  resource: Resource,
  object: ApiObject,
  wanted: string,
): VersionedObject | undefined {
  const from = sources.inVersion(resource, object.apiVersion);
  const to = sources.inVersion(resource, wanted);
  if (from === undefined || to === undefined) {
    if (resource.custom) throw new ConversionError(whyNot(resource, object, wanted));
    return undefined;
  }
  // Nothing is dropped here: what the wanted version does not know is an error.
  if (resource.custom) {
    const next = resource.webhook?.convert(object, wanted) ?? { ...object, apiVersion: wanted };
    return { object: next, schema: sources.schemaOf(to) };
  }
  const stored = toStorage(from, object);
  const shown = to.conversion === undefined ? stored : to.codec.arrange(to.conversion.fromStorage(stored));
  return {
    object: shown.apiVersion === wanted ? shown : { ...shown, apiVersion: wanted },
    schema: sources.schemaOf(to),
  };
}

/** Source: apiextensions-apiserver apiserver/conversion/converter.go ConvertToVersion. */
function whyNot(resource: Resource, object: ApiObject, wanted: string): string {
  if (parseApiVersion(wanted)?.group === resource.group)
    return `request to convert CR to an invalid group/version: ${wanted}`;
  return `${object.apiVersion}, Kind=${resource.kind} is unstructured and is not suitable for converting to "${wanted}"`;
}
