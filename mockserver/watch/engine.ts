/** How changes get to watchers: what a watch cache asks of either engine. */
import { type Revision } from '../ground/revision.js';
import { type Entry } from './entry.js';
import { type Watcher } from './watcher.js';

export interface WatchEngine {
  /** A change has been appended to the history and to the state. Called within the commit; never waits. */
  appended(entry: Entry): void;
  /** The last change that has been offered to everybody who is synced: what bookmarks name. */
  readonly dispatched: Revision;
  /** The cache's own version moved without a change of its resource. */
  caughtUp(revision: Revision): void;
  /** Takes a watcher in; whatever lies between its position and now is delivered by the engine. */
  register(watcher: Watcher): void;
  /** It takes no part any more. */
  forget(watcher: Watcher): void;
  /** A watcher's consumer has read its last initial event. */
  initialDone(watcher: Watcher): void;
  /** A watcher's consumer has taken something out of its channel. */
  roomMade(watcher: Watcher): void;
  /** Changes that wait for the dispatcher. */
  readonly queued: number;
  /** How many of the watchers are behind. */
  readonly unsynced: number;
  stop(): void;
}
