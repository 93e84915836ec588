/** The objects of a simulation and those who write them. */
import { type VirtualClock } from '../ground/clock.js';
import { type ApiObject } from '../ground/object.js';
import { type Random } from '../ground/random.js';
import { type Revision, toResourceVersion } from '../ground/revision.js';
import { addressOf } from '../store/key.js';
import { MemoryStore } from '../store/memory-store.js';
import { type ObjectsSpec, type WriteSpec } from './scenario.js';
import { type ServerLoop } from './server-loop.js';

export const PREFIX = '/registry/simulated/objects/';

/** The store keeps no more commits than this beside the newest. */
const COMPACTION_DISTANCE = 20_000;

/** When an event was committed, and its size. */
export interface Commits {
  /** Milliseconds. */
  atOf(revision: Revision): number;
  bytesOf(revision: Revision): number;
}

export class ObjectLoad implements Commits {
  readonly store = new MemoryStore();
  readonly #spec: Required<ObjectsSpec>;
  readonly #random: Random;
  readonly #at: number[] = [];
  readonly #bytes: number[] = [];
  readonly #shares: Float64Array;
  /** Objects that there are; numbers below are in use. */
  #count = 0;
  #now: () => number = () => 0;

  constructor(spec: ObjectsSpec, random: Random) {
    this.#spec = { count: 1000, namespaces: 1, fieldValues: 1, bytes: 1000, zipf: 0, ...spec };
    this.#random = random;
    this.#shares = cumulativeShares(this.#spec.count, this.#spec.zipf);
    for (let i = 0; i < this.#spec.count; i++) this.create();
  }

  atOf(revision: Revision): number {
    return this.#at[revision] ?? 0;
  }

  bytesOf(revision: Revision): number {
    return this.#bytes[revision] ?? 0;
  }

  /** Commits are timed by this clock from here on. */
  timeBy(now: () => number): void {
    this.#now = now;
  }

  namespaceOf(number: number): string {
    return `ns${number % this.#spec.namespaces}`;
  }

  nameOf(number: number): string {
    return `o${number}`;
  }

  /** The value of the field that watchers may select by. */
  fieldOf(number: number): string {
    return `f${number % this.#spec.fieldValues}`;
  }

  create(): void {
    const number = this.#count++;
    this.store.create(this.#address(number), (revision) => this.#draft(number, revision));
    this.#compactNowAndThen();
  }

  /** Writes one of the first objects; a new one where there are none. */
  update(): void {
    if (this.#shares.length === 0) {
      this.create();
      return;
    }
    const number = this.#chosen();
    const address = this.#address(number);
    const before = this.store.get(address.key);
    if (before === undefined) throw new Error(`object ${number} of ${this.#count} is not there`);
    this.store.update(address, before.revision, (revision) => this.#draft(number, revision));
    this.#compactNowAndThen();
  }

  #compactNowAndThen(): void {
    const { store } = this;
    if (store.revision - store.compactedRevision > COMPACTION_DISTANCE) store.compact(store.revision);
  }

  #address(number: number): ReturnType<typeof addressOf> {
    return addressOf(PREFIX, this.namespaceOf(number), this.nameOf(number));
  }

  #draft(number: number, revision: Revision): ApiObject {
    this.#at[revision] = this.#now();
    this.#bytes[revision] = this.#size();
    return {
      apiVersion: 'simulated/v1',
      kind: 'Simulated',
      metadata: {
        name: this.nameOf(number),
        namespace: this.namespaceOf(number),
        resourceVersion: toResourceVersion(revision),
      },
      field: this.fieldOf(number),
    };
  }

  #size(): number {
    const { bytes } = this.#spec;
    if (typeof bytes === 'number') return bytes;
    return bytes.least + (bytes.most - bytes.least) * this.#random.next();
  }

  /** The object whose share of the writes a throw of chance falls into. */
  #chosen(): number {
    const shares = this.#shares;
    const thrown = this.#random.next();
    let low = 0;
    let high = shares.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((shares[middle] ?? 1) <= thrown) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The shares of 1 to `count` under Zipf's law, each with those before it. */
function cumulativeShares(count: number, exponent: number): Float64Array {
  const shares = new Float64Array(count);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    sum += (i + 1) ** -exponent;
    shares[i] = sum;
  }
  return shares.map((share) => share / sum);
}

/** Writes as a scenario says, from now to `endMs`, each in a turn of its own. */
export function startWrites(
  { perSecond = 0, arrivals = 'even', burst, what = 'update', fromMs = 0, untilMs }: WriteSpec,
  {
    endMs,
    clock,
    loop,
    random,
    objects,
    commitUs,
  }: {
    readonly endMs: number;
    readonly clock: VirtualClock;
    readonly loop: ServerLoop;
    readonly random: Random;
    readonly objects: ObjectLoad;
    readonly commitUs: number;
  },
): void {
  const end = Math.min(endMs, untilMs ?? endMs);
  const write = (): void => {
    loop.arrive(() => {
      loop.work(commitUs);
      if (what === 'create') objects.create();
      else objects.update();
    });
  };
  const again = (at: number, pause: () => number, due: () => void): void => {
    if (at >= end) return;
    clock.after(at - clock.now(), () => {
      due();
      again(at + pause(), pause, due);
    });
  };
  if (perSecond > 0) {
    const mean = 1000 / perSecond;
    const pause = arrivals === 'even' ? () => mean : () => -Math.log(1 - random.next()) * mean;
    again(fromMs + pause(), pause, write);
  }
  if (burst !== undefined) {
    again(
      fromMs,
      () => burst.everyMs,
      () => {
        for (let i = 0; i < burst.writes; i++) write();
      },
    );
  }
}
