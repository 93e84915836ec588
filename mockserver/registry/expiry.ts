/** Objects that go by themselves some time after they were last written. */
import { type Clock, type Timer } from '../ground/clock.js';
import { type Revision } from '../ground/revision.js';
import { type Change } from '../store/change.js';
import { scopeRange } from '../store/key.js';
import { type Store } from '../store/store.js';

/** Objects that go in one turn of the event loop. */
const BATCH = 100;

export interface ExpiryParts {
  readonly store: Store;
  readonly prefix: string;
  readonly clock: Clock;
  /** How long an object stays after its last write. */
  readonly ttlMs: number;
  readonly commit: (work: () => void) => void;
}

interface Due {
  readonly key: string;
  /** That of the write: an object that has been written since has a later entry. */
  readonly revision: Revision;
  readonly at: number;
}

/**
 * The role of etcd's leases. All objects of a prefix stay equally long, so they go in the order of their writes.
 *
 * Source: kubernetes registry/core/event/storage (TTLFunc). Deviation: an object goes after its time exactly, where a real
 * server lets those of a minute go together, up to a minute later.
 */
export class Expiry {
  readonly #parts: ExpiryParts;
  #due: Due[] = [];
  /** How many of them are done with. */
  #done = 0;
  #timer: Timer | undefined;
  readonly #unsubscribe: () => void;

  constructor(parts: ExpiryParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.store.subscribe(parts.prefix, (change) => this.#written(change));
    this.beginAnew();
  }

  /** Every object that is there stays for a whole time from now on: as in etcd, which renews leases when it starts. */
  beginAnew(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const { store, prefix } = this.#parts;
    const at = this.#nextDue;
    this.#due = store
      .range(scopeRange(prefix, undefined))
      .items.map(({ key, revision }) => ({ key, revision, at }));
    this.#done = 0;
    this.#arm();
  }

  /** Idempotent. */
  close(): void {
    this.#unsubscribe();
    this.#timer?.cancel();
    this.#due = [];
  }

  get #nextDue(): number {
    return this.#parts.clock.now() + this.#parts.ttlMs;
  }

  #written({ key, current }: Change): void {
    if (current === undefined) return;
    this.#due.push({ key, revision: current.revision, at: this.#nextDue });
    if (this.#timer === undefined) this.#arm();
  }

  /** Upkeep: a clock that runs until nothing is left to do does not wait an hour for it. */
  #arm(): void {
    const first = this.#due[this.#done];
    if (first === undefined) {
      this.#due = [];
      this.#done = 0;
      return;
    }
    const { clock } = this.#parts;
    this.#timer = clock.after(first.at - clock.now(), () => this.#expire(), 'upkeep');
  }

  #expire(): void {
    this.#timer = undefined;
    const { store, clock, prefix, commit } = this.#parts;
    const now = clock.now();
    const end = this.#done + BATCH;
    for (; this.#done < end; this.#done++) {
      const next = this.#due[this.#done];
      if (next === undefined || next.at > now) break;
      const { key, revision } = next;
      if (store.get(key)?.revision === revision) commit(() => void store.delete({ prefix, key }, revision));
    }
    if (this.#done > this.#due.length / 2) {
      this.#due = this.#due.slice(this.#done);
      this.#done = 0;
    }
    this.#arm();
  }
}
