/** The resources that a CustomResourceDefinition makes the server serve, one for each served version. */
import { createHash } from 'node:crypto';
import {
  type JsonArray,
  type JsonObject,
  arrayMember,
  isJsonObject,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type ApiObject, deletionTimestampOf } from '../../ground/object.js';
import { type ScalePaths } from '../../schema/structural/replica-counts.js';
import { type GroupResource } from '../../ground/kind.js';
import { forbiddenObject } from '../../ground/status.js';
import {
  acceptedNames,
  groupOf,
  isConditionTrue,
  requestedNames,
  specOf,
  versionsOf,
} from './custom-resource-definition-spec.js';
import { compareVersions } from './version-order.js';

export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** The version in which the objects are stored; for all versions the same. */
  readonly storageVersion: string;
  readonly storageVersionHash: string;
  readonly subresources: { readonly status?: true; readonly scale?: ScalePaths };
  readonly deprecated: boolean;
  /** Text of the `Warning` header of requests; undefined unless deprecated. */
  readonly deprecationWarning: string | undefined;
  /** As selectors name them, without the leading dot: `spec.color`. */
  readonly selectableFields: readonly string[];
  /** Entries of additionalPrinterColumns; empty when none are defined. */
  readonly columns: readonly JsonObject[];
  /** The openAPIV3Schema as it was written. */
  readonly schema: JsonObject | undefined;
  /** spec.conversion: `{strategy: None}` or a webhook. */
  readonly conversion: JsonObject | undefined;
}

/** Requests on the resource are answered from the moment that its names are accepted. */
export const isServed = (crd: ApiObject): boolean =>
  isConditionTrue(crd, 'NamesAccepted') || isConditionTrue(crd, 'Established');

/** Discovery shows the resource from this moment. */
export const isEstablished = (crd: ApiObject): boolean => isConditionTrue(crd, 'Established');

/**
 * The versions that are served, the preferred one first.
 *
 * Shape: empty for a definition that is not served yet. The names are the accepted ones.
 */
export function servedVersionsOf(crd: ApiObject): readonly ServedVersion[] {
  if (!isServed(crd)) return [];
  const group = groupOf(crd);
  const names = acceptedNames(crd);
  const versions = versionsOf(crd);
  const storageVersion = versions.find((version) => version.storage)?.name ?? '';
  return versions
    .filter((version) => version.served)
    .sort((a, b) => compareVersions(a.name, b.name))
    .map(({ name, deprecated, json }) => ({
      group,
      version: name,
      ...names,
      namespaced: stringMember(specOf(crd), 'scope') === 'Namespaced',
      storageVersion,
      storageVersionHash: storageVersionHash(group, storageVersion, names.kind),
      subresources: subresourcesOf(json),
      deprecated,
      deprecationWarning: deprecated
        ? (stringMember(json, 'deprecationWarning') ?? deprecationText(crd, name))
        : undefined,
      selectableFields: objects(arrayMember(json, 'selectableFields')).map((field) =>
        (stringMember(field, 'jsonPath') ?? '').replace(/^\./, ''),
      ),
      columns: objects(arrayMember(json, 'additionalPrinterColumns')),
      schema: objectMember(objectMember(json, 'schema'), 'openAPIV3Schema'),
      conversion: objectMember(specOf(crd), 'conversion'),
    }));
}

/**
 * Whether an object of the resource may be created.
 *
 * Errors: 403 while the definition is being deleted. Source: apiextensions apiserver/customresource_handler.go,
 * forbidCreateAdmission.
 */
export function admitCustomResource(crd: ApiObject, of: GroupResource, name: string): void {
  const terminating = isConditionTrue(crd, 'Terminating') || deletionTimestampOf(crd) !== undefined;
  if (!terminating) return;
  throw forbiddenObject(of, name, 'create not allowed while custom resource definition is terminating');
}

/** As discovery shows it. The core group keeps its leading slash. */
export function storageVersionHash(group: string, version: string, kind: string): string {
  const digest = createHash('sha256').update(`${group}/${version}/${kind}`).digest();
  return digest.subarray(0, 8).toString('base64');
}

function subresourcesOf(version: JsonObject): ServedVersion['subresources'] {
  const subresources = objectMember(version, 'subresources');
  const scale = objectMember(subresources, 'scale');
  return {
    ...(objectMember(subresources, 'status') === undefined ? {} : { status: true }),
    ...(scale === undefined
      ? {}
      : {
          scale: {
            specReplicasPath: stringMember(scale, 'specReplicasPath') ?? '',
            statusReplicasPath: stringMember(scale, 'statusReplicasPath') ?? '',
            labelSelectorPath: nonEmpty(stringMember(scale, 'labelSelectorPath')),
          },
        }),
  };
}

/** The text for a version that brings none: it names the best newer version that is not deprecated. */
function deprecationText(crd: ApiObject, deprecated: string): string {
  const kind = requestedNames(crd).kind;
  const [newest] = versionsOf(crd)
    .filter((one) => one.served && !one.deprecated && compareVersions(one.name, deprecated) < 0)
    .sort((a, b) => compareVersions(a.name, b.name));
  const text = `${groupOf(crd)}/${deprecated} ${kind} is deprecated`;
  return newest === undefined ? text : `${text}; use ${groupOf(crd)}/${newest.name} ${kind}`;
}

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

const objects = (list: JsonArray | undefined): readonly JsonObject[] => (list ?? []).filter(isJsonObject);
