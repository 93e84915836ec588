/** How long the dispatcher of today may wait for full channels: an allowance that refills. */
import { type Clock } from '../ground/clock.js';

export interface TimeBudgetOptions {
  /** Milliseconds gained each second. @default 50 */
  readonly refillMsPerSecond: number;
  /** @default 100 */
  readonly capMs: number;
}

export const DEFAULT_TIME_BUDGET: TimeBudgetOptions = Object.freeze({ refillMsPerSecond: 50, capMs: 100 });

/** Source: apiserver storage/cacher/time_budget.go. It begins empty. */
export class TimeBudget {
  readonly #options: TimeBudgetOptions;
  readonly #pace: Clock;
  #leftMs = 0;
  #refilledAt: number;

  constructor(pace: Clock, options: TimeBudgetOptions = DEFAULT_TIME_BUDGET) {
    this.#pace = pace;
    this.#options = options;
    this.#refilledAt = pace.elapsed();
  }

  /** Takes all there is, in milliseconds. */
  takeAvailable(): number {
    this.#refill();
    const taken = this.#leftMs;
    this.#leftMs = 0;
    return taken;
  }

  /** Gives back what was not used. */
  giveBack(unusedMs: number): void {
    this.#refill();
    this.#leftMs = Math.min(this.#leftMs + Math.max(0, unusedMs), this.#options.capMs);
  }

  #refill(): void {
    const now = this.#pace.elapsed();
    const gained = ((now - this.#refilledAt) / 1000) * this.#options.refillMsPerSecond;
    this.#leftMs = Math.min(this.#leftMs + gained, this.#options.capMs);
    this.#refilledAt = now;
  }
}
