/** What each piece of a server's work costs, in microseconds of its one thread. */

export interface Costs {
  /** A commit: the store, the history, the cache's state. */
  readonly commitUs: number;
  /** Opening a watch, without the request around it. */
  readonly openUs: number;
  /** One look at an object for one watcher: its selection. */
  readonly selectUs: number;
  /** An event put into a channel. */
  readonly pushUs: number;
  /** An interval of the history opened by a pass. */
  readonly intervalUs: number;
  /** An entry read by a pass. */
  readonly readUs: number;
  /** An event made of an entry, once for all its watchers. */
  readonly wrapUs: number;
  /** An event encoded, once for all its watchers: per event, and for each 1000 bytes of it. */
  readonly encodeUs: number;
  readonly encodeKbUs: number;
  /** An event written to one socket. */
  readonly writeUs: number;
}

/**
 * What `kube-mockserver simulate --calibrate` measures with Node 20.20 on two cores of 2026, rounded: the least of five
 * runs on 29 November 2026.
 */
export const DEFAULT_COSTS: Costs = Object.freeze({
  commitUs: 14,
  openUs: 3,
  selectUs: 0.1,
  pushUs: 0.05,
  intervalUs: 12,
  readUs: 0.3,
  wrapUs: 0.02,
  encodeUs: 6,
  encodeKbUs: 4.5,
  writeUs: 3,
});
