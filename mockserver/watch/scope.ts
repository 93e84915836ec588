/** Which keys a watcher is about, and an index of watchers by that: a change costs only those who may want it. */

export interface Scope {
  /** undefined: all namespaces, and cluster-scoped resources. */
  readonly namespace?: string;
  readonly name?: string;
}

/** A tag for each of the four scopes that can cover an object. A NUL cannot stand in a namespace. */
const tag = (namespace: string | undefined, name: string | undefined): string =>
  `${namespace ?? '\0'}\0${name ?? '\0'}`;

export class ScopeIndex<T> {
  readonly #members = new Map<string, Set<T>>();

  add(scope: Scope, member: T): void {
    const key = tag(scope.namespace, scope.name);
    const set = this.#members.get(key);
    if (set === undefined) this.#members.set(key, new Set([member]));
    else set.add(member);
  }

  delete(scope: Scope, member: T): void {
    const key = tag(scope.namespace, scope.name);
    const set = this.#members.get(key);
    if (set?.delete(member) && set.size === 0) this.#members.delete(key);
  }

  /** Calls `visit` for each member whose scope covers the object. Members may be removed meanwhile. */
  forEachCovering(namespace: string, name: string, visit: (member: T) => void): void {
    if (this.#members.size === 0) return;
    this.#members.get(tag(undefined, undefined))?.forEach(visit);
    this.#members.get(tag(undefined, name))?.forEach(visit);
    if (namespace !== '') {
      this.#members.get(tag(namespace, undefined))?.forEach(visit);
      this.#members.get(tag(namespace, name))?.forEach(visit);
    }
  }
}
