/** The plugins of admission that one cluster runs. */
import { type GroupResource, qualifiedName } from '../ground/kind.js';
import { type AdmissionPlugin } from './admission-plugin.js';

export class AdmissionPlugins {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #ofResource = new Map<string, readonly AdmissionPlugin[]>();

  /** @param plugins in the order in which they are asked */
  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  /** Whether a plugin runs. */
  has(name: string): boolean {
    return this.#plugins.some((plugin) => plugin.name === name);
  }

  /** Those that look at a resource. */
  of(resource: GroupResource): readonly AdmissionPlugin[] {
    const key = qualifiedName(resource);
    let found = this.#ofResource.get(key);
    if (found === undefined) {
      found = this.#plugins.filter(
        ({ resources }) => resources === undefined || resources.some((one) => qualifiedName(one) === key),
      );
      this.#ofResource.set(key, found);
    }
    return found;
  }
}
