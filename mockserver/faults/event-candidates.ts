/** The rules at the events of one watch: few of a long plan are about one event. */
import { type Candidate } from './fault-plan.js';
import { beginnings } from './pattern.js';
import { remembered } from './remembered.js';

/** Places of rules, by what the names of their events begin with. */
interface ByBeginning {
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** Lengths of the beginnings, each once. */
  readonly lengths: readonly number[];
}

export class EventCandidates {
  /** In the order of the plan. */
  readonly all: readonly Candidate[];
  /** Undefined until there is a need. */
  #index: ByBeginning | undefined;
  readonly #found = new Map<string, readonly Candidate[]>();

  /** @param all in the order of the plan */
  constructor(all: readonly Candidate[]) {
    this.all = all;
  }

  get empty(): boolean {
    return this.all.length === 0;
  }

  /** Those that may be about an event of an object of that name, in the order of the plan. */
  about(name: string): readonly Candidate[] {
    if (this.all.length < WORTH_AN_INDEX) return this.all;
    return remembered(this.#found, name, () => this.#find(name));
  }

  #find(name: string): readonly Candidate[] {
    const { places, lengths } = (this.#index ??= byBeginning(this.all));
    const near = lengths.flatMap((length) =>
      length > name.length ? [] : (places.get(name.slice(0, length)) ?? []),
    );
    // Several beginnings of one rule may be the name's.
    const found = [...new Set(near)].sort((a, b) => a - b).flatMap((place) => this.all[place] ?? []);
    return found.filter(({ rule }) => rule.eventName?.(name) ?? true);
  }
}

function byBeginning(candidates: readonly Candidate[]): ByBeginning {
  const places = new Map<string, number[]>();
  candidates.forEach(({ rule }, place) => {
    for (const beginning of new Set(beginnings(rule.rule.match?.event?.name))) {
      const known = places.get(beginning);
      if (known === undefined) places.set(beginning, [place]);
      else known.push(place);
    }
  });
  return { places, lengths: [...new Set([...places.keys()].map(({ length }) => length))] };
}

/** Fewer are asked one by one. */
const WORTH_AN_INDEX = 8;
