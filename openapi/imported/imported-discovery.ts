/** Which group versions and resources the discovery documents of a real cluster name. */
import {
  type JsonObject,
  type JsonValue,
  arrayMember,
  booleanMember,
  isJsonObject,
  objectMember,
  stringMember,
} from '../../mockserver/ground/json.js';
import { type GroupVersion, apiVersionOf, parseApiVersion } from '../../mockserver/ground/kind.js';
import { type DiscoveryEntry } from '../resource-definition.js';

export interface ImportedGroupVersion extends GroupVersion {
  /** As a resource list has them: each resource, then its subresources. */
  readonly entries: readonly DiscoveryEntry[];
  /** Aggregated discovery says group and version of the kinds, as it does for what kube-apiserver does not serve itself. */
  readonly namesOwnKind: boolean;
  /** False where only paths are known, which do not tell all verbs, short names and categories. */
  readonly complete: boolean;
}

export interface DiscoveryDocuments {
  readonly aggregated: readonly JsonObject[];
  readonly groupLists: readonly JsonObject[];
  readonly resourceLists: readonly JsonObject[];
}

/**
 * The group versions in the order in which the cluster lists them, the core group first.
 *
 * Shape: what a resource list says goes before what aggregated discovery says of the same group version, which leaves
 * out how objects are stored. Empty when there are no such documents.
 */
export function discoveredGroupVersions(documents: DiscoveryDocuments): readonly ImportedGroupVersion[] {
  const found = new Map<string, ImportedGroupVersion>();
  const listed = new Map(
    documents.resourceLists.map((list) => [stringMember(list, 'groupVersion') ?? '', list]),
  );
  const add = (of: GroupVersion, aggregated: JsonObject | undefined): void => {
    const name = apiVersionOf(of);
    const list = listed.get(name);
    if (found.has(name) || (list === undefined && aggregated === undefined)) return;
    const said = resourcesIn(aggregated);
    found.set(name, {
      ...of,
      complete: true,
      entries: list === undefined ? said.flatMap((one) => entriesOf(one, of)) : entriesIn(list),
      namesOwnKind: said.some(
        (one) => (stringMember(objectMember(one, 'responseKind'), 'version') ?? '') !== '',
      ),
    });
  };
  const items = documents.aggregated.flatMap((one) => objects(arrayMember(one, 'items')));
  const core = items.filter((one) => groupNameOf(one) === '');
  for (const item of [...core, ...items.filter((one) => !core.includes(one))]) {
    const group = groupNameOf(item);
    for (const version of objects(arrayMember(item, 'versions'))) {
      add({ group, version: stringMember(version, 'version') ?? '' }, version);
    }
  }
  const ofCore = [...listed.keys()].filter((name) => !name.includes('/'));
  const ofGroups = documents.groupLists
    .flatMap((one) => objects(arrayMember(one, 'groups')))
    .flatMap((group) => objects(arrayMember(group, 'versions')))
    .map((version) => stringMember(version, 'groupVersion') ?? '');
  for (const name of [...ofCore, ...ofGroups, ...listed.keys()]) {
    const of = parseApiVersion(name);
    if (of !== undefined) add(of, undefined);
  }
  const all = [...found.values()];
  return [...all.filter(({ group }) => group === ''), ...all.filter(({ group }) => group !== '')];
}

const groupNameOf = (item: JsonObject): string => stringMember(objectMember(item, 'metadata'), 'name') ?? '';

const resourcesIn = (version: JsonObject | undefined): readonly JsonObject[] =>
  objects(version && arrayMember(version, 'resources'));

function entriesIn(list: JsonObject): readonly DiscoveryEntry[] {
  return objects(arrayMember(list, 'resources')).map((one) => ({
    name: stringMember(one, 'name') ?? '',
    singularName: stringMember(one, 'singularName') ?? '',
    namespaced: booleanMember(one, 'namespaced') ?? false,
    ...optional(one, 'group'),
    ...optional(one, 'version'),
    kind: stringMember(one, 'kind') ?? '',
    verbs: texts(one, 'verbs'),
    shortNames: texts(one, 'shortNames'),
    categories: texts(one, 'categories'),
    ...optional(one, 'storageVersionHash'),
  }));
}

/** A resource of aggregated discovery with its subresources. */
function entriesOf(resource: JsonObject, of: GroupVersion): readonly DiscoveryEntry[] {
  const name = stringMember(resource, 'resource') ?? '';
  const namespaced = stringMember(resource, 'scope') === 'Namespaced';
  const kindOf = (one: JsonObject): Pick<DiscoveryEntry, 'group' | 'version' | 'kind'> => {
    const { group = '', version = '', kind = '' } = objectMember(one, 'responseKind') ?? {};
    const own = version === '' || (group === of.group && version === of.version);
    return { kind: text(kind), ...(own ? {} : { group: text(group), version: text(version) }) };
  };
  return [
    {
      name,
      singularName: stringMember(resource, 'singularResource') ?? '',
      namespaced,
      kind: kindOf(resource).kind,
      verbs: texts(resource, 'verbs'),
      shortNames: texts(resource, 'shortNames'),
      categories: texts(resource, 'categories'),
    },
    ...objects(arrayMember(resource, 'subresources')).map((sub) => ({
      name: `${name}/${stringMember(sub, 'subresource') ?? ''}`,
      singularName: '',
      namespaced,
      ...kindOf(sub),
      verbs: texts(sub, 'verbs'),
    })),
  ];
}

const optional = <Name extends string>(one: JsonObject, name: Name): { readonly [Key in Name]?: string } => {
  const value = stringMember(one, name);
  // A computed key is a string to the compiler: it is one of these names.
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]?: string });
};

const text = (value: JsonValue): string => (typeof value === 'string' ? value : '');

const texts = (one: JsonObject, name: string): readonly string[] =>
  (arrayMember(one, name) ?? []).filter((value): value is string => typeof value === 'string');

const objects = (list: readonly JsonValue[] | undefined): readonly JsonObject[] =>
  (list ?? []).filter(isJsonObject);
