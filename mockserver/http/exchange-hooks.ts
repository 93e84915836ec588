/** Where others may look at exchanges and step in: what this floor asks of faults and the journal, which it does not know. */
import { type User } from '../access/user.js';
import { type FeatureSet } from '../ground/features.js';
import { type Clock } from '../ground/clock.js';
import { type StatusError } from '../ground/status.js';
import { type CacheSource } from '../registry/call.js';
import { type Query } from '../registry/query.js';
import { type WatchEvent } from '../watch/watch-event.js';
import { type Answer } from './answer.js';

/** A request as far as its head says what it is about. */
export interface RequestView {
  /** As authorization names it: get, list, watch, create, …; for documents and refused requests the method in lower case. */
  readonly verb: string;
  readonly method: string;
  /** As sent, with its query, without the prefix of a cluster. */
  readonly url: string;
  /** These are `''` where there is none. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly query: Query;
  readonly userAgent: string;
  /** The header X-Mock-Client: tells apart clients of one user agent; `''` without it. */
  readonly client: string;
  /** The connection that it came on, counted from 1. */
  readonly connection: number;
  /** Absent when authentication failed. */
  readonly user?: User;
}

/** What happens in the place of what would have happened. */
export type Interruption =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'error'; readonly error: StatusError }
  /** The connection is reset; nothing is answered. */
  | { readonly kind: 'reset' }
  /** Nothing is answered and the connection stays open until the client gives up. */
  | { readonly kind: 'hang' };

/** The request is served, but not quite as it was sent. */
export interface Change {
  readonly kind: 'change';
  /** In the place of its own parameters. */
  readonly query?: Query;
  /** In the place of the cluster's. */
  readonly features?: FeatureSet;
  /** Where it reads from. */
  readonly reads?: CacheSource;
}

export type Decision = Interruption | Change;

/** How an answer is written that is not written in one go. */
export interface Pacing {
  readonly kind: 'paced';
  readonly cut: Cut;
  /** On which the pieces wait. */
  readonly clock: Clock;
  /** What follows the last piece. */
  readonly then: 'end' | 'reset';
}

/** Some bytes of a stream. */
export interface Piece {
  readonly bytes: Buffer;
  /** Milliseconds that pass before it is sent. @default 0 */
  readonly waitMs?: number;
}

/** Lays bytes into pieces; what they leave out is not sent. */
export type Cut = (bytes: Buffer) => readonly Piece[];

export interface ExchangeHook {
  /** Before the verb. Shape: undefined: it goes on; a promise makes it wait. */
  beforeVerb(): Decision | undefined | Promise<Decision | undefined>;
  /** After the verb, before its answer is written. What is committed is committed. */
  beforeAnswer(
    answer: Answer,
  ): Interruption | Pacing | undefined | Promise<Interruption | Pacing | undefined>;
  /** A watch has been opened; its answer is not written yet. */
  opens(watch: WatchControl): WatchHook;
}

/** What becomes of one event on its way to one client. */
export interface EventFate {
  /** Sent in its place, in order; may be empty. */
  readonly events: readonly WatchEvent[];
  /** How their bytes are laid into chunks. @default as is usual */
  readonly cut?: Cut;
  /** Milliseconds that pass before anything of it is sent, and whatever follows it. @default 0 */
  readonly waitMs?: number;
  /** What follows: the stream ends in good order, the connection is reset, or nothing is sent any more. */
  readonly then?: 'end' | 'reset' | 'silence';
}

export interface WatchHook {
  /** Before anything is sent. Shape: undefined: nothing happens. */
  opened(): EventFate | undefined;
  /** Whether it is to be asked before each event: it may be now and not later, or the other way round. */
  readonly watchful: boolean;
  /** Before an event becomes a frame, while it is watchful. Shape: undefined: it is sent as it is. */
  beforeDeliver(event: WatchEvent): EventFate | undefined;
  /** Live dispatch has reached it, or it has fallen behind with so many events queued. */
  moved(state: 'synced' | 'unsynced', queued: number): void;
  /** Called once, however it ended. `server`: in good order; `client`: the client went away or was cut off. */
  closed(by: 'server' | 'client'): void;
}

/** What a hook can do to an open watch. All are idempotent, but for `drip` and `send`. */
export interface WatchControl {
  /** Takes nothing out of the watcher's channel until it is released: to the watch cache a client that is stuck. */
  hold(): void;
  /** Lets so many events out of a watch that is held. */
  drip(events: number): void;
  release(): void;
  /** Ends the stream in good order, what is queued undelivered. */
  end(): void;
  /** Ends it as its timeout does: what is queued is delivered. */
  timeOut(): void;
  /** Sends something that no event brought about. */
  send(fate: EventFate): void;
}
