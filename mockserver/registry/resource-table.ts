/** Which resources exist, by group, version and name. */
import { apiVersionOf, type GroupResource, type GroupVersionKind, qualifiedName } from '../ground/kind.js';
import { type Resource, type ResourceStore } from './resource.js';

/** Known in every version beside its own kinds. Source: apimachinery meta/v1/register.go, AddToGroupVersion. */
const META_KINDS = [
  'WatchEvent',
  'ListOptions',
  'GetOptions',
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
  'Status',
  'APIVersions',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
] as const;

/** What is known of resources by the form of their names alone. */
class Index {
  readonly byPath = new Map<string, Resource>();
  readonly byPrefix = new Map<string, ResourceStore>();
  readonly kinds = new Set<string>();
  readonly groups = new Set<string>();
}

/** The resources of the built-in API: the same for all clusters of a version, which share it. */
export class BuiltInTable {
  readonly index = new Index();
  readonly #stored = new Map<string, Resource | undefined>();
  readonly #byKind = new Map<string, Resource | undefined>();

  constructor(resources: readonly Resource[]) {
    const { byPath, byPrefix, kinds, groups } = this.index;
    for (const resource of resources) {
      const { group, version } = resource;
      byPath.set(pathOf(group, version, resource.resource), resource);
      byPrefix.set(resource.store.prefix, resource.store);
      groups.add(group);
      for (const kind of [resource.kind, resource.listKind, ...META_KINDS]) {
        kinds.add(kindKey({ group, version, kind }));
      }
      for (const subresource of resource.subresources.values()) kinds.add(kindKey(subresource.kind));
    }
  }

  findStored(groupResource: GroupResource): Resource | undefined {
    const name = qualifiedName(groupResource);
    if (!this.#stored.has(name))
      this.#stored.set(name, firstStored(this.index.byPath.values(), groupResource));
    return this.#stored.get(name);
  }

  findKind(kind: GroupVersionKind): Resource | undefined {
    const key = kindKey(kind);
    if (!this.#byKind.has(key)) this.#byKind.set(key, firstOfKind(this.index.byPath.values(), kind));
    return this.#byKind.get(key);
  }
}

/** The resources of one cluster: the built-in ones, which stay, and its custom ones, which come and go. */
export class ResourceTable {
  readonly #builtIn: BuiltInTable;
  readonly #custom = new Index();
  #generation = 0;

  constructor(builtIn: BuiltInTable) {
    this.#builtIn = builtIn;
  }

  /** Grows with every change, so that documents about the resources know when they are stale. */
  get generation(): number {
    return this.#generation;
  }

  /** Takes in a custom resource. */
  add(resource: Resource): void {
    this.#custom.byPath.set(pathOf(resource.group, resource.version, resource.resource), resource);
    this.#custom.byPrefix.set(resource.store.prefix, resource.store);
    this.#generation++;
  }

  /** Takes away what `add` gave; a resource that has been replaced meanwhile stays. */
  remove(resource: Resource): void {
    const path = pathOf(resource.group, resource.version, resource.resource);
    const { byPath, byPrefix } = this.#custom;
    if (byPath.get(path) === resource) byPath.delete(path);
    if (byPrefix.get(resource.store.prefix) === resource.store) byPrefix.delete(resource.store.prefix);
    this.#generation++;
  }

  find(group: string, version: string, resource: string): Resource | undefined {
    const path = pathOf(group, version, resource);
    return this.#custom.byPath.get(path) ?? this.#builtIn.index.byPath.get(path);
  }

  /** Any version of it: for those who want its objects, whatever their form. */
  findStored(group: string, resource: string): Resource | undefined {
    const groupResource = { group, resource };
    return (
      this.#builtIn.findStored(groupResource) ?? firstStored(this.#custom.byPath.values(), groupResource)
    );
  }

  /** The resource whose objects are of this kind. */
  findKind(kind: GroupVersionKind): Resource | undefined {
    return this.#builtIn.findKind(kind) ?? firstOfKind(this.#custom.byPath.values(), kind);
  }

  /** What has its objects under a prefix of keys. */
  findPrefix(prefix: string): ResourceStore | undefined {
    return this.#custom.byPrefix.get(prefix) ?? this.#builtIn.index.byPrefix.get(prefix);
  }

  /** Whether paths below this group are answered as those of a built-in one. */
  isBuiltInGroup(group: string): boolean {
    return this.#builtIn.index.groups.has(group);
  }

  /** Whether a built-in kind of that name exists in that version. */
  kindKnown(kind: GroupVersionKind): boolean {
    return this.#builtIn.index.kinds.has(kindKey(kind));
  }

  *[Symbol.iterator](): Iterator<Resource> {
    yield* this.#builtIn.index.byPath.values();
    yield* this.#custom.byPath.values();
  }
}

function firstStored(
  resources: Iterable<Resource>,
  { group, resource }: GroupResource,
): Resource | undefined {
  for (const one of resources) {
    if (one.resource === resource && one.store.groupResource.group === group && one.conversion === undefined)
      return one;
  }
  return undefined;
}

function firstOfKind(resources: Iterable<Resource>, kind: GroupVersionKind): Resource | undefined {
  for (const one of resources) {
    if (one.kind === kind.kind && one.version === kind.version && one.group === kind.group) return one;
  }
  return undefined;
}

const pathOf = (group: string, version: string, resource: string): string =>
  `${group}/${version}/${resource}`;
const kindKey = (kind: GroupVersionKind): string => `${apiVersionOf(kind)}/${kind.kind}`;
