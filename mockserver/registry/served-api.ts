/** What a server serves, as discovery tells it: built-in resources and installed custom ones alike. */
import { type JsonObject, compareUtf8 } from '../ground/json.js';
import { type BuiltInApi, type HealthChecks } from '../../openapi/built-in-api.js';
import { type ResourceDefinition, storageVersionHash } from '../../openapi/resource-definition.js';
import { type CustomResource } from './custom-resource.js';
import { compareVersions } from './version-order.js';

export interface ServedSubresource {
  /** `status`: without the parent. */
  readonly name: string;
  readonly kind: string;
  /** Group and version of `kind`; both absent where they are the parent's. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

export interface ServedResource {
  /** The plural. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly storageVersionHash?: string;
  readonly subresources: readonly ServedSubresource[];
}

export interface ServedGroupVersion {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  /** Built-in paths answer errors as Status, custom ones as text; they also differ in what methods they take. */
  readonly origin: 'built-in' | 'custom';
  /** Aggregated discovery says group and version of the kinds. */
  readonly namesOwnKind: boolean;
  readonly resources: readonly ServedResource[];
}

export interface ServedApi {
  /** In the order of discovery: built-in ones first; see `servedGroupVersions`. */
  readonly groupVersions: readonly ServedGroupVersion[];
  /** The built-in part of what `/` lists. */
  readonly paths: readonly string[];
  /** The body of `/version`. */
  readonly version: JsonObject;
  readonly healthChecks: HealthChecks;
  /** `host:port` under which clients reach the server. */
  readonly serverAddress: string;
  /** Issuer of service account tokens. @default 'https://kubernetes.default.svc.cluster.local' */
  readonly serviceAccountIssuer?: string;
  /** The public keys of service account tokens, as JSON Web Keys. @default none */
  readonly serviceAccountKeys?: () => readonly JsonObject[];
}

/** Puts together what one cluster serves; to be made anew when its custom resources change. */
export function servedApi(
  options: {
    readonly api: BuiltInApi;
    readonly custom: readonly CustomResource[];
  } & Pick<ServedApi, 'serverAddress' | 'serviceAccountIssuer' | 'serviceAccountKeys'>,
): ServedApi {
  const { api, custom, ...rest } = options;
  return {
    groupVersions: servedGroupVersions(builtInGroupVersions(api), customGroupVersions(custom)),
    paths: api.paths,
    version: api.version,
    healthChecks: api.healthChecks,
    ...rest,
  };
}

/** The built-in group versions of one Kubernetes version. */
export function builtInGroupVersions(api: BuiltInApi): ServedGroupVersion[] {
  const resources = new Map<string, ServedResource[]>();
  for (const definition of api.resources) {
    const key = `${definition.group}/${definition.version}`;
    const list = resources.get(key) ?? [];
    resources.set(key, list);
    list.push(servedResource(definition));
  }
  return api.groupVersions.map(({ group, version, namesOwnKind = false }) => ({
    group,
    version,
    origin: 'built-in',
    namesOwnKind,
    resources: resources.get(`${group}/${version}`) ?? [],
  }));
}

function servedResource(definition: ResourceDefinition): ServedResource {
  const { resource, singular, kind, namespaced, verbs, shortNames, categories } = definition;
  const hash = definition.storageVersionHash;
  return {
    resource,
    singular,
    kind,
    namespaced,
    verbs,
    shortNames,
    categories,
    ...(hash === undefined ? {} : { storageVersionHash: hash }),
    subresources: definition.subresources.map((sub) => ({
      name: sub.name,
      kind: sub.kind,
      ...(sub.group === definition.group && sub.version === definition.version
        ? {}
        : { group: sub.group, version: sub.version }),
      verbs: sub.verbs,
    })),
  };
}

const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
/** While a custom resource is being removed nothing can be added to it. */
const TERMINATING_VERBS = ['delete', 'deletecollection', 'get', 'list', 'watch'];
const SUBRESOURCE_VERBS = ['get', 'patch', 'update'];

/**
 * The group versions of installed custom resources, in no particular order of groups; in each the resources stand in
 * the order given. Resources that are not established and versions that are not served are passed over.
 *
 * Source: apiextensions-apiserver customresource_discovery_controller.go.
 */
export function customGroupVersions(custom: readonly CustomResource[]): ServedGroupVersion[] {
  const lists = new Map<string, { group: string; version: string; resources: ServedResource[] }>();
  for (const one of custom) {
    if (!one.established) continue;
    const storage = one.versions.find((version) => version.storage);
    for (const version of one.versions) {
      if (!version.served) continue;
      const key = `${one.group}/${version.name}`;
      const list = lists.get(key) ?? { group: one.group, version: version.name, resources: [] };
      lists.set(key, list);
      list.resources.push({
        resource: one.accepted.plural,
        singular: one.accepted.singular,
        kind: one.accepted.kind,
        namespaced: one.namespaced,
        verbs: one.terminating ? TERMINATING_VERBS : CUSTOM_VERBS,
        shortNames: one.accepted.shortNames,
        categories: one.accepted.categories,
        // An unserved storage version leaves the hash out, since discovery looks at served ones only.
        ...(storage?.served === true
          ? { storageVersionHash: storageVersionHash(one.group, storage.name, one.names.kind) }
          : {}),
        subresources: [
          ...(version.hasStatus
            ? [{ name: 'status', kind: one.accepted.kind, verbs: SUBRESOURCE_VERBS }]
            : []),
          ...(version.hasScale
            ? [
                {
                  name: 'scale',
                  kind: 'Scale',
                  group: 'autoscaling',
                  version: 'v1',
                  verbs: SUBRESOURCE_VERBS,
                },
              ]
            : []),
        ],
      });
    }
  }
  return [...lists.values()].map((list) => ({ ...list, origin: 'custom', namesOwnKind: true }));
}

/**
 * Everything served, in the order in which `/apis` lists it: built-in groups as they come, then custom groups.
 * Versions of one group stand together, best first.
 *
 * All custom groups have one priority; a real server breaks the tie by the least name `<version>.<group>` of each
 * group, so the versions have a say in it. Source: kube-aggregator helpers.go, SortedByGroupAndVersion.
 */
export function servedGroupVersions(
  builtIn: readonly ServedGroupVersion[],
  custom: readonly ServedGroupVersion[],
): ServedGroupVersion[] {
  const groups = new Map<string, ServedGroupVersion[]>();
  for (const one of builtIn) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  const added = new Map<string, ServedGroupVersion[]>();
  for (const one of custom) added.set(one.group, [...(added.get(one.group) ?? []), one]);
  const byLeastName = [...added.entries()]
    .map(([group, versions]) => ({
      group,
      versions: versions.sort((a, b) => compareVersions(a.version, b.version)),
      leastName: versions.map(({ version }) => `${version}.${group}`).sort(compareUtf8)[0] ?? group,
    }))
    .sort((a, b) => compareUtf8(a.leastName, b.leastName));
  for (const { group, versions } of byLeastName)
    groups.set(group, [...(groups.get(group) ?? []), ...versions]);
  return [...groups.values()].flat();
}
