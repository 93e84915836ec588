/** What a client has told us so far, and waiting until it has told what we expect. */

/** Deadline of a wait: long enough for a client's own back-off, short enough to name what is missing. */
const DEADLINE_MS = 45_000;

export class Seen<T> {
  readonly all: T[] = [];
  #waiting: (() => void)[] = [];
  /** Why nothing more comes, once nothing does. */
  #ended?: string;

  add(one: T): void {
    this.all.push(one);
    this.#wake();
  }

  /** Nothing more comes: who waits for something that has not been seen is told why. */
  end(why: string): void {
    this.#ended = why;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /**
   * The first that fits, among those seen and those to come.
   * Errors: after 45 s, or when nothing more comes, naming what was awaited and what was seen.
   */
  async first(what: string, fits: (one: T) => boolean): Promise<T> {
    const end = Date.now() + DEADLINE_MS;
    for (let next = 0; ;) {
      for (; next < this.all.length; next++) {
        const one = this.all[next];
        if (one !== undefined && fits(one)) return one;
      }
      const left = end - Date.now();
      if (left <= 0 || this.#ended !== undefined) {
        const seen = `seen: ${JSON.stringify(this.all).slice(-4000)}`;
        throw new Error([`not seen: ${what}`, seen, this.#ended ?? 'nothing more in 45 s'].join('; '));
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }
}

/** Asks until the answer is true. Errors: after 45 s; an answer that fails counts as not yet. */
export async function until(what: string, ask: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + DEADLINE_MS;
  let last: unknown;
  while (Date.now() < end) {
    try {
      if (await ask()) return;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`not reached: ${what}`, { cause: last });
}
