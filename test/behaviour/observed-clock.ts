/** A virtual clock that tells when somebody has begun to wait on it, so that a test knows when to move it. */
import { VirtualClock, type Timer } from '../../mockserver/index.js';

export class ObservedClock extends VirtualClock {
  #waiting: { readonly delayMs: number; readonly resolve: () => void }[] = [];

  /** By how long they were asked for. */
  readonly #outstanding = new Map<number, number>();

  override after(delayMs: number, callback: () => void): Timer {
    const count = (more: number): void => {
      this.#outstanding.set(delayMs, this.outstanding(delayMs) + more);
    };
    count(1);
    let over = false;
    const settle = (): void => {
      if (!over) count(-1);
      over = true;
    };
    const inner = super.after(delayMs, () => {
      settle();
      callback();
    });
    const timer = {
      cancel: () => {
        settle();
        inner.cancel();
      },
    };
    const told = this.#waiting.filter((one) => one.delayMs === delayMs);
    this.#waiting = this.#waiting.filter((one) => one.delayMs !== delayMs);
    for (const { resolve } of told) resolve();
    return timer;
  }

  /** Callbacks asked for in exactly `delayMs` that have neither run nor been cancelled. */
  outstanding(delayMs: number): number {
    return this.#outstanding.get(delayMs) ?? 0;
  }

  /** Resolves when the next callback is asked for in exactly `delayMs`. */
  asked(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ delayMs, resolve });
    });
  }
}
