/** A map from texts that can also be read in the byte order of its keys. */
import sortedBTree from 'sorted-btree';
import { compareUtf8 } from './json.js';

const BTree = sortedBTree.default;

/** A key's value: one place for the reads of a key and those of a range. */
interface Cell<V> {
  value: V;
}

/** Characters whose code units may not order as their UTF-8 bytes do: surrogates, and what comes after them. */
const OUT_OF_ORDER = /[\ud800-\uffff]/;

export class OrderedMap<V> {
  readonly #cells = new Map<string, Cell<V>>();
  readonly #ordered = new BTree<string, Cell<V>>(undefined, (a, b) => this.#compare(a, b));
  /**
   * Whether no key has had a character that is out of order: then the engine's own comparison of texts, which is many
   * times as fast, gives the order of the bytes. What stands in that order still does when this becomes false.
   */
  #inOrder = true;

  get(key: string): V | undefined {
    return this.#cells.get(key)?.value;
  }

  set(key: string, value: V): void {
    const known = this.#cells.get(key);
    if (known !== undefined) {
      known.value = value;
      return;
    }
    if (this.#inOrder && OUT_OF_ORDER.test(key)) this.#inOrder = false;
    const cell = { value };
    this.#cells.set(key, cell);
    this.#ordered.set(key, cell);
  }

  delete(key: string): void {
    if (this.#cells.delete(key)) this.#ordered.delete(key);
  }

  /**
   * Visits the values of keys from `start` (inclusive) to `end` (exclusive) in the byte order of their keys, until
   * `visit` answers false. The map must not be changed meanwhile.
   */
  forRange(start: string, end: string, visit: (value: V) => boolean): void {
    this.#ordered.forRange(start, end, false, (_key, cell) =>
      visit(cell.value) ? undefined : { break: true },
    );
  }

  /** How many keys there are from `start` (inclusive) to `end` (exclusive). */
  countRange(start: string, end: string): number {
    // The tree counts below zero when nothing can lie between the two.
    return Math.max(0, this.#ordered.forRange(start, end, false));
  }

  #compare(a: string, b: string): number {
    if (!this.#inOrder) return compareUtf8(a, b);
    return a < b ? -1 : a === b ? 0 : 1;
  }
}
