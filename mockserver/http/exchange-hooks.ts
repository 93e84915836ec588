/** Where others may look at exchanges and step in: what this floor asks of faults and the journal, which it does not know. */
import { type User } from '../access/user.js';
import { type StatusError } from '../ground/status.js';
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

export type Decision =
  | Interruption
  /** The verb runs and is answered, but commits nothing. */
  | { readonly kind: 'dry run' };

export interface ExchangeHook {
  /** Before the verb. Shape: undefined: it goes on; a promise makes it wait. */
  beforeVerb(): Decision | undefined | Promise<Decision | undefined>;
  /** After the verb, before its answer is written. What is committed is committed. */
  beforeAnswer(answer: Answer): Interruption | undefined | Promise<Interruption | undefined>;
  /** A watch has been opened; its answer is not written yet. */
  opens(watch: WatchControl): WatchHook;
}

/** What becomes of one event on its way to one client. */
export interface EventFate {
  /** Sent in its place, in order; may be empty. */
  readonly events: readonly WatchEvent[];
  /** `bytes`: a chunk for each byte; `half`: the first half of the frames only. */
  readonly cut?: 'bytes' | 'half';
  /** What follows: the stream ends in good order, the connection is reset, or nothing is sent any more. */
  readonly then?: 'end' | 'reset' | 'silence';
}

export interface WatchHook {
  /** Before anything is sent. Shape: undefined: nothing happens. */
  opened(): EventFate | undefined;
  /** Before an event becomes a frame. Shape: undefined: it is sent as it is. */
  beforeDeliver(event: WatchEvent): EventFate | undefined;
  /** Called once, however it ended. `server`: in good order; `client`: the client went away or was cut off. */
  closed(by: 'server' | 'client'): void;
}

/** What a hook can do to an open watch. All are idempotent. */
export interface WatchControl {
  /** Takes nothing out of the watcher's channel until it is released: to the watch cache a client that is stuck. */
  hold(): void;
  release(): void;
  /** Ends the stream in good order, what is queued undelivered. */
  end(): void;
}
