/** What a controller knows of one resource: the objects as the changes that it has taken in left them. */
import { type ApiObject, nameOf, namespaceOf } from '../ground/object.js';

const NONE: ReadonlyMap<string, ApiObject> = new Map();

export class LocalView {
  readonly #byNamespace = new Map<string, Map<string, ApiObject>>();

  put(object: ApiObject): void {
    const namespace = namespaceOf(object);
    let objects = this.#byNamespace.get(namespace);
    if (objects === undefined) this.#byNamespace.set(namespace, (objects = new Map<string, ApiObject>()));
    objects.set(nameOf(object), object);
  }

  remove(object: ApiObject): void {
    const namespace = namespaceOf(object);
    const objects = this.#byNamespace.get(namespace);
    objects?.delete(nameOf(object));
    if (objects?.size === 0) this.#byNamespace.delete(namespace);
  }

  /** @param namespace `''` for cluster-scoped objects */
  get(namespace: string, name: string): ApiObject | undefined {
    return this.#byNamespace.get(namespace)?.get(name);
  }

  inNamespace(namespace: string): Iterable<ApiObject> {
    return (this.#byNamespace.get(namespace) ?? NONE).values();
  }

  *[Symbol.iterator](): Iterator<ApiObject> {
    for (const objects of this.#byNamespace.values()) yield* objects.values();
  }
}
