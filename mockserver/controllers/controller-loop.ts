/** One controller at work: changes are taken in and keys worked on, one step at a time. */
import { type GroupResource } from '../ground/kind.js';
import { StatusError } from '../ground/status.js';
import { scopeRange } from '../store/key.js';
import { type Cluster } from '../registry/cluster.js';
import { type ClientIdentity, ControllerClient } from './client.js';
import {
  type ChangeListener,
  type Controller,
  type ControllerFrame,
  type Pieces,
  type Sync,
} from './controller.js';
import { EventRecorder } from './event-recorder.js';
import { LocalView } from './local-view.js';
import { WorkQueue } from './work-queue.js';

/** The one that managedFields show. */
const IDENTITY: ClientIdentity = { userAgent: 'kube-controller-manager/v1.36.3' };

/** Changes that are taken in, and pieces of work that are done, before others get a turn. */
const MOST_CHANGES = 500;
const MOST_PIECES = 25;

interface Work {
  /** Works on one key. Shape: false when none waits; what goes on where the work is not done. */
  step(): boolean | Promise<void> | Pieces;
  stop(): void;
}

export interface LoopParts {
  readonly cluster: Cluster;
  readonly controller: Controller;
  /** Asks for a turn. */
  readonly wake: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * A controller sees the cluster as a client does: late. Changes wait in its inbox and are taken in one by one until one
 * of them gives it something to do; while it works all others arrive, its own among them. So it meets, in the same
 * order, what a real one meets: objects that are terminating but not gone, copies that are older than its own writes.
 */
export class ControllerLoop implements ControllerFrame {
  readonly cluster: Cluster;
  readonly client: ControllerClient;
  readonly #parts: LoopParts;
  readonly #inbox: (() => void)[] = [];
  #taken = 0;
  /** So many of them arrived before the work that was done last had ended. */
  #due = 0;
  readonly #works: Work[] = [];
  readonly #ends = new Set<() => void>();
  #pieces: Pieces | undefined;
  #busy = false;
  #stopped = false;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.cluster = parts.cluster;
    this.client = this.clientAs(IDENTITY);
    parts.controller.start(this);
  }

  get clock(): Cluster['clock'] {
    return this.cluster.clock;
  }

  get random(): Cluster['random'] {
    return this.cluster.random;
  }

  clientAs(identity: ClientIdentity): ControllerClient {
    return new ControllerClient(this.cluster, identity, () => this.#stopped);
  }

  events(component: string): EventRecorder {
    return new EventRecorder({ client: this.client, clock: this.clock, component });
  }

  view(of: GroupResource, listener?: ChangeListener): LocalView {
    const view = new LocalView();
    this.follow(of, (next, previous) => {
      if (next !== undefined) view.put(next);
      else if (previous !== undefined) view.remove(previous);
      listener?.(next, previous);
    });
    return view;
  }

  follow(of: GroupResource, listener: ChangeListener): () => void {
    const { store, resources } = this.cluster;
    const prefix = resources.findStored(of.group, of.resource)?.store.prefix;
    if (prefix === undefined) throw new Error(`nobody serves ${of.resource}.${of.group}`);
    for (const { object } of store.range(scopeRange(prefix, undefined)).items)
      this.#arrive(() => listener(object, undefined));
    const end = store.subscribe(prefix, ({ current, previous }) =>
      this.#arrive(() => listener(current?.object, previous?.object)),
    );
    this.#ends.add(end);
    return () => {
      this.#ends.delete(end);
      end();
    };
  }

  queue<Key>(sync: Sync<Key>): WorkQueue<Key> {
    const queue = new WorkQueue<Key>(this.clock, this.#parts.wake);
    const failed = (key: Key, error: unknown): void => {
      if (this.#stopped) return;
      // A refusal is an answer like any other; what else is thrown is a mistake of the controller's own.
      if (!(error instanceof StatusError)) this.#parts.onError(error);
      queue.retry(key);
    };
    this.#works.push({
      step: () => {
        const key = queue.take();
        if (key === undefined) return false;
        try {
          const going = sync(key);
          if (going === undefined) return true;
          return going instanceof Promise
            ? going.catch((error: unknown) => failed(key, error))
            : guarded(going, (error) => failed(key, error));
        } catch (error) {
          failed(key, error);
          return true;
        }
      },
      stop: () => queue.stop(),
    });
    return queue;
  }

  onStop(end: () => void): void {
    this.#ends.add(end);
  }

  /** Whether work goes on that takes more than one turn. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Shape: false when there is nothing to do. */
  step(): boolean {
    if (this.#stopped || this.#busy) return false;
    if (this.#pieces !== undefined) {
      this.#goOn(this.#pieces);
      return true;
    }
    if (this.#taken < this.#due) return this.#takeIn(this.#due - this.#taken);
    for (const work of this.#works) {
      const done = work.step();
      if (done === false) continue;
      if (done === true) this.#takeInAll();
      else if (done instanceof Promise) this.#await(done);
      else this.#goOn(done);
      return true;
    }
    return this.#takeIn(1);
  }

  /** Idempotent. */
  stop(): void {
    this.#stopped = true;
    for (const end of this.#ends) end();
    this.#ends.clear();
    this.#pieces = undefined;
    for (const work of this.#works.splice(0)) work.stop();
    this.#clear();
  }

  /** Does the next pieces of work that goes on. */
  #goOn(pieces: Pieces): void {
    this.#pieces = pieces;
    for (let i = 0; i < MOST_PIECES; i++) {
      if (pieces.next().done !== true) continue;
      this.#pieces = undefined;
      this.#takeInAll();
      return;
    }
  }

  #await(going: Promise<void>): void {
    this.#busy = true;
    void going.then(() => {
      this.#busy = false;
      if (this.#stopped) return;
      this.#takeInAll();
      this.#parts.wake();
    });
  }

  #arrive(change: () => void): void {
    this.#inbox.push(change);
    this.#parts.wake();
  }

  /** Takes in all that is there, as far as there is time; the rest before anything else is done. */
  #takeInAll(): void {
    this.#due = this.#inbox.length;
    this.#takeIn(MOST_CHANGES);
  }

  /** Takes in so many changes at the most. Shape: whether there was one. */
  #takeIn(most: number): boolean {
    const inbox = this.#inbox;
    const end = Math.min(inbox.length, this.#taken + Math.min(most, MOST_CHANGES));
    if (this.#taken === end) return false;
    while (this.#taken < end) {
      try {
        inbox[this.#taken++]?.();
      } catch (error) {
        this.#parts.onError(error);
      }
    }
    // Shortened when it is empty: to shift it each time would cost its whole length.
    if (this.#taken === inbox.length) this.#clear();
    return true;
  }

  #clear(): void {
    this.#inbox.length = 0;
    this.#taken = 0;
    this.#due = 0;
  }
}

/** The same pieces; what one of them throws ends them and is told. */
function* guarded(pieces: Pieces, failed: (error: unknown) => void): Pieces {
  try {
    while (pieces.next().done !== true) yield;
  } catch (error) {
    failed(error);
  }
}
