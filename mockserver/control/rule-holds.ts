/** What rules bring about that lasts: undone when the rule is taken out. */
import { type Faults } from '../faults/faults.js';

export class RuleHolds {
  readonly #faults: Faults;
  readonly #undo = new Map<string, () => void>();

  constructor(faults: Faults) {
    this.#faults = faults;
    faults.onRemoved(() => this.#release());
  }

  /** Whether a rule holds something already. */
  has(rule: string): boolean {
    return this.#undo.has(rule);
  }

  /** @param undo called once */
  add(rule: string, undo: () => void): void {
    this.#undo.set(rule, undo);
  }

  /** Undoes what a rule holds, before it is taken out. */
  release(rule: string): void {
    const undo = this.#undo.get(rule);
    this.#undo.delete(rule);
    undo?.();
  }

  #release(): void {
    for (const rule of [...this.#undo.keys()]) if (!this.#faults.plan.has(rule)) this.release(rule);
  }
}
