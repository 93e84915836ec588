/** A virtual clock that tells when somebody has begun to wait on it, so that a test knows when to move it. */
import { VirtualClock, type Timer } from '../../mockserver/index.js';

export class ObservedClock extends VirtualClock {
  #waiting: { readonly delayMs: number; readonly resolve: () => void }[] = [];

  override after(delayMs: number, callback: () => void): Timer {
    const timer = super.after(delayMs, callback);
    const told = this.#waiting.filter((one) => one.delayMs === delayMs);
    this.#waiting = this.#waiting.filter((one) => one.delayMs !== delayMs);
    for (const { resolve } of told) resolve();
    return timer;
  }

  /** Resolves when the next callback is asked for in exactly `delayMs`. */
  asked(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ delayMs, resolve });
    });
  }
}
