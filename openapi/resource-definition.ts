/** What discovery says of the built-in resources, one record for each resource of each group version. */
import { createHash } from 'node:crypto';
import { type JsonObject } from '../mockserver/ground/json.js';
import { type GroupVersion, parseApiVersion } from '../mockserver/ground/kind.js';

export interface SubresourceDefinition {
  /** `status`, `scale`, `exec`: without the parent. */
  readonly name: string;
  readonly kind: string;
  /** Group and version of `kind`: the parent's, but for foreign kinds (Scale, Eviction, TokenRequest). */
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
  /** Of a real cluster's: discovery lists it, but nobody here knows how to serve it. */
  readonly listedOnly?: boolean;
}

export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  /** The plural: `pods`. */
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  /** In the order of the wire. Only `create` for reviews and bindings. */
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Kind of a list of them; says nothing about whether the resource can be listed (see `verbs`). */
  readonly listKind: string;
  readonly subresources: readonly SubresourceDefinition[];
  /** Absent for what is not stored: reviews, bindings, computed objects. */
  readonly storageVersionHash?: string;
  /**
   * The group and version in which a real server stores it; resources with equal `storage` and kind share their
   * objects (events of both groups, both versions of horizontal pod autoscalers). It may be a version that is not
   * served.
   */
  readonly storage: GroupVersion;
  /** Name of the kind's schema: `io.k8s.api.core.v1.Pod`. */
  readonly definitionName: string;
  /** Text of the `Warning` header of every request, without code and quotes. */
  readonly deprecationWarning?: string;
  /** Of a real cluster's kind that is known by its schema alone: what that would be in a definition of a custom resource. */
  readonly schema?: JsonObject;
  /** Of a real cluster's: discovery lists it, but nobody here knows how to serve it. */
  readonly listedOnly?: boolean;
}

/** One entry of `resources` in a discovery document of one group version. */
export interface DiscoveryEntry {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/**
 * The name of a built-in kind's OpenAPI schema.
 *
 * Source: the Go packages that the kinds live in. Three staging repositories have their own prefix; in the others the
 * package is the first label of the group.
 */
export function definitionNameOf(group: string, version: string, kind: string): string {
  switch (group) {
    case '':
      return `io.k8s.api.core.${version}.${kind}`;
    case 'apiextensions.k8s.io':
      return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}.${kind}`;
    case 'apiregistration.k8s.io':
      return `io.k8s.kube-aggregator.pkg.apis.apiregistration.${version}.${kind}`;
    default:
      return `io.k8s.api.${group.split('.')[0] ?? group}.${version}.${kind}`;
  }
}

/** base64 of the first 8 bytes of SHA-256 over `group/version/kind`; the core group leaves the leading slash. */
export function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256')
    .update(`${group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}

/**
 * The resources of one group version's discovery document, parents with their subresources, in the document's order.
 *
 * @param versions names of versions that a resource may be stored in, likelier ones first.
 */
export function resourcesOf(
  groupVersion: GroupVersion,
  entries: readonly DiscoveryEntry[],
  versions: readonly string[],
  warnings: Readonly<Record<string, string>>,
): ResourceDefinition[] {
  const subresources = new Map<string, SubresourceDefinition[]>();
  for (const entry of entries) {
    const slash = entry.name.indexOf('/');
    if (slash < 0) continue;
    const parent = entry.name.slice(0, slash);
    const list = subresources.get(parent) ?? [];
    subresources.set(parent, list);
    list.push({
      name: entry.name.slice(slash + 1),
      kind: entry.kind,
      group: entry.group ?? groupVersion.group,
      version: entry.version ?? groupVersion.version,
      verbs: entry.verbs,
    });
  }
  const { group, version } = groupVersion;
  return entries
    .filter((entry) => !entry.name.includes('/'))
    .map((entry) => {
      const warning = warnings[`${group === '' ? '' : `${group}/`}${version}/${entry.kind}`];
      return {
        group,
        version,
        resource: entry.name,
        kind: entry.kind,
        singular: entry.singularName,
        namespaced: entry.namespaced,
        verbs: entry.verbs,
        shortNames: entry.shortNames ?? [],
        categories: entry.categories ?? [],
        listKind: `${entry.kind}List`,
        subresources: subresources.get(entry.name) ?? [],
        ...(entry.storageVersionHash === undefined ? {} : { storageVersionHash: entry.storageVersionHash }),
        storage: storageOf(groupVersion, entry, versions),
        definitionName: definitionNameOf(group, version, entry.kind),
        ...(warning === undefined ? {} : { deprecationWarning: warning }),
      };
    });
}

/** Finds the group version whose hash is the one served; its own where there is none or none fits. */
function storageOf(own: GroupVersion, entry: DiscoveryEntry, versions: readonly string[]): GroupVersion {
  const hash = entry.storageVersionHash;
  if (hash === undefined || storageVersionHash(own.group, own.version, entry.kind) === hash) return own;
  // A resource that moved out of the core group may still be stored there.
  for (const group of [own.group, '']) {
    for (const version of versions) {
      if (storageVersionHash(group, version, entry.kind) === hash) return { group, version };
    }
  }
  return own;
}

/** `apps/v1` as discovery documents write it. Errors: throws when the text is none. */
export function groupVersionOf(text: string): GroupVersion {
  const parsed = parseApiVersion(text);
  if (parsed === undefined) throw new Error(`not a group version: ${text}`);
  return parsed;
}
