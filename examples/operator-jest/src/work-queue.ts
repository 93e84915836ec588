// Keys to work on, one at a time; a key that is there already is not added again.

export class WorkQueue {
  readonly #work: (key: string) => Promise<void>;
  readonly #retryMs: number;
  readonly #keys = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #running: Promise<void> | undefined;
  #stopped = false;

  /** @param retryMs how long a key waits whose work has failed */
  constructor(work: (key: string) => Promise<void>, retryMs = 50) {
    this.#work = work;
    this.#retryMs = retryMs;
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.#keys.add(key);
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /** Adds what it is to do later, unless the queue is stopped by then. */
  later(ms: number, act: () => void): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
  }

  /** Waits for the work that has begun. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#keys.clear();
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const key of this.#keys) {
      this.#keys.delete(key);
      try {
        await this.#work(key);
      } catch {
        this.later(this.#retryMs, () => this.add(key));
      }
    }
  }
}
