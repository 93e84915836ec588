/** The linearised history: every successful write in the order of its revision, and what a watch must show of it. */

/** What a watch or a list is about. */
export interface Interest {
  readonly namespace?: string;
  readonly name?: string;
  /** Value of the label `color`; undefined: any, also none. */
  readonly color?: string;
}

export interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** One object at one revision. */
export interface Version extends Place {
  readonly color: string;
  readonly revision: number;
}

/** One write. `before` undefined: the object was not there; `after` undefined: it is gone. */
export interface Write {
  readonly revision: number;
  readonly before: Version | undefined;
  readonly after: Version | undefined;
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** An event as it must be seen: the version of its content, under the revision of the change. */
export interface Expected {
  readonly type: EventType;
  readonly revision: number;
  readonly place: string;
  readonly color: string;
}

export const placeText = ({ namespace, name }: Place): string => `${namespace}/${name}`;

export class History {
  readonly writes: Write[] = [];
  readonly #live = new Map<string, Version>();

  get revision(): number {
    return this.writes.at(-1)?.revision ?? 0;
  }

  /** The version of an object that is there now. */
  at(place: Place): Version | undefined {
    return this.#live.get(placeText(place));
  }

  put(version: Version): void {
    this.#add({ revision: version.revision, before: this.at(version), after: version });
  }

  delete(place: Place, revision: number): void {
    this.#add({ revision, before: this.at(place), after: undefined });
  }

  /** The objects that an interest covers at a revision, in key order. */
  stateAt(revision: number, interest: Interest): readonly Version[] {
    const state = new Map<string, Version>();
    for (const { revision: at, before, after } of this.writes) {
      if (at > revision) break;
      if (after !== undefined) state.set(placeText(after), after);
      else if (before !== undefined) state.delete(placeText(before));
    }
    return [...state.values()]
      .filter((version) => covers(interest, version))
      .sort((a, b) => (placeText(a) < placeText(b) ? -1 : 1));
  }

  /** The events of the changes in (above, upTo], to who has this interest. */
  events(interest: Interest, above: number, upTo: number): readonly Expected[] {
    return this.writes.flatMap((write) => {
      if (write.revision <= above || write.revision > upTo) return [];
      const expected = expectedOf(write, interest);
      return expected === undefined ? [] : [expected];
    });
  }

  #add(write: Write): void {
    if (write.revision <= this.revision) throw new Error(`revision ${write.revision} after ${this.revision}`);
    this.writes.push(write);
    const { before, after } = write;
    if (after !== undefined) this.#live.set(placeText(after), after);
    else if (before !== undefined) this.#live.delete(placeText(before));
  }
}

export const covers = (interest: Interest, version: Version): boolean =>
  (interest.namespace === undefined || interest.namespace === version.namespace) &&
  (interest.name === undefined || interest.name === version.name) &&
  (interest.color === undefined || interest.color === version.color);

/** The ADDED / MODIFIED / DELETED table of a watch with a selector. */
function expectedOf({ revision, before, after }: Write, interest: Interest): Expected | undefined {
  const was = before !== undefined && covers(interest, before);
  const is = after !== undefined && covers(interest, after);
  if (is) {
    return { type: was ? 'MODIFIED' : 'ADDED', revision, place: placeText(after), color: after.color };
  }
  // The last content, which still was of interest.
  return was ? { type: 'DELETED', revision, place: placeText(before), color: before.color } : undefined;
}
