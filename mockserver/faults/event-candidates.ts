/** The rules at the events of one watch: few of a long plan are about one event. */
import { type Candidate } from './fault-plan.js';
import { plainTexts } from './pattern.js';

export class EventCandidates {
  readonly #all: readonly Candidate[];
  /** Those whose events are named by plain texts, with those of any name, under each; undefined until there is a need. */
  #byName: ReadonlyMap<string, readonly Candidate[]> | undefined;
  #ofAnyName: readonly Candidate[] = [];

  /** @param all in the order of the plan */
  constructor(all: readonly Candidate[]) {
    this.#all = all;
  }

  get empty(): boolean {
    return this.#all.length === 0;
  }

  /** Those that may be about an event of an object of that name, in the order of the plan. */
  about(name: string): readonly Candidate[] {
    if (this.#all.length < WORTH_AN_INDEX) return this.#all;
    return (this.#byName ??= this.#index()).get(name) ?? this.#ofAnyName;
  }

  #index(): ReadonlyMap<string, readonly Candidate[]> {
    const named = this.#all.map((one) => plainTexts(one.rule.rule.match?.event?.name));
    this.#ofAnyName = this.#all.filter((_, i) => named[i] === undefined);
    const texts = new Set(named.flatMap((names) => names ?? []));
    const places = new Map<string, number[]>([...texts].map((name) => [name, []]));
    named.forEach((names, i) => new Set(names).forEach((name) => places.get(name)?.push(i)));
    const others = named.flatMap((names, i) => (names === undefined ? [i] : []));
    return new Map(
      [...places].map(([name, own]) => [
        name,
        [...own, ...others].sort((a, b) => a - b).flatMap((i) => this.#all[i] ?? []),
      ]),
    );
  }
}

/** Fewer are asked one by one. */
const WORTH_AN_INDEX = 8;
