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
  /**
   * Passes take no larger share of the time than this: after a long one the pause is longer. The KEP has no such bound,
   * since its passes run beside everything else. @default 0.1
   */
  readonly maxShare: number;
}

export const DEFAULT_PASS_PERIODS: PassPeriods = Object.freeze({
  normalMs: 10,
  idleMs: 100,
  busyMinMs: 1,
  busyMaxMs: 10,
  maxShare: 0.1,
});

export interface PassReport extends Omit<PassOutcome, 'caughtUp'> {
  readonly expired: number;
  /** Members that became synced. */
  readonly resynced: number;
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
  /** The last pass had nothing to do. */
  #idle = false;
  #running = false;
  #wanted = false;

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
    if (this.#idle) {
      this.#periodMs = this.#periods.normalMs;
      this.#idle = false;
      this.stop();
    }
    this.request();
  }

  /** There may be something to do: a pass runs as soon as the pace allows. */
  request(): void {
    // What is asked for during a pass comes after it, at the pace that this pass leads to.
    if (this.#running) this.#wanted = true;
    if (this.#running || this.#timer !== undefined) return;
    const due = this.#dueInMs;
    this.#timer = due > 0 ? this.#pace.after(due, () => this.#run()) : this.#pace.soon(() => this.#run());
  }

  /** Runs a pass within this call if the pace allows one now. Not within a commit. */
  runIfDue(): void {
    if (this.#running || this.#dueInMs > 0) return;
    this.stop();
    this.#run();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  get #dueInMs(): number {
    return this.#lastEndedMs + this.#periodMs - this.#pace.elapsed();
  }

  #run(): void {
    this.#timer = undefined;
    this.#wanted = false;
    this.#running = true;
    try {
      const report = this.#step();
      this.#periodMs = this.#nextPeriod(report);
      this.#wanted ||= report.workLeft;
    } finally {
      this.#running = false;
      this.#lastEndedMs = this.#pace.elapsed();
    }
    if (this.#wanted) this.request();
  }

  #nextPeriod({ served, expired, owed, pushBudgetSpent, durationMs }: PassReport): number {
    const { normalMs, idleMs, busyMinMs, busyMaxMs, maxShare } = this.#periods;
    this.#idle = served === 0 && expired === 0;
    if (this.#idle) return idleMs;
    const busy = owed.length > 0 || pushBudgetSpent;
    const period = busy ? Math.min(Math.max(10 * durationMs, busyMinMs), busyMaxMs) : normalMs;
    return Math.max(period, durationMs / maxShare - durationMs);
  }
}
