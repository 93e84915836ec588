/** What one watch was asked for and what it was sent: the record that is checked. */
import { type EventType, type Interest } from './history.js';

export type Seen =
  | {
      readonly kind: 'event';
      readonly type: EventType;
      readonly revision: number;
      readonly place: string;
      readonly color: string;
    }
  | { readonly kind: 'bookmark'; readonly revision: number; readonly initialEventsEnd: boolean }
  | { readonly kind: 'error'; readonly code: number; readonly reason: string; readonly message: string };

/** How a watch came to its end, as the server sees it. */
export type Ending =
  /** It is open still, and everything that was sent has been read. */
  | 'open'
  | 'client'
  | 'timeout'
  | 'shutdown'
  /** After an ERROR event. */
  | 'error'
  /** Without a word: the force-close of today. */
  | 'silent';

export type Start =
  /** The state now; `endBookmark`: a bookmark is to end it. */
  | { readonly kind: 'state'; readonly endBookmark: boolean }
  | { readonly kind: 'after'; readonly revision: number };

export interface Session {
  readonly interest: Interest;
  readonly start: Start;
  readonly bookmarks: boolean;
  /** The revision of the state when it was opened; undefined where it cannot be known from outside. */
  readonly openedAt: number | undefined;
  /** The smallest version that could be watched from when it was opened; undefined: not known. */
  readonly floorAtOpen: number | undefined;
  readonly seen: Seen[];
  ending: Ending;
  /** Nothing was left to be delivered when the record ends: it must be complete up to the last write. */
  quiescent: boolean;
}
