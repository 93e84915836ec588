/** The documents in which a server lists its groups, versions and resources. */
import { type JsonArray, type JsonObject, type MutableJsonObject, compareUtf8 } from '../ground/json.js';
import { apiVersionOf } from '../ground/kind.js';
import { type ServedApi, type ServedGroupVersion, type ServedResource } from './served-api.js';

/** `/api` */
export const apiVersions = (served: ServedApi): JsonObject => ({
  kind: 'APIVersions',
  versions: served.groupVersions.filter(({ group }) => group === '').map(({ version }) => version),
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: served.serverAddress }],
});

/** The versions of each named group, in the order of `served`. */
export function groupsOf(served: readonly ServedGroupVersion[]): Map<string, ServedGroupVersion[]> {
  const groups = new Map<string, ServedGroupVersion[]>();
  for (const one of served) {
    if (one.group === '') continue;
    const versions = groups.get(one.group);
    if (versions === undefined) groups.set(one.group, [one]);
    else versions.push(one);
  }
  return groups;
}

function groupEntry(name: string, versions: readonly ServedGroupVersion[]): JsonObject {
  const entries = versions.map((one) => ({ groupVersion: apiVersionOf(one), version: one.version }));
  return { name, versions: entries, ...(entries[0] === undefined ? {} : { preferredVersion: entries[0] }) };
}

/** `/apis`: all groups but the core group. */
export const groupList = (served: ServedApi): JsonObject => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: [...groupsOf(served.groupVersions)].map(([name, versions]) => groupEntry(name, versions)),
});

/** `/apis/<group>`; undefined when the group is not served. */
export function groupDocument(served: ServedApi, group: string): JsonObject | undefined {
  const versions = groupsOf(served.groupVersions).get(group);
  return versions === undefined
    ? undefined
    : { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group, versions) };
}

/** `/api/v1` and `/apis/<group>/<version>`: resources, each followed by its subresources. */
export function resourceList(served: ServedGroupVersion): JsonObject {
  return {
    kind: 'APIResourceList',
    // The core group's list has always been written without it.
    ...(served.group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(served),
    resources: served.resources.flatMap(resourceEntries),
  };
}

function resourceEntries(resource: ServedResource): JsonObject[] {
  const { namespaced } = resource;
  return [
    {
      name: resource.resource,
      singularName: resource.singular,
      namespaced,
      kind: resource.kind,
      verbs: resource.verbs,
      ...named(resource),
      ...(resource.storageVersionHash === undefined
        ? {}
        : { storageVersionHash: resource.storageVersionHash }),
    },
    ...resource.subresources.map((sub) => ({
      name: `${resource.resource}/${sub.name}`,
      singularName: '',
      namespaced,
      ...(sub.group === undefined || sub.group === '' ? {} : { group: sub.group }),
      ...(sub.version === undefined ? {} : { version: sub.version }),
      kind: sub.kind,
      verbs: sub.verbs,
    })),
  ];
}

function named({ shortNames, categories }: ServedResource): JsonObject {
  return {
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
  };
}

/** Aggregated discovery of `/api`: one item, without a name. */
export const aggregatedCore = (served: ServedApi): JsonObject =>
  aggregated([
    {
      metadata: {},
      versions: served.groupVersions.filter(({ group }) => group === '').map(aggregatedVersion),
    },
  ]);

/**
 * Aggregated discovery of `/apis`. Custom groups follow the built-in ones by name; this is another order than that of
 * `/apis` without aggregation.
 *
 * Source: apiserver discovery/aggregated/handler.go, calculateAPIGroupsLocked.
 */
export function aggregatedGroups(served: ServedApi): JsonObject {
  const groups = [...groupsOf(served.groupVersions)];
  const isCustom = (versions: readonly ServedGroupVersion[]): boolean =>
    versions.every(({ origin }) => origin === 'custom');
  const ordered = [
    ...groups.filter(([, versions]) => !isCustom(versions)),
    ...groups.filter(([, versions]) => isCustom(versions)).sort(([a], [b]) => compareUtf8(a, b)),
  ];
  return aggregated(
    ordered.map(([name, versions]) => ({ metadata: { name }, versions: versions.map(aggregatedVersion) })),
  );
}

const aggregated = (items: JsonArray): JsonObject => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items,
});

function aggregatedVersion(served: ServedGroupVersion): JsonObject {
  // Custom resources come sorted by name; built-in ones as they are listed elsewhere.
  const resources =
    served.origin === 'custom'
      ? [...served.resources].sort((a, b) => compareUtf8(a.resource, b.resource))
      : served.resources;
  const own = served.namesOwnKind
    ? { group: served.group, version: served.version }
    : { group: '', version: '' };
  return {
    version: served.version,
    resources: resources.map((resource) => {
      const entry: MutableJsonObject = {
        resource: resource.resource,
        responseKind: { ...own, kind: resource.kind },
        scope: resource.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: resource.singular,
        verbs: resource.verbs,
        ...named(resource),
      };
      if (resource.subresources.length > 0) {
        entry['subresources'] = resource.subresources.map((sub) => ({
          subresource: sub.name,
          responseKind: {
            group: sub.group ?? own.group,
            version: sub.version ?? own.version,
            kind: sub.kind,
          },
          verbs: sub.verbs,
        }));
      }
      return entry;
    }),
    freshness: 'Current',
  };
}

/** `/`: the built-in paths with those of custom groups, sorted. */
export function rootPaths(served: ServedApi): JsonObject {
  const custom = served.groupVersions
    .filter(({ origin }) => origin === 'custom')
    .flatMap((one) => [`/apis/${one.group}`, `/apis/${apiVersionOf(one)}`]);
  return { paths: [...new Set([...served.paths, ...custom])].sort(compareUtf8) };
}
