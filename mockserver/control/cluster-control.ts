/** A cluster as its user moves it: faults, the journal, history, and the watches that are open. */
import { type Clock } from '../ground/clock.js';
import { type Revision } from '../ground/revision.js';
import { type WatchControl, type RequestView } from '../http/exchange-hooks.js';
import { type Faults, type FaultScope } from '../faults/faults.js';
import { requestTest } from '../faults/matcher.js';
import { type Match } from '../faults/rule.js';
import { type Cluster } from '../registry/cluster.js';

/** One open watch, as `watchers` shows it. */
export interface OpenWatch {
  /** The request's number in the journal. */
  readonly request: number;
  readonly view: RequestView;
  readonly control: WatchControl;
  stalled: boolean;
}

export class ClusterControl {
  readonly #cluster: Cluster;
  readonly #faults: Faults;
  readonly #watches = new Set<OpenWatch>();

  constructor(cluster: Cluster, faults: Faults) {
    this.#cluster = cluster;
    this.#faults = faults;
  }

  get clock(): Clock {
    return this.#cluster.clock;
  }

  /** To be called by whoever opens watches. Shape: what forgets it again. */
  register(watch: OpenWatch): () => void {
    this.#watches.add(watch);
    return () => void this.#watches.delete(watch);
  }

  /** Open watches in the order in which they came. Shape: fresh. */
  watches(match?: Match): OpenWatch[] {
    const test = requestTest(match);
    return [...this.#watches].filter(({ view }) => test(view));
  }

  /**
   * Drops history up to a revision; watches and lists that need an older one are answered 410.
   *
   * Shape: the revision. Watch caches keep at least what lies above it.
   * @param upTo @default the revision of now
   */
  compact(upTo?: number): number {
    const { store } = this.#cluster;
    const target = Math.min(upTo ?? store.revision, store.revision) as Revision; // a whole number not above a revision
    if (target > store.compactedRevision) store.compact(target);
    for (const { cache } of this.#cluster.caches) {
      // Nobody may be handed a version to watch from that lies below the new floor.
      cache.catchUp();
      cache.window.dropThrough(target);
    }
    return target;
  }

  /** Holds open watches still, as a client does that stops reading. Shape: how many; see `resume`. */
  stall(match?: Match): number {
    const found = this.watches(match).filter(({ stalled }) => !stalled);
    for (const watch of found) {
      watch.stalled = true;
      watch.control.hold();
    }
    return found.length;
  }

  /** Lets stalled watches go on. Shape: how many. */
  resume(match?: Match): number {
    const found = this.watches(match).filter(({ stalled }) => stalled);
    for (const watch of found) {
      watch.stalled = false;
      watch.control.release();
    }
    return found.length;
  }

  /** Ends open watches in good order. Shape: how many. */
  endWatches(match?: Match): number {
    const found = this.watches(match);
    for (const { control } of found) control.end();
    return found.length;
  }

  /**
   * What clients see while the cache of a resource is built anew: its watches end without a word, and watches and full
   * lists are answered 429 `storage is (re)initializing`.
   *
   * Shape: the scope of the fault: it ends with the scope, or after so many answers.
   * Source: apiserver storage/cacher/ready.go and delegator.go.
   */
  reinitialize(
    match: Match,
    { times, retryAfterSeconds = 1 }: { readonly times?: number; readonly retryAfterSeconds?: number } = {},
  ): FaultScope {
    const scope = this.#faults.add({
      match: { verb: ['watch', 'list'], ...match },
      effect: {
        kind: 'status',
        code: 429,
        message: 'storage is (re)initializing',
        retryAfterSeconds,
      },
      ...(times === undefined ? {} : { times }),
    });
    this.endWatches(match);
    return scope;
  }
}
