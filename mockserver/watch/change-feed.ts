/** What a watch cache hears of its store: everything at once, or, when somebody holds it back, late. */
import { type Clock, type Timer } from '../ground/clock.js';
import { type Revision } from '../ground/revision.js';
import { type Change } from '../store/change.js';
import { type KeyRange } from '../store/key.js';
import { type RangeResult, type Store, type Subscriber } from '../store/store.js';

/** How a feed is held back. */
export type Lag =
  /** Nothing is heard. */
  | { readonly kind: 'frozen' }
  /** Each commit is heard so many milliseconds later. */
  | { readonly kind: 'time'; readonly ms: number }
  /** Each commit is heard when so many later ones have come. */
  | { readonly kind: 'revisions'; readonly by: number };

/** A commit that has not been heard of yet; one of another resource has no change. */
interface Pending {
  readonly revision: Revision;
  readonly at: number;
  readonly changes: readonly Change[];
}

export interface ChangeFeedParts {
  readonly store: Store;
  readonly prefix: string;
  readonly clock: Clock;
}

export class ChangeFeed {
  readonly #parts: ChangeFeedParts;
  readonly #listeners = new Set<() => void>();
  #subscriber: Subscriber | undefined;
  #lag: Lag | undefined;
  /** The revision that it shows; undefined: that of the store. */
  #shown: Revision | undefined;
  #pending: Pending[] = [];
  /** Changes of the commit that is going on. */
  #arrived: Change[] = [];
  #timer: Timer | undefined;
  #stopCommits: (() => void) | undefined;

  constructor(parts: ChangeFeedParts) {
    this.#parts = parts;
  }

  /** The last commit that it has told of. */
  get revision(): Revision {
    return this.#shown ?? this.#parts.store.revision;
  }

  get lag(): Lag | undefined {
    return this.#lag;
  }

  /** The objects of a range, as it shows them. Errors: StoreError when that state has been compacted. */
  range(range: KeyRange): RangeResult {
    return this.#parts.store.range(this.#shown === undefined ? range : { ...range, at: this.#shown });
  }

  /** One subscriber alone. Shape: what ends it. */
  subscribe(subscriber: Subscriber): () => void {
    this.#subscriber = subscriber;
    return this.#parts.store.subscribe(this.#parts.prefix, (change) => {
      if (this.#lag === undefined) subscriber(change);
      else this.#arrived.push(change);
    });
  }

  /** Told when its revision has moved. Shape: what stops telling. */
  onProgress(listener: () => void): () => void {
    const stop = this.#parts.store.onCommit(() => {
      if (this.#lag === undefined) listener();
    });
    this.#listeners.add(listener);
    return () => {
      stop();
      this.#listeners.delete(listener);
    };
  }

  /** Holds it back from now on; in another way when it is held back already. */
  holdBack(lag: Lag): void {
    this.#lag = lag;
    this.#shown ??= this.#parts.store.revision;
    this.#stopCommits ??= this.#parts.store.onCommit((revision) => this.#committed(revision));
    this.#deliver();
  }

  /** Holds it still at an older revision. To be called before anybody reads from it. */
  travelTo(revision: Revision): void {
    this.holdBack({ kind: 'frozen' });
    this.#shown = revision;
    this.#pending = [];
  }

  /**
   * Lets it hear of everything again. Shape: whether it has heard of every commit; false after a journey in time or a
   * restored store, whose later commits it cannot tell of.
   */
  release(): boolean {
    if (this.#lag === undefined) return true;
    this.#lag = undefined;
    this.#deliver();
    const { revision } = this.#parts.store;
    const complete = this.#shown === revision;
    this.#close();
    return complete;
  }

  close(): void {
    this.#close();
    this.#listeners.clear();
  }

  #close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#stopCommits?.();
    this.#stopCommits = undefined;
    this.#lag = undefined;
    this.#shown = undefined;
    this.#pending = [];
    this.#arrived = [];
  }

  #committed(revision: Revision): void {
    this.#pending.push({ revision, at: this.#parts.clock.now(), changes: this.#arrived });
    this.#arrived = [];
    this.#deliver();
  }

  /** Tells of what is due. */
  #deliver(): void {
    let told = false;
    for (let first = this.#pending[0]; first !== undefined && this.#isDue(first); first = this.#pending[0]) {
      this.#pending.shift();
      this.#shown = first.revision;
      for (const change of first.changes) this.#subscriber?.(change);
      told = true;
    }
    this.#arm();
    if (told) for (const listener of [...this.#listeners]) listener();
  }

  #isDue({ revision, at }: Pending): boolean {
    const lag = this.#lag;
    switch (lag?.kind) {
      case undefined:
        return true;
      case 'frozen':
        return false;
      case 'time':
        return this.#parts.clock.now() - at >= lag.ms;
      case 'revisions':
        return this.#parts.store.revision - revision >= lag.by;
    }
  }

  #arm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const [first] = this.#pending;
    const lag = this.#lag;
    if (first === undefined || lag?.kind !== 'time') return;
    const { clock } = this.#parts;
    this.#timer = clock.after(Math.max(0, first.at + lag.ms - clock.now()), () => this.#deliver());
  }
}
