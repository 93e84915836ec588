/** One watch: initial events, then a bounded channel, read by one consumer. */
import { type ApiObject } from '../ground/object.js';
import { type Revision } from '../ground/revision.js';
import { type Status } from '../ground/status.js';
import { Channel } from './channel.js';
import { type Entry } from './entry.js';
import { type Scope } from './scope.js';
import { type ObjectEvent, type WatchEvent } from './watch-event.js';

/** Why a watch came to its end. */
export type CloseReason =
  | 'client'
  | 'timeout'
  | 'shutdown'
  /** Today's kube-apiserver closes a watch whose channel stays full, without a word. */
  | 'unresponsive'
  /** The history that it was reading was dropped before it had read it (the engine of today, without a word). */
  | 'overtaken'
  /** The resource is no longer served in this form: its definition changed or went. */
  | 'terminated'
  /** After an ERROR event. */
  | 'error';

/** Why a watcher was ended for lag. */
export type TerminationReason =
  /** The window no longer held what it needed. */
  | 'resource_expired'
  /** The same, before it had read its initial events. */
  | 'resource_expired_initial'
  /** Its channel stayed full longer than the dispatcher may wait (the engine of today). */
  | 'unresponsive';

export type WatcherState =
  /** Live dispatch offers it the next change. */
  | { readonly kind: 'synced' }
  /** A pass offers it what lies above its position. */
  | {
      readonly kind: 'unsynced';
      /** No pass has served it since it fell behind. */
      readonly fresh: boolean;
      /** Its consumer has taken something since a pass served it. */
      readonly drained: boolean;
      /** The pass that served it last; 0 while it is fresh. */
      readonly turn: number;
      /** Events that passes have delivered since it fell behind. */
      readonly passPushes: number;
    }
  /** What is queued is still delivered, then `last` when there is one, then the end. */
  | { readonly kind: 'ending'; readonly reason: CloseReason; readonly last: WatchEvent | undefined }
  | { readonly kind: 'closed'; readonly reason: CloseReason };

export interface WatcherOptions {
  readonly scope: Scope;
  /** Label and field selector; undefined: every object of the scope. */
  readonly matches?: ((object: ApiObject) => boolean) | undefined;
  /** Events that may wait in the channel. */
  readonly capacity: number;
  /** What is delivered before anything else. It covers the history up to `position`. */
  readonly initial?: Iterator<WatchEvent> | undefined;
  /** Whether a bookmark ends `initial`. @default false */
  readonly endBookmark?: boolean | undefined;
  /**
   * Everything relevant at or below it is in `initial` (invariant 4); for a version of the future, that version:
   * changes up to it are not this watcher's.
   */
  readonly position: Revision;
  /** Where it began. A bookmark must name a later version. */
  readonly startedAt: Revision;
  readonly synced: boolean;
  /** Where live dispatch stood when it began: up to there is what it came for. @default position */
  readonly replayTo?: Revision | undefined;
  readonly bookmarks: boolean;
  /** Milliseconds since 1970 at which the server will end it. */
  readonly deadline: number;
}

/**
 * When its consumer should take: `soon` = later in this turn will do, so that a burst is written at once;
 * `now` = the channel is full, take before returning or the watcher counts as stuck.
 */
export type Readiness = 'soon' | 'now';

/** What the cache that a watcher is registered with wants to hear of it. */
export interface WatcherListener {
  /** It no longer takes part in anything; what is queued may still be read. Called once. */
  left(watcher: Watcher): void;
  /** Nothing of it will be read any more. Called once, after `left`. */
  ended(watcher: Watcher): void;
  /** Its consumer has read the last initial event. */
  initialDone(watcher: Watcher): void;
  /** Its consumer has taken something out of its channel. */
  roomMade(watcher: Watcher): void;
}

const FRESH: WatcherState = Object.freeze({
  kind: 'unsynced',
  fresh: true,
  drained: false,
  turn: 0,
  passPushes: 0,
});
const SYNCED: WatcherState = Object.freeze({ kind: 'synced' });

export class Watcher {
  readonly scope: Scope;
  readonly bookmarks: boolean;
  readonly deadline: number;
  readonly matches: ((object: ApiObject) => boolean) | undefined;
  readonly #channel: Channel<WatchEvent>;
  #initial: Iterator<WatchEvent> | undefined;
  #state: WatcherState;
  #position: Revision;
  readonly #startedAt: Revision;
  #consumer: ((readiness: Readiness) => void) | undefined;
  #listener: WatcherListener | undefined;
  #observer: ((state: 'synced' | 'unsynced') => void) | undefined;
  #held = false;
  /** It is within `take`, from which the engine may be called, which may offer it something. */
  #taking = false;
  /** Events that it lets out although it is held. */
  #allowance = 0;
  #initialCount = 0;
  readonly #replayTo: Revision;
  readonly #endBookmark: boolean;
  #endBookmarkQueued = false;

  constructor(options: WatcherOptions) {
    this.scope = options.scope;
    this.bookmarks = options.bookmarks;
    this.deadline = options.deadline;
    this.matches = options.matches;
    this.#channel = new Channel(options.capacity);
    this.#initial = options.initial;
    this.#state = options.synced ? SYNCED : FRESH;
    this.#position = options.position;
    this.#startedAt = options.startedAt;
    this.#endBookmark = options.endBookmark ?? false;
    this.#replayTo = options.replayTo ?? options.position;
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

  /** Events that may wait in the channel. */
  get capacity(): number {
    return this.#channel.capacity;
  }

  /** Free share of the channel, 0 to 1. */
  get room(): number {
    return (this.#channel.capacity - this.#channel.length) / this.#channel.capacity;
  }

  /** Whether its initial events have been read, so that it can be caught up. */
  get live(): boolean {
    return this.#initial === undefined;
  }

  /** Whether somebody holds it still on purpose: its consumer takes nothing meanwhile. */
  get held(): boolean {
    return this.#held;
  }

  /** The consumer; it is told at once when something waits already. */
  onReady(consumer: (readiness: Readiness) => void): void {
    this.#consumer = consumer;
    consumer('soon');
  }

  /** Tells somebody who does not take part of each time that it falls behind and catches up. */
  observe(observer: (state: 'synced' | 'unsynced') => void): void {
    this.#observer = observer;
  }

  /** To be called by the cache that registers it. */
  attach(listener: WatcherListener): void {
    this.#listener = listener;
  }

  /** Initial events that have been read, without the bookmark that ends them. */
  get initialCount(): number {
    return this.#initialCount;
  }

  /** Whether the bookmark that ends its initial events has not been read yet. */
  get owesEndBookmark(): boolean {
    return this.#endBookmark && this.#initial !== undefined;
  }

  /**
   * Whether it may read to the end of its initial events when it is closed for being stuck: only in this case does a
   * real server of today deliver what is queued, so that the client has a version to come back with.
   */
  get endBookmarkQueued(): boolean {
    return this.#endBookmarkQueued && this.owesEndBookmark;
  }

  /** Stalls the watch on purpose: nothing is taken out of its channel until it is released, or drips. */
  hold(): void {
    this.#held = true;
    this.#allowance = 0;
  }

  /** Lets so many events out of a watch that is held, and no more. */
  drip(events: number): void {
    this.#allowance += events;
    if (this.#held) this.#consumer?.('soon');
  }

  release(): void {
    this.#held = false;
    this.#consumer?.('soon');
  }

  /**
   * Offers a change, whoever offers it: never waits. Entries come in revision order, each once (invariant 2).
   *
   * Shape: false when it selects the change and its channel is full; the position stays below the change then.
   */
  offer(entry: Entry): boolean {
    const event = entry.eventFor(this.matches);
    if (event !== undefined) return this.place(event, entry.revision);
    this.#position = entry.revision;
    return true;
  }

  /** As offer, for an event that it is known to select. */
  place(event: ObjectEvent, revision: Revision): boolean {
    // A consumer that merely has not had its turn yet gets it here; only one whose socket takes no more is stuck.
    // Not while it is taking: what it took then would overtake what it is about to get.
    if (this.#channel.full && !this.#taking) this.#consumer?.('now');
    if (!this.#channel.offer(event)) return false;
    this.#consumer?.('soon');
    this.#position = revision;
    return true;
  }

  /** Live dispatch could not place the change at `revision`: passes take over from below it. */
  fallBehind(revision: Revision): void {
    const below = (revision - 1) as Revision; // a whole number below a revision
    if (below > this.#position) this.#position = below;
    this.#state = FRESH;
    this.#observer?.('unsynced');
  }

  /** A pass has offered it everything relevant up to `revision`. */
  advance(revision: Revision): void {
    if (revision > this.#position) this.#position = revision;
  }

  /** A pass has served it, delivering `pushed` events. @param turn numbers the pass */
  served(pushed: number, turn: number): void {
    if (this.#state.kind !== 'unsynced') return;
    const passPushes = this.#state.passPushes + pushed;
    this.#state = { kind: 'unsynced', fresh: false, drained: false, turn, passPushes };
  }

  /** It has caught up: live dispatch offers it the next change. */
  sync(): void {
    this.#state = SYNCED;
    this.#observer?.('synced');
  }

  /**
   * Shape: whether it was taken. A bookmark is dropped rather than waited for, and refused at or below where the
   * watch began, below its position, and while it is behind (invariant 3).
   */
  offerBookmark(revision: Revision): boolean {
    if (this.#state.kind !== 'synced' || revision <= this.#startedAt || revision < this.#position)
      return false;
    if (!this.#channel.offer({ kind: 'bookmark', revision, initialEventsEnd: false })) return false;
    this.#consumer?.('soon');
    this.#position = revision;
    return true;
  }

  /** The next event. Shape: undefined when nothing waits. */
  take(): WatchEvent | undefined {
    if (this.#held && this.#allowance <= 0) return undefined;
    this.#taking = true;
    try {
      const event = this.#next();
      if (this.#held && event !== undefined) this.#allowance--;
      return event;
    } finally {
      this.#taking = false;
    }
  }

  #next(): WatchEvent | undefined {
    if (this.#initial !== undefined && this.#state.kind !== 'closed') {
      const next = this.#initial.next();
      if (next.done !== true) {
        if (next.value.kind !== 'bookmark') this.#initialCount++;
        return next.value;
      }
      this.#initial = undefined;
      this.#listener?.initialDone(this);
    }
    const event = this.#channel.take();
    if (event !== undefined) {
      if (this.#state.kind === 'unsynced' && !this.#state.drained)
        this.#state = { ...this.#state, drained: true };
      this.#listener?.roomMade(this);
      return event;
    }
    const state = this.#state;
    if (state.kind !== 'ending') return undefined;
    this.#close(state.reason);
    return state.last;
  }

  /** Whether nothing will come any more. */
  get ended(): boolean {
    const state = this.#state;
    if (state.kind === 'closed') return true;
    return (
      state.kind === 'ending' &&
      this.#initial === undefined &&
      this.#channel.length === 0 &&
      state.last === undefined
    );
  }

  /**
   * Ends it at once: what is queued is dropped, except on a timeout and at the end of the resource, where it is still
   * delivered (objects that go with their definition are seen to go). A watch that is ending already keeps its way of
   * ending, but its time bounds that too, and a hard stop always wins. Idempotent.
   */
  close(reason: CloseReason): void {
    if (this.#state.kind === 'closed') return;
    this.#held = false;
    const ending = this.#state.kind === 'ending';
    if ((reason === 'timeout' || reason === 'terminated') && !ending) {
      this.#leave({ kind: 'ending', reason, last: undefined });
      return;
    }
    this.#channel.clear();
    this.#initial = undefined;
    this.#close(reason);
  }

  /** Delivers what is queued, then ends without a word. */
  closeDrained(reason: CloseReason): void {
    if (this.#state.kind === 'closed' || this.#state.kind === 'ending') return;
    this.#leave({ kind: 'ending', reason, last: undefined });
  }

  /** Delivers what is queued, then an ERROR event, then ends (invariant 7). */
  fail(status: Status): void {
    if (this.#state.kind === 'closed' || this.#state.kind === 'ending') return;
    this.#leave({ kind: 'ending', reason: 'error', last: { kind: 'error', status } });
  }

  /** Which of the two reasons it ends for when the window no longer holds what it needs. */
  get expiryReason(): TerminationReason {
    return this.#replayed ? 'resource_expired' : 'resource_expired_initial';
  }

  /** Whether it has been sent all that lay before it when it began, and has gone on to read what came later. */
  get #replayed(): boolean {
    return this.#initial === undefined && this.#position > this.#replayTo;
  }

  /** A round of bookmarks has come to a watch that owes its first one: see endBookmarkQueued. */
  queueEndBookmark(): void {
    if (this.owesEndBookmark && !this.#channel.full) this.#endBookmarkQueued = true;
  }

  #leave(state: WatcherState): void {
    const left = this.#state.kind === 'ending' || this.#state.kind === 'closed';
    this.#state = state;
    if (!left) this.#listener?.left(this);
    this.#consumer?.('soon');
  }

  #close(reason: CloseReason): void {
    this.#leave({ kind: 'closed', reason });
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.ended(this);
  }
}
