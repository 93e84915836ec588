/** What the watch floor counts. Who counts is handed in: floors above turn it into series. */

import { type PassReport } from './pass-schedule.js';
import { type TerminationReason } from './watcher.js';

export interface WatchMetrics {
  /** A watcher fell behind. */
  stalled(): void;
  /** How many are behind now. */
  unsynced(count: number): void;
  /** Events that a pass delivered in place of live dispatch. */
  deferred(count: number): void;
  /** A watcher caught up after that many events from passes. */
  caughtUp(events: number): void;
  /** Live dispatch met an event at or below the position of a synced watcher: must never happen. */
  skipped(): void;
  terminated(reason: TerminationReason): void;
  /** A change was appended to the history. */
  received(): void;
  /** A change was offered to whoever is synced. */
  dispatched(): void;
  /** A pass, while it runs, has opened an interval of the history and read so many entries of it. */
  scanned(entries: number): void;
  /** A pass has run. */
  passed(report: PassReport): void;
  /** A watcher has read so many initial events; counted when it has read the last. */
  initialEvents(count: number): void;
  /** A read has waited for the cache to show what it asks for. */
  waited(milliseconds: number): void;
  /** A read of the state of now was answered from the cache, or not in time. */
  consistentRead(success: boolean): void;
  /** A list was answered from the cache. */
  listed(fetched: number, returned: number): void;
}

const nothing = (): void => undefined;

export const NO_METRICS: WatchMetrics = Object.freeze({
  stalled: nothing,
  unsynced: nothing,
  deferred: nothing,
  caughtUp: nothing,
  skipped: nothing,
  terminated: nothing,
  received: nothing,
  dispatched: nothing,
  scanned: nothing,
  passed: nothing,
  initialEvents: nothing,
  waited: nothing,
  consistentRead: nothing,
  listed: nothing,
});
