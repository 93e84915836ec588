/** One watch: initial events, then a bounded channel of live ones, read by one consumer. */
import { type ApiObject } from '../ground/object.js';
import { type Revision } from '../ground/revision.js';
import { type Status } from '../ground/status.js';
import { Channel } from './channel.js';
import { type Entry } from './entry.js';
import { type Scope } from './scope.js';
import { type WatchEvent } from './watch-event.js';

/** Why a watch came to its end. */
export type CloseReason =
  | 'client'
  | 'timeout'
  | 'shutdown'
  /** Its channel was full: today's kube-apiserver closes such a watch without a word. */
  | 'unresponsive'
  /** The resource is no longer served in this form: its definition changed or went. */
  | 'terminated'
  /** After an ERROR event. */
  | 'error';

export type WatcherState =
  /** Live dispatch offers it the next change. */
  | { readonly kind: 'synced' }
  /** What is queued is still delivered, then `last` when there is one, then the end. */
  | { readonly kind: 'ending'; readonly reason: CloseReason; readonly last: WatchEvent | undefined }
  | { readonly kind: 'closed'; readonly reason: CloseReason };

export interface WatcherOptions {
  readonly scope: Scope;
  /** Label and field selector; undefined: every object of the scope. */
  readonly matches?: ((object: ApiObject) => boolean) | undefined;
  /** Events that may wait in the channel. */
  readonly capacity: number;
  /** What is delivered before any live event. It covers the history up to `position`. */
  readonly initial: Iterator<WatchEvent>;
  /**
   * Everything relevant at or below it is in `initial` (invariant 4); for a version of the future, that version:
   * changes up to it are not this watcher's.
   */
  readonly position: Revision;
  /** The version asked for or the last one in `initial`, if that is later: a bookmark must name one above it. */
  readonly startedAt: Revision;
  readonly bookmarks: boolean;
  /** Milliseconds since 1970 at which the server will end it. */
  readonly deadline: number;
}

/**
 * When its consumer should take: `soon` = later in this turn will do, so that a burst is written at once;
 * `now` = the channel is full, take before returning or the watcher counts as stuck.
 */
export type Readiness = 'soon' | 'now';

export class Watcher {
  readonly scope: Scope;
  readonly bookmarks: boolean;
  readonly deadline: number;
  readonly #matches: ((object: ApiObject) => boolean) | undefined;
  readonly #channel: Channel<WatchEvent>;
  #initial: Iterator<WatchEvent> | undefined;
  #state: WatcherState = { kind: 'synced' };
  #position: Revision;
  readonly #startedAt: Revision;
  #consumer: ((readiness: Readiness) => void) | undefined;
  /** Set by the cache that registers it: called once, when it no longer takes part in dispatch. */
  #onLeave: (() => void) | undefined;

  constructor(options: WatcherOptions) {
    this.scope = options.scope;
    this.bookmarks = options.bookmarks;
    this.deadline = options.deadline;
    this.#matches = options.matches;
    this.#channel = new Channel(options.capacity);
    this.#initial = options.initial;
    this.#position = options.position;
    this.#startedAt = options.startedAt;
  }

  get state(): WatcherState {
    return this.#state;
  }

  /** Everything relevant at or below it has been put in the channel; everything above is still to be offered. */
  get position(): Revision {
    return this.#position;
  }

  /** Where it began; a bookmark must name a later revision. */
  get startedAt(): Revision {
    return this.#startedAt;
  }

  get queued(): number {
    return this.#channel.length;
  }

  /** The consumer; it is told at once when something waits already. */
  onReady(consumer: (readiness: Readiness) => void): void {
    this.#consumer = consumer;
    consumer('soon');
  }

  onLeave(callback: () => void): void {
    this.#onLeave = callback;
  }

  /**
   * Live dispatch: never waits. A watcher whose consumer cannot make room is ended.
   * On entry: entries come in revision order, each once (invariant 2).
   */
  offer(entry: Entry): void {
    if (this.#state.kind !== 'synced' || entry.revision <= this.#position) return;
    const event = entry.eventFor(this.#matches);
    if (event !== undefined && !this.#push(event)) {
      this.close('unresponsive');
      return;
    }
    this.#position = entry.revision;
  }

  /**
   * Shape: whether it was taken. A bookmark is dropped rather than waited for, and refused at or below where the
   * watch began or below its position (invariant 3).
   */
  offerBookmark(revision: Revision): boolean {
    if (this.#state.kind !== 'synced' || revision <= this.#startedAt || revision < this.#position)
      return false;
    if (this.#channel.full) return false;
    this.#push({ kind: 'bookmark', revision, initialEventsEnd: false });
    this.#position = revision;
    return true;
  }

  /** The next event. Shape: undefined when nothing waits. */
  take(): WatchEvent | undefined {
    if (this.#initial !== undefined && this.#state.kind !== 'closed') {
      const next = this.#initial.next();
      if (next.done !== true) return next.value;
      this.#initial = undefined;
    }
    const event = this.#channel.take();
    if (event !== undefined) return event;
    const state = this.#state;
    if (state.kind !== 'ending') return undefined;
    this.#state = { kind: 'closed', reason: state.reason };
    return state.last;
  }

  /** Whether nothing will come any more. */
  get ended(): boolean {
    if (this.#state.kind === 'closed') return true;
    return (
      this.#state.kind === 'ending' &&
      this.#initial === undefined &&
      this.#channel.length === 0 &&
      this.#state.last === undefined
    );
  }

  /** Ends it at once: what is queued is dropped, except on a timeout, where it is still delivered. Idempotent. */
  close(reason: CloseReason): void {
    if (this.#state.kind === 'closed') return;
    if (reason === 'timeout') {
      this.#end({ kind: 'ending', reason, last: undefined });
      return;
    }
    this.#channel.clear();
    this.#initial = undefined;
    this.#end({ kind: 'closed', reason });
  }

  /** Delivers what is queued, then an ERROR event, then ends. */
  fail(status: Status): void {
    if (this.#state.kind !== 'synced') return;
    this.#end({ kind: 'ending', reason: 'error', last: { kind: 'error', status } });
  }

  #end(state: WatcherState): void {
    this.#state = state;
    const leave = this.#onLeave;
    this.#onLeave = undefined;
    leave?.();
    this.#consumer?.('soon');
  }

  #push(event: WatchEvent): boolean {
    // A consumer that merely has not had its turn yet gets it here; only one whose socket takes no more is stuck.
    if (this.#channel.full) this.#consumer?.('now');
    if (!this.#channel.offer(event)) return false;
    this.#consumer?.('soon');
    return true;
  }
}
