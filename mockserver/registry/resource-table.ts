/** Which resources exist, by group, version and name. */
import { apiVersionOf, qualifiedName, type GroupVersionKind } from '../ground/kind.js';
import { type Resource } from './resource.js';

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

export class ResourceTable {
  readonly #byPath = new Map<string, Resource>();
  readonly #kinds = new Set<string>();
  readonly #builtInGroups = new Set<string>();
  /** Answers of findStored since the last change. */
  readonly #stored = new Map<string, Resource>();
  #generation = 0;

  /** Grows with every change, so that documents about the resources know when they are stale. */
  get generation(): number {
    return this.#generation;
  }

  add(resource: Resource): void {
    this.#byPath.set(pathOf(resource.group, resource.version, resource.resource), resource);
    if (!resource.custom) {
      this.#builtInGroups.add(resource.group);
      const { group, version } = resource;
      for (const kind of [resource.kind, resource.listKind, ...META_KINDS]) {
        this.#kinds.add(kindKey({ group, version, kind }));
      }
      for (const subresource of resource.subresources.values()) this.#kinds.add(kindKey(subresource.kind));
    }
    this.#changed();
  }

  /** Takes away what `add` gave; a resource that has been replaced meanwhile stays. */
  remove(resource: Resource): void {
    const path = pathOf(resource.group, resource.version, resource.resource);
    if (this.#byPath.get(path) === resource) this.#byPath.delete(path);
    this.#changed();
  }

  find(group: string, version: string, resource: string): Resource | undefined {
    return this.#byPath.get(pathOf(group, version, resource));
  }

  /** Any version of it: for those who want its objects, whatever their form. */
  findStored(group: string, resource: string): Resource | undefined {
    const name = qualifiedName({ group, resource });
    let found = this.#stored.get(name);
    if (found === undefined) {
      found = [...this.#byPath.values()].find(
        (one) =>
          one.resource === resource &&
          one.store.groupResource.group === group &&
          one.conversion === undefined,
      );
      if (found !== undefined) this.#stored.set(name, found);
    }
    return found;
  }

  #changed(): void {
    this.#generation++;
    this.#stored.clear();
  }

  /** The resource whose objects are of this kind. */
  findKind(kind: GroupVersionKind): Resource | undefined {
    for (const one of this.#byPath.values()) {
      if (one.kind === kind.kind && one.version === kind.version && one.group === kind.group) return one;
    }
    return undefined;
  }

  /** Whether paths below this group are answered as those of a built-in one. */
  isBuiltInGroup(group: string): boolean {
    return this.#builtInGroups.has(group);
  }

  /** Whether a built-in kind of that name exists in that version. */
  kindKnown(kind: GroupVersionKind): boolean {
    return this.#kinds.has(kindKey(kind));
  }

  [Symbol.iterator](): Iterator<Resource> {
    return this.#byPath.values();
  }
}

const pathOf = (group: string, version: string, resource: string): string =>
  `${group}/${version}/${resource}`;
const kindKey = (kind: GroupVersionKind): string => `${apiVersionOf(kind)}/${kind.kind}`;
