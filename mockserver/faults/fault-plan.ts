/** The rules of a cluster: which of them fire, when, and which never did. Pure but for its counts; time and chance are handed in. */
import { type Clock } from '../ground/clock.js';
import { type Random, seededRandom } from '../ground/random.js';
import { type RequestView } from '../http/exchange-hooks.js';
import { type Effect, EFFECTS } from './effects.js';
import { type Stage } from './effects/declaration.js';
import {
  bothTests,
  type EventTest,
  type EventView,
  eventTest,
  type RequestFacts,
  requestTests,
  type RequestTests,
} from './matcher.js';
import { isWithin, textTest, type TextTest } from './pattern.js';
import { type FaultRule, stageOf } from './rule.js';
import { RuleIndex } from './rule-index.js';

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
  readonly tests: RequestTests;
  readonly eventTest: EventTest;
  /** Of the object of an event. Undefined: any name. */
  readonly eventName: TextTest | undefined;
  readonly random: Random;
  /** Its place in the plan. */
  readonly order: number;
  /** How many rules were ever added when it was. */
  readonly edition: number;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  removed: boolean;
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

/** The same for every request that no rule is about. */
const NO_CANDIDATES: readonly Candidate[] = Object.freeze([]);

export interface FaultPlanParts {
  readonly clock: Clock;
  /** Rules with a probability draw from it, each from a sequence of its own. @default 0 */
  readonly seed?: number;
  /** What rules may ask of requests beside what these say. */
  readonly facts: RequestFacts;
}

export class FaultPlan {
  readonly #clock: Clock;
  readonly #seed: number;
  readonly #facts: RequestFacts;
  #rules: PlannedRule[] = [];
  readonly #byName = new Map<string, PlannedRule>();
  readonly #signals = new Set<string>();
  /** What is worked out of the rules; undefined since they changed. */
  #index: RuleIndex<PlannedRule> | undefined;
  #asksForPages: boolean | undefined;
  #added = 0;
  #edition = 0;
  #firings = 0;

  constructor({ clock, facts, seed = 0 }: FaultPlanParts) {
    this.#clock = clock;
    this.#facts = facts;
    this.#seed = seed;
  }

  /** Whether there is no rule, so that nothing needs to be looked at. */
  get empty(): boolean {
    return this.#rules.length === 0;
  }

  /** How many rules were ever added, those that are gone too: tells whether there are new ones. */
  get edition(): number {
    return this.#edition;
  }

  /** The rules in the order of the plan. Shape: fresh. */
  get rules(): RuleState[] {
    return this.#rules.map(({ name, rule, matched, fired }) => ({ name, rule, matched, fired }));
  }

  /** Names of the rules that never fired. */
  get unfired(): string[] {
    return this.#rules.filter(({ fired }) => fired === 0).map(({ name }) => name);
  }

  /** Whether a rule asks which page of a list a request is about. */
  get asksForPages(): boolean {
    return (this.#asksForPages ??= this.#rules.some(({ rule }) => rule.match?.page !== undefined));
  }

  /** Adds a rule behind the others. Shape: its name. Errors: RangeError for a name that is taken. */
  add(rule: FaultRule): string {
    const number = ++this.#added;
    const name = rule.name ?? `rule-${number}`;
    if (this.#byName.has(name)) throw new RangeError(`a rule named ${name} is in the plan already`);
    const planned: PlannedRule = {
      name,
      rule,
      stage: stageOf(rule),
      tests: bothTests(requestTests(rule.match), requestTests(EFFECTS[rule.effect.kind].needs)),
      eventTest: eventTest(rule.match?.event),
      eventName: textTest(rule.match?.event?.name),
      random: seededRandom(this.#seed + number),
      order: number,
      edition: ++this.#edition,
      addedAt: this.#clock.now(),
      removed: false,
      requests: 0,
      matched: 0,
      fired: 0,
    };
    this.#rules.push(planned);
    this.#byName.set(name, planned);
    this.#forgetIndex();
    return name;
  }

  /** Shape: whether there was one of that name. */
  remove(name: string): boolean {
    const planned = this.#byName.get(name);
    if (planned === undefined) return false;
    planned.removed = true;
    this.#byName.delete(name);
    this.#rules = this.#rules.filter((rule) => rule !== planned);
    this.#forgetIndex();
    return true;
  }

  /** Removes every rule and signal; names and chance begin again. */
  clear(): void {
    for (const rule of this.#rules) rule.removed = true;
    this.#rules = [];
    this.#byName.clear();
    this.#signals.clear();
    this.#forgetIndex();
    this.#added = 0;
  }

  /** Whether a rule is still in the plan. */
  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** How often a rule has fired. Shape: undefined when it is not in the plan. */
  firedOf(name: string): number | undefined {
    return this.#byName.get(name)?.fired;
  }

  /** Lets rules begin, or end, that wait for it. Idempotent. */
  signal(name: string): void {
    this.#signals.add(name);
  }

  /** The rules that are about a request, in the order of the plan. Counts the request for those that count requests. */
  candidates(request: RequestView): readonly Candidate[] {
    if (this.empty) return NO_CANDIDATES;
    const about = this.#about(request);
    if (about.length === 0) return NO_CANDIDATES;
    const candidates: Candidate[] = [];
    for (const rule of about) {
      if (rule.tests.rest?.(request, this.#facts) === false) continue;
      rule.requests++;
      const number = rule.rule.match?.request;
      if (number !== undefined && !isWithin(number, rule.requests)) continue;
      candidates.push({ stage: rule.stage, effect: rule.rule.effect, rule, events: 0 });
    }
    return candidates;
  }

  /**
   * The rules at events that are about a watch which was open before they were added.
   *
   * A rule that counts requests has not counted this one, and is not about it.
   *
   * @param edition of the plan when it was last asked
   */
  candidatesSince(edition: number, watch: RequestView): readonly Candidate[] {
    return this.#about(watch)
      .filter(
        (rule) =>
          rule.edition > edition &&
          rule.stage === 'event' &&
          rule.rule.match?.request === undefined &&
          rule.tests.rest?.(watch, this.#facts) !== false,
      )
      .map((rule) => ({ stage: rule.stage, effect: rule.rule.effect, rule, events: 0 }));
  }

  /** Lets a candidate take place. Shape: undefined when it does not: spent, removed, by chance, too early or too late. */
  fire(candidate: Candidate, event?: EventView): Firing | undefined {
    const { rule } = candidate;
    if (event !== undefined) {
      if (!rule.eventTest(event)) return undefined;
      candidate.events++;
      const number = rule.rule.match?.event?.number;
      if (number !== undefined && !isWithin(number, candidate.events)) return undefined;
    }
    const { times, probability } = rule.rule;
    rule.matched++;
    if (rule.removed || !this.#inForce(rule)) return undefined;
    if (times !== undefined && rule.fired >= times) return undefined;
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

  #about(request: RequestView): readonly PlannedRule[] {
    return (this.#index ??= new RuleIndex(this.#rules)).about(request);
  }

  #forgetIndex(): void {
    this.#index = undefined;
    this.#asksForPages = undefined;
  }

  #inForce({ rule, addedAt }: PlannedRule): boolean {
    const { after, until, signal, untilSignal, fromMs = 0, toMs } = rule;
    if (after !== undefined && !this.#hasFired(after)) return false;
    if (until !== undefined && this.#hasFired(until)) return false;
    if (signal !== undefined && !this.#signals.has(signal)) return false;
    if (untilSignal !== undefined && this.#signals.has(untilSignal)) return false;
    if (fromMs === 0 && toMs === undefined) return true;
    const age = this.#clock.now() - addedAt;
    return age >= fromMs && (toMs === undefined || age < toMs);
  }

  #hasFired(name: string): boolean {
    return (this.#byName.get(name)?.fired ?? 0) > 0;
  }
}
