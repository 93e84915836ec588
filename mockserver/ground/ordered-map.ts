/** A map from texts that can also be read in the byte order of its keys, and copied at once whatever its size. */
import sortedBTree from 'sorted-btree';
import { compareUtf8 } from './json.js';

const BTree = sortedBTree.default;
type Tree<V> = InstanceType<typeof BTree<string, Cell<V>>>;

/** Whose cells may be written: each copy has an owner of its own, and the original gets a new one. */
type Owner = symbol;

/** A key's value: one place for the reads of a key and those of a range. */
interface Cell<V> {
  /** Copies share cells: one of another owner is not written but replaced. */
  readonly owner: Owner;
  value: V;
}

/** Shared by all copies of a map, since they share the order in which their keys stand. */
class ByteOrder {
  /**
   * Whether no key has had a character that is out of order: then the engine's own comparison of texts, which is many
   * times as fast, gives the order of the bytes. What stands in that order still does when this becomes false.
   */
  #plain = true;

  admit(key: string): void {
    if (this.#plain && OUT_OF_ORDER.test(key)) this.#plain = false;
  }

  readonly compare = (a: string, b: string): number => {
    if (!this.#plain) return compareUtf8(a, b);
    return a < b ? -1 : a === b ? 0 : 1;
  };
}

/** Characters whose code units may not order as their UTF-8 bytes do: surrogates, and what comes after them. */
const OUT_OF_ORDER = /[\ud800-\uffff]/;

export class OrderedMap<V> {
  /** Cells that have been asked for or written since the map was made: all of them, unless it is a copy. */
  readonly #cells = new Map<string, Cell<V>>();
  readonly #order: ByteOrder;
  readonly #ordered: Tree<V>;
  #owner: Owner = Symbol('cells');

  /** An empty one. @param original its copy instead: see `copy` */
  constructor(original?: OrderedMap<V>) {
    this.#order = original === undefined ? new ByteOrder() : original.#order;
    this.#ordered =
      original === undefined
        ? new BTree<string, Cell<V>>(undefined, this.#order.compare)
        : original.#ordered.clone();
  }

  /** A copy with the same content, made in the same time whatever the size: what either changes the other keeps. */
  copy(): OrderedMap<V> {
    this.#owner = Symbol('cells');
    return new OrderedMap(this);
  }

  get(key: string): V | undefined {
    return this.#cell(key)?.value;
  }

  set(key: string, value: V): void {
    const known = this.#cell(key);
    if (known?.owner === this.#owner) {
      known.value = value;
      return;
    }
    if (known === undefined) this.#order.admit(key);
    const cell = { owner: this.#owner, value };
    this.#cells.set(key, cell);
    this.#ordered.set(key, cell);
  }

  /** Keys and values in the order of the keys. Shape: a copy. */
  entries(): [string, V][] {
    return this.#ordered.toArray().map(([key, { value }]) => [key, value]);
  }

  delete(key: string): void {
    this.#cells.delete(key);
    this.#ordered.delete(key);
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

  get size(): number {
    return this.#ordered.size;
  }

  /** Visits all values in the byte order of their keys. The map must not be changed meanwhile. */
  forEach(visit: (value: V) => void): void {
    this.#ordered.forEachPair((_key, cell) => visit(cell.value));
  }

  /** How many keys there are from `start` (inclusive) to `end` (exclusive). */
  countRange(start: string, end: string): number {
    // The tree counts below zero when nothing can lie between the two.
    return Math.max(0, this.#ordered.forRange(start, end, false));
  }

  #cell(key: string): Cell<V> | undefined {
    let cell = this.#cells.get(key);
    // Where all are known, a key that is not is not there.
    if (cell !== undefined || this.#cells.size === this.#ordered.size) return cell;
    cell = this.#ordered.get(key);
    if (cell !== undefined) this.#cells.set(key, cell);
    return cell;
  }
}
