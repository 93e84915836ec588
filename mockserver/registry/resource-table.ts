/** Which resources exist, by group, version and name. */
import { apiVersionOf, type GroupVersionKind } from '../ground/kind.js';
import { type Resource } from './resource.js';

export class ResourceTable {
  readonly #byPath = new Map<string, Resource>();
  readonly #kinds = new Set<string>();
  readonly #builtInGroups = new Set<string>();
  #generation = 0;

  /** Grows with every change, so that documents about the resources know when they are stale. */
  get generation(): number {
    return this.#generation;
  }

  add(resource: Resource): void {
    this.#byPath.set(pathOf(resource.group, resource.version, resource.resource), resource);
    if (!resource.custom) {
      this.#builtInGroups.add(resource.group);
      this.#kinds.add(kindKey(resource));
    }
    this.#generation++;
  }

  /** Takes away what `add` gave; a resource that has been replaced meanwhile stays. */
  remove(resource: Resource): void {
    const path = pathOf(resource.group, resource.version, resource.resource);
    if (this.#byPath.get(path) === resource) this.#byPath.delete(path);
    this.#generation++;
  }

  find(group: string, version: string, resource: string): Resource | undefined {
    return this.#byPath.get(pathOf(group, version, resource));
  }

  /** Any version of it: for those who want its objects, whatever their form. */
  findStored(group: string, resource: string): Resource | undefined {
    for (const one of this.#byPath.values()) {
      if (
        one.resource === resource &&
        one.store.groupResource.group === group &&
        one.conversion === undefined
      )
        return one;
    }
    return undefined;
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
