/** One evaluation: the values of its variables, and what it has cost so far. */
import { CostExceeded } from './cel-error.js';
import { type Value } from './values.js';

/** Units that one evaluation may cost. Source: apiserver pkg/apis/cel/config.go, PerCallLimit. */
export const CALL_LIMIT = 1_000_000;

export class Frame {
  /** Those of macros are put there while they run. */
  readonly slots: Value[];
  #cost = 0;

  constructor(slots: Value[]) {
    this.slots = slots;
  }

  get cost(): number {
    return this.#cost;
  }

  /** Errors: a CostExceeded when that is more than an evaluation may cost. */
  spend(units: number): void {
    this.#cost += units;
    if (this.#cost > CALL_LIMIT) throw new CostExceeded();
  }
}
