/** A cluster as its user moves it: faults, the journal, history, and the watches that are open. */
import { type Clock } from '../ground/clock.js';
import { type Revision } from '../ground/revision.js';
import { type WatchControl, type RequestView } from '../http/exchange-hooks.js';
import { type Faults, type FaultScope } from '../faults/faults.js';
import { requestTest } from '../faults/matcher.js';
import { type FaultRule, type Match } from '../faults/rule.js';
import { type Journal } from '../observe/journal.js';
import { type Cluster } from '../registry/cluster.js';
import { type RestoredWatches } from '../registry/cluster-image.js';
import { Snapshot } from './snapshot.js';

export interface ClusterControlParts {
  readonly cluster: Cluster;
  readonly faults: Faults;
  /** Faults from the start. */
  readonly rules: readonly FaultRule[];
  readonly journal: Journal;
  /** Lets chance and time begin again. */
  readonly restart: () => void;
}

/** One open watch, as `watchers` shows it. */
export interface OpenWatch {
  /** The request's number in the journal. */
  readonly request: number;
  readonly view: RequestView;
  readonly control: WatchControl;
  stalled: boolean;
}

export class ClusterControl {
  readonly #parts: ClusterControlParts;
  readonly #cluster: Cluster;
  readonly #faults: Faults;
  readonly #watches = new Set<OpenWatch>();
  #beginning: Snapshot;

  constructor(parts: ClusterControlParts) {
    this.#parts = parts;
    this.#cluster = parts.cluster;
    this.#faults = parts.faults;
    for (const rule of parts.rules) this.#faults.add(rule);
    this.#beginning = this.snapshot();
  }

  /** The objects of now, kept in the same time whatever their number. */
  snapshot(): Snapshot {
    return new Snapshot(this.#cluster.image(), this.#cluster.options.kubernetesVersion);
  }

  /** Goes back to a snapshot. Errors: RangeError for one of another Kubernetes version. */
  restore(snapshot: Snapshot, { watches = 'end' }: { readonly watches?: RestoredWatches } = {}): void {
    const { kubernetesVersion } = this.#cluster.options;
    if (snapshot.kubernetesVersion !== kubernetesVersion)
      throw new RangeError(
        `a snapshot of Kubernetes ${snapshot.kubernetesVersion}, but the cluster is of ${kubernetesVersion}`,
      );
    this.#cluster.restore(snapshot.image, watches);
  }

  /** From now on, `reset` comes back to the objects of now. */
  markBeginning(): void {
    this.#beginning = this.snapshot();
  }

  /** Back to the beginning: objects, faults, journal, chance and time. */
  reset(options: { readonly watches?: RestoredWatches } = {}): void {
    const { journal, rules, restart } = this.#parts;
    this.#faults.reset();
    for (const rule of rules) this.#faults.add(rule);
    this.restore(this.#beginning, options);
    restart();
    journal.clear();
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
    this.#cluster.dropHistory(target);
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
