/** Keys that wait to be worked on, each at most once. */
import { type Clock, type Timer } from '../ground/clock.js';

/** The first pause after a failure; it doubles with each further one. Source: client-go util/workqueue. */
const FIRST_RETRY_MS = 5;
const LONGEST_RETRY_MS = 1_000_000;

export class WorkQueue<Key> {
  readonly #clock: Clock;
  readonly #wake: () => void;
  readonly #ready = new Set<Key>();
  readonly #later = new Map<Key, { readonly at: number; readonly timer: Timer }>();
  readonly #failures = new Map<Key, number>();

  /** @param wake told when there is a key to take */
  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  add(key: Key): void {
    this.#ready.add(key);
    this.#wake();
  }

  /** Adds the key when so much time has passed; of two such wishes the earlier counts. */
  addAfter(key: Key, delayMs: number): void {
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const at = this.#clock.now() + delayMs;
    const known = this.#later.get(key);
    if (known !== undefined && known.at <= at) return;
    known?.timer.cancel();
    const timer = this.#clock.after(delayMs, () => {
      this.#later.delete(key);
      this.add(key);
    });
    this.#later.set(key, { at, timer });
  }

  /** Adds the key after a pause that grows with its failures. */
  retry(key: Key): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.addAfter(key, Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS));
  }

  /** How often the key has been retried since it last went well. */
  failures(key: Key): number {
    return this.#failures.get(key) ?? 0;
  }

  /** It went well: the next failure counts as the first. */
  forget(key: Key): void {
    this.#failures.delete(key);
  }

  /** The key that waits longest, taken out; undefined when none waits. */
  take(): Key | undefined {
    for (const key of this.#ready) {
      this.#ready.delete(key);
      return key;
    }
    return undefined;
  }

  /** Lets go of every timer. */
  stop(): void {
    this.#ready.clear();
    for (const { timer } of this.#later.values()) timer.cancel();
    this.#later.clear();
  }
}
