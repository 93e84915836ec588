/** A table that forgets what has not been asked for lately. */

/** Two halves: when the younger is full it becomes the older one, and that is forgotten. */
export class TwoAges<K, V> {
  readonly #half: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /** @param half how many entries one half holds. */
  constructor(half: number) {
    this.#half = half;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
