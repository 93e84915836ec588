/** The faults of a cluster, as its user puts them in and takes them out. */
import { FaultPlan, type FaultPlanParts, type RuleState } from './fault-plan.js';
import { readRule, RuleError } from './rule-reader.js';
import { type FaultRule } from './rule.js';

/** A rule that is in force until it is removed: by hand, or at the end of a `using` block. */
export interface FaultScope extends Disposable, AsyncDisposable {
  /** Name of the rule. */
  readonly name: string;
  /** How often it has fired. */
  readonly fired: number;
  /** Takes the rule out and lets go of what it holds (stalled watches go on). Idempotent. */
  remove(): void;
}

/** Rules that are in force together. */
export interface RuleSetScope extends Omit<FaultScope, 'name'> {
  /** Of its rules, in their order. */
  readonly names: readonly string[];
}

export class Faults {
  readonly plan: FaultPlan;
  /** Told after rules have been taken out: what they hold is to be let go of. */
  readonly #removed = new Set<() => void>();

  constructor(parts: FaultPlanParts) {
    this.plan = new FaultPlan(parts);
  }

  /**
   * Puts a rule in force, behind the others.
   *
   * Errors: RuleError for a rule that says nothing or contradicts itself, or whose name is taken.
   */
  add(rule: FaultRule): FaultScope {
    const { plan } = this;
    const name = plan.add(checked(rule));
    let fired = 0;
    const firedNow = (): number => {
      fired = plan.firedOf(name) ?? fired;
      return fired;
    };
    const remove = (): void => {
      firedNow();
      if (plan.remove(name)) this.#tellRemoved();
    };
    return scopeOf({
      name,
      get fired() {
        return firedNow();
      },
      remove,
    });
  }

  /**
   * Puts rules in force together: a scenario, or what a file holds.
   *
   * Errors: as `add`; none of them is in force then.
   */
  addAll(rules: readonly FaultRule[]): RuleSetScope {
    const scopes: FaultScope[] = [];
    const remove = (): void => scopes.forEach((scope) => scope.remove());
    try {
      for (const rule of rules) scopes.push(this.add(rule));
    } catch (error) {
      remove();
      throw error;
    }
    return scopeOf({
      names: scopes.map(({ name }) => name),
      get fired() {
        return scopes.reduce((sum, scope) => sum + scope.fired, 0);
      },
      remove,
    });
  }

  /** Takes a rule out by its name. Shape: whether there was one. */
  remove(name: string): boolean {
    const removed = this.plan.remove(name);
    if (removed) this.#tellRemoved();
    return removed;
  }

  /** Gives a signal: rules that wait for it (`signal`) begin, others (`untilSignal`) end. */
  signal(name: string): void {
    this.plan.signal(name);
  }

  /** Takes every rule out and lets go of what they hold: to be called between tests. */
  reset(): void {
    this.plan.clear();
    this.#tellRemoved();
  }

  /** The rules in force with how often each matched and fired. */
  get rules(): readonly RuleState[] {
    return this.plan.rules;
  }

  /** Names of the rules in force that never fired. */
  get unfired(): readonly string[] {
    return this.plan.unfired;
  }

  /** Shape: what stops telling. */
  onRemoved(callback: () => void): () => void {
    this.#removed.add(callback);
    return () => void this.#removed.delete(callback);
  }

  #tellRemoved(): void {
    for (const callback of [...this.#removed]) callback();
  }
}

/** With the ends that `using` and `await using` call. */
function scopeOf<S extends { readonly remove: () => void }>(scope: S): S & Disposable & AsyncDisposable {
  return Object.assign(scope, {
    [Symbol.dispose]: scope.remove,
    [Symbol.asyncDispose]: () => {
      scope.remove();
      return Promise.resolve();
    },
  });
}

/** A rule given as a value of the program is read as one given as text: mistakes are told alike. */
function checked(rule: FaultRule): FaultRule {
  try {
    return readRule(rule, 'rule');
  } catch (error) {
    if (error instanceof RuleError) Error.captureStackTrace(error, checked);
    throw error;
  }
}
