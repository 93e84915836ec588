/** A bounded queue with one reader: a watcher's events that are not yet written to its socket. */
export class Channel<T> {
  readonly capacity: number;
  #items: T[] = [];
  #head = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get length(): number {
    return this.#items.length - this.#head;
  }

  get full(): boolean {
    return this.length >= this.capacity;
  }

  /** Shape: false, and nothing is changed, when it is full. Never waits. */
  offer(item: T): boolean {
    if (this.full) return false;
    this.#items.push(item);
    return true;
  }

  /** The oldest item. Shape: undefined when it is empty. */
  take(): T | undefined {
    const item = this.#items[this.#head];
    if (this.#head >= this.#items.length) return undefined;
    this.#head++;
    if (this.#head === this.#items.length) {
      this.#items = [];
      this.#head = 0;
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}
