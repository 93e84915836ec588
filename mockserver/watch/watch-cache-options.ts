/** What a watch cache can be told, and how much a watcher's channel holds. */
import { type BookmarkOptions, DEFAULT_BOOKMARKS } from './bookmark-schedule.js';
import { DEFAULT_STALL_RESUME, type StallResumeOptions } from './stall-resume.js';
import { DEFAULT_TIME_BUDGET, type TimeBudgetOptions } from './time-budget.js';
import { type WatchRequest } from './watch-request.js';
import { DEFAULT_WINDOW, type WindowOptions } from './window.js';

export interface WatchCacheOptions {
  readonly window: WindowOptions;
  readonly bookmarks: BookmarkOptions;
  /** Bounds of a watcher's channel; within them it holds a 75th of the window's capacity. @default 10 and 100 */
  readonly minChannel: number;
  readonly maxChannel: number;
  /** In the place of maxChannel where watchers are looked up by a field: for those that name it. @default 10 */
  readonly maxChannelByTrigger: number;
  /** The same, for those that do not. @default 1000 */
  readonly maxChannelBesideTrigger: number;
  /** Stall and resume: how much a pass may do, and when passes run. */
  readonly stallResume: StallResumeOptions;
  /** The engine of today: how long it waits for full channels. */
  readonly timeBudget: TimeBudgetOptions;
  /** The engine of today: changes that may wait for the dispatcher before the cache falls behind the store. @default 100 */
  readonly incomingCapacity: number;
  /** How long a read waits for a version that is not there yet. @default 3000 */
  readonly freshnessWaitMs: number;
}

export const DEFAULT_WATCH_CACHE: WatchCacheOptions = Object.freeze({
  window: DEFAULT_WINDOW,
  bookmarks: DEFAULT_BOOKMARKS,
  minChannel: 10,
  maxChannel: 100,
  maxChannelByTrigger: 10,
  maxChannelBesideTrigger: 1000,
  stallResume: DEFAULT_STALL_RESUME,
  timeBudget: DEFAULT_TIME_BUDGET,
  incomingCapacity: 100,
  freshnessWaitMs: 3000,
});

/**
 * Changes that the channel of a new watcher holds, by the capacity that the window has now.
 * Source: apiserver storage/cacher/watch_cache.go, suggestedWatchChannelSize.
 */
export function channelCapacity(
  { minChannel, maxChannel, maxChannelByTrigger, maxChannelBesideTrigger }: WatchCacheOptions,
  windowCapacity: number,
  trigger: WatchRequest['trigger'],
): number {
  const max =
    trigger === undefined ? maxChannel : trigger === 'used' ? maxChannelByTrigger : maxChannelBesideTrigger;
  return Math.min(Math.max(Math.ceil(windowCapacity / 75), minChannel), Math.max(max, minChannel));
}
