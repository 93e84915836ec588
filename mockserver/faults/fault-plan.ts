/** The rules of a cluster: which of them fire, when, and which never did. Pure but for its counts; time and chance are handed in. */
import { type Clock } from '../ground/clock.js';
import { type Random, seededRandom } from '../ground/random.js';
import { type RequestView } from '../http/exchange-hooks.js';
import { type EventTest, type EventView, eventTest, requestTest, type RequestTest } from './matcher.js';
import { type Effect, type FaultRule, type Stage, stageOf } from './rule.js';

/** One rule that took place once. */
export interface Firing {
  /** `fault-1`, `fault-2`, …: in the order in which rules of the plan fired. */
  readonly id: string;
  /** Name of the rule. */
  readonly rule: string;
  readonly effect: Effect;
  /** Milliseconds since 1970, on the cluster's clock. */
  readonly at: number;
}

/** A rule with what has become of it. */
export interface RuleState {
  readonly name: string;
  readonly rule: FaultRule;
  /** Requests (for a rule at events: events) that it matched, whether or not it fired. */
  readonly matched: number;
  readonly fired: number;
}

interface PlannedRule {
  readonly name: string;
  readonly rule: FaultRule;
  readonly stage: Stage;
  readonly test: RequestTest;
  readonly eventTest: EventTest;
  readonly random: Random;
  /** Requests that match the rest of the matcher. */
  requests: number;
  matched: number;
  fired: number;
}

/** A rule that is about a request, with what it has to remember about that request. */
export interface Candidate {
  readonly stage: Stage;
  readonly effect: Effect;
  readonly rule: PlannedRule;
  /** Events of this watch that match the rule's event matcher. */
  events: number;
}

export interface FaultPlanParts {
  readonly clock: Clock;
  /** Rules with a probability draw from it, each from a sequence of its own. @default 0 */
  readonly seed?: number;
}

export class FaultPlan {
  readonly #clock: Clock;
  readonly #seed: number;
  #rules: PlannedRule[] = [];
  /** Rules about one resource, by its plural; `undefined` holds the others. In the order of the plan. */
  #byResource: Map<string | undefined, PlannedRule[]> | undefined;
  #added = 0;
  #firings = 0;

  constructor({ clock, seed = 0 }: FaultPlanParts) {
    this.#clock = clock;
    this.#seed = seed;
  }

  /** Whether there is no rule, so that nothing needs to be looked at. */
  get empty(): boolean {
    return this.#rules.length === 0;
  }

  /** The rules in the order of the plan. Shape: fresh. */
  get rules(): RuleState[] {
    return this.#rules.map(({ name, rule, matched, fired }) => ({ name, rule, matched, fired }));
  }

  /** Names of the rules that never fired. */
  get unfired(): string[] {
    return this.#rules.filter(({ fired }) => fired === 0).map(({ name }) => name);
  }

  /** Adds a rule behind the others. Shape: its name. Errors: RangeError for a name that is taken. */
  add(rule: FaultRule): string {
    const number = ++this.#added;
    const name = rule.name ?? `rule-${number}`;
    if (this.#rules.some((other) => other.name === name))
      throw new RangeError(`a rule named ${name} is in the plan already`);
    this.#rules.push({
      name,
      rule,
      stage: stageOf(rule),
      test: requestTest(rule.match),
      eventTest: eventTest(rule.match?.event),
      random: seededRandom(this.#seed + number),
      requests: 0,
      matched: 0,
      fired: 0,
    });
    this.#byResource = undefined;
    return name;
  }

  /** Shape: whether there was one of that name. */
  remove(name: string): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter((rule) => rule.name !== name);
    this.#byResource = undefined;
    return this.#rules.length < before;
  }

  /** Removes every rule; names and chance begin again. */
  clear(): void {
    this.#rules = [];
    this.#byResource = undefined;
    this.#added = 0;
  }

  /** Whether a rule is still in the plan. */
  has(name: string): boolean {
    return this.#rules.some((rule) => rule.name === name);
  }

  /** The rules that are about a request, in the order of the plan. Counts the request for those that count requests. */
  candidates(request: RequestView): Candidate[] {
    if (this.empty) return [];
    const index = (this.#byResource ??= indexed(this.#rules));
    const candidates: Candidate[] = [];
    for (const rule of index.get(request.resource) ?? index.get(undefined) ?? []) {
      if (!rule.test(request)) continue;
      rule.requests++;
      const number = rule.rule.match?.request;
      if (number !== undefined && number !== rule.requests) continue;
      candidates.push({ stage: rule.stage, effect: rule.rule.effect, rule, events: 0 });
    }
    return candidates;
  }

  /** Lets a candidate take place. Shape: undefined when it does not: spent, removed, by chance, or too early. */
  fire(candidate: Candidate, event?: EventView): Firing | undefined {
    const { rule } = candidate;
    if (event !== undefined) {
      if (!rule.eventTest(event)) return undefined;
      candidate.events++;
      const number = rule.rule.match?.event?.number;
      if (number !== undefined && number !== candidate.events) return undefined;
    }
    const { times, probability, after } = rule.rule;
    rule.matched++;
    if (!this.#rules.includes(rule)) return undefined;
    if (times !== undefined && rule.fired >= times) return undefined;
    if (after !== undefined && !this.#rules.some(({ name, fired }) => name === after && fired > 0))
      return undefined;
    if (probability !== undefined && rule.random.next() >= probability) return undefined;
    rule.fired++;
    return {
      id: `fault-${++this.#firings}`,
      rule: rule.name,
      effect: candidate.effect,
      at: this.#clock.now(),
    };
  }

  /** A number in [0, 1) from the sequence of the candidate's rule. */
  chance({ rule }: Candidate): number {
    return rule.random.next();
  }
}

/** Rules about everything are in every list, so that one look-up finds all in order. */
function indexed(rules: readonly PlannedRule[]): Map<string | undefined, PlannedRule[]> {
  const index = new Map<string | undefined, PlannedRule[]>([[undefined, []]]);
  for (const rule of rules) for (const resource of plainResources(rule) ?? []) index.set(resource, []);
  for (const rule of rules) {
    const resources = plainResources(rule);
    if (resources === undefined) for (const list of index.values()) list.push(rule);
    else for (const resource of new Set(resources)) index.get(resource)?.push(rule);
  }
  return index;
}

/** Shape: undefined when the resource is not named, or by a pattern. */
function plainResources({ rule: { match } }: PlannedRule): readonly string[] | undefined {
  const { resource } = match ?? {};
  if (resource === undefined) return undefined;
  const all = typeof resource === 'string' ? [resource] : resource;
  return all.some((one) => /[*?]/.test(one)) ? undefined : all;
}
