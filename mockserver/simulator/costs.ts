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
 * Measured by `kube-mockserver simulate --calibrate` with Node 20.20 on two cores at 2.x GHz, 29 November 2026.
 */
export const DEFAULT_COSTS: Costs = Object.freeze({
  commitUs: 20,
  openUs: 10,
  selectUs: 0.1,
  pushUs: 0.3,
  intervalUs: 5,
  readUs: 0.2,
  wrapUs: 0.2,
  encodeUs: 2,
  encodeKbUs: 2,
  writeUs: 8,
});
