/** When passes run: in a task of their own, paced so that they take a small share of the time. */
import { type Clock, type Timer } from '../ground/clock.js';
import { type PassOutcome } from './sync-pass.js';

export interface PassPeriods {
  /** @default 10 */
  readonly normalMs: number;
  /** After a pass that served and expired nothing. @default 100 */
  readonly idleMs: number;
  /** After a pass that left work undone the pause is ten times its duration, within these. @default 1 */
  readonly busyMinMs: number;
  /** @default 10 */
  readonly busyMaxMs: number;
}

export const DEFAULT_PASS_PERIODS: PassPeriods = Object.freeze({
  normalMs: 10,
  idleMs: 100,
  busyMinMs: 1,
  busyMaxMs: 10,
});

export interface PassReport extends Pick<PassOutcome, 'served' | 'owed' | 'pushBudgetSpent'> {
  readonly expired: number;
  readonly durationMs: number;
  /** Whether watchers remain behind that a further pass could serve. */
  readonly workLeft: boolean;
}

/** Source: KEP-6268, "when passes run". */
export class PassSchedule {
  readonly #pace: Clock;
  readonly #periods: PassPeriods;
  readonly #step: () => PassReport;
  #timer: Timer | undefined;
  #periodMs: number;
  #lastEndedMs = -Infinity;

  /** @param step runs one pass; it is never called within a commit */
  constructor(pace: Clock, periods: PassPeriods, step: () => PassReport) {
    this.#pace = pace;
    this.#periods = periods;
    this.#step = step;
    this.#periodMs = periods.normalMs;
  }

  /**
   * Somebody fell behind, or has made room: the normal pace, whatever it was. (The KEP names only the first; waiting out
   * an idle pause before serving a client that reads again would help nobody.)
   */
  hurry(): void {
    if (this.#periodMs > this.#periods.normalMs) {
      this.#periodMs = this.#periods.normalMs;
      this.stop();
    }
    this.request();
  }

  /** There may be something to do: a pass runs as soon as the pace allows. */
  request(): void {
    if (this.#timer !== undefined) return;
    const due = this.#lastEndedMs + this.#periodMs - this.#pace.elapsed();
    this.#timer = due > 0 ? this.#pace.after(due, () => this.#run()) : this.#pace.soon(() => this.#run());
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #run(): void {
    this.#timer = undefined;
    const report = this.#step();
    this.#lastEndedMs = this.#pace.elapsed();
    this.#periodMs = this.#nextPeriod(report);
    if (report.workLeft) this.request();
  }

  #nextPeriod({ served, expired, owed, pushBudgetSpent, durationMs }: PassReport): number {
    const { normalMs, idleMs, busyMinMs, busyMaxMs } = this.#periods;
    if (served === 0 && expired === 0) return idleMs;
    if (owed.length > 0 || pushBudgetSpent) return Math.min(Math.max(10 * durationMs, busyMinMs), busyMaxMs);
    return normalMs;
  }
}
