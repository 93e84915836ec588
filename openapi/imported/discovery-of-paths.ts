/** What the operations of OpenAPI documents tell of group versions and resources, where there is no discovery. */
import { type JsonObject, isJsonObject, objectMember, stringMember } from '../../mockserver/ground/json.js';
import { type GroupVersion, apiVersionOf } from '../../mockserver/ground/kind.js';
import { type DiscoveryEntry } from '../resource-definition.js';
import { type ImportedGroupVersion } from './imported-discovery.js';

interface Found {
  readonly entry: { -readonly [Key in keyof DiscoveryEntry]: DiscoveryEntry[Key] };
  readonly verbs: Set<string>;
}

/** `/apis/{group}/{version}/` or `/api/{version}/`, perhaps a namespace, the plural, perhaps a name and a subresource. */
const RESOURCE =
  /^\/(?:api|apis\/(?<group>[^/{}]+))\/(?<version>v[^/{}]+)\/(?<inNamespace>namespaces\/\{namespace\}\/)?(?<plural>[^/{}]+)(?:\/\{name\}(?:\/(?<subresource>[^/{}]+))?)?$/;

/** `x-kubernetes-action` → verbs of discovery. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  get: ['get'],
  list: ['list', 'watch'],
  post: ['create'],
  put: ['update'],
  patch: ['patch'],
  delete: ['delete'],
  deletecollection: ['deletecollection'],
  connect: ['create', 'get'],
};

/**
 * The group versions in the order of their paths, each with its resources.
 *
 * Shape: what paths do not tell (short names, categories, how objects are stored) is absent.
 */
export function groupVersionsOfPaths(paths: Readonly<JsonObject>): readonly ImportedGroupVersion[] {
  const versions = new Map<string, { readonly of: GroupVersion; readonly found: Map<string, Found> }>();
  for (const [path, operations] of Object.entries(paths)) {
    const place = RESOURCE.exec(path)?.groups;
    if (place === undefined || !isJsonObject(operations)) continue;
    const { group = '', version = '', inNamespace, plural = '', subresource } = place;
    const of = { group, version };
    const known = versions.get(apiVersionOf(of)) ?? { of, found: new Map<string, Found>() };
    versions.set(apiVersionOf(of), known);
    const name = subresource === undefined ? plural : `${plural}/${subresource}`;
    for (const operation of Object.values(operations)) {
      if (!isJsonObject(operation)) continue;
      const kind = objectMember(operation, 'x-kubernetes-group-version-kind');
      const action = stringMember(operation, 'x-kubernetes-action') ?? '';
      if (kind === undefined || !Object.hasOwn(VERBS, action)) continue;
      const one = known.found.get(name) ?? { entry: entryOf(name, kind, of), verbs: new Set<string>() };
      known.found.set(name, one);
      if (inNamespace !== undefined) one.entry.namespaced = true;
      for (const verb of VERBS[action] ?? []) one.verbs.add(verb);
    }
  }
  return [...versions.values()].map(({ of, found }) => ({
    ...of,
    complete: false,
    entries: [...found]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { entry, verbs }]) => ({ ...entry, verbs: [...verbs].sort() })),
    namesOwnKind: false,
  }));
}

function entryOf(name: string, kind: JsonObject, of: GroupVersion): Found['entry'] {
  const group = stringMember(kind, 'group') ?? '';
  const version = stringMember(kind, 'version') ?? '';
  const text = stringMember(kind, 'kind') ?? '';
  const own = group === of.group && version === of.version;
  return {
    name,
    singularName: name.includes('/') ? '' : text.toLowerCase(),
    namespaced: false,
    ...(own ? {} : { group, version }),
    kind: text,
    verbs: [],
  };
}
