/** A cluster as its user moves it: faults, the journal, history, and the watches that are open. */
import { type Clock, type Timer } from '../ground/clock.js';
import { type FeatureSet } from '../ground/features.js';
import { editMetadata, withMetadata } from '../ground/object.js';
import { revision, type Revision, toResourceVersion } from '../ground/revision.js';
import { type WatchControl, type RequestView } from '../http/exchange-hooks.js';
import { type Faults, type FaultScope } from '../faults/faults.js';
import { reinitializing } from '../faults/effect-answer.js';
import { type Match } from '../faults/match.js';
import { type RequestFacts, requestTest } from '../faults/matcher.js';
import { textTest } from '../faults/pattern.js';
import { type FaultRule } from '../faults/rule.js';
import { type Journal } from '../observe/journal.js';
import { type Cluster } from '../registry/cluster.js';
import { type LogEntry } from '../registry/log-book.js';
import { type Replica } from '../registry/replica.js';
import { type ResourceStore } from '../registry/resource.js';
import { addressOf } from '../store/key.js';
import { type Lag } from '../watch/change-feed.js';
import { type RestoredWatches } from '../registry/cluster-image.js';
import { Snapshot } from './snapshot.js';

export interface ClusterControlParts {
  readonly cluster: Cluster;
  readonly faults: Faults;
  /** Faults from the start. */
  readonly rules: readonly FaultRule[];
  /** Log lines from the start. */
  readonly logs: readonly LogEntry[];
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

/** Where clients connect, as the control closes and opens it. Of the whole server. */
export interface ConnectionGate {
  /** Resets every connection and refuses new ones. Idempotent. */
  close(): void;
  /** Listens again, at the same address. Idempotent. */
  open(): void;
}

const NO_GATE: ConnectionGate = { close: () => undefined, open: () => undefined };

/** How long a fault lasts that does not say. */
const SOME_TIME_MS = 1000;

export interface ResetOptions {
  /** What open watches see. @default 'end' */
  readonly watches?: RestoredWatches;
  /** Objects other than those of the beginning. */
  readonly to?: Snapshot;
}

export interface RestartOptions {
  /** How long connections are refused. @default 1000 */
  readonly forMs?: number;
  /** Whether watches can be resumed. @default false: caches begin anew */
  readonly keepHistory?: boolean;
}

export class ClusterControl {
  readonly #parts: ClusterControlParts;
  readonly #cluster: Cluster;
  readonly #faults: Faults;
  readonly #watches = new Set<OpenWatch>();
  #gate = NO_GATE;
  /** What ends each of the refusals that go on. */
  readonly #refusals = new Set<Timer>();
  #beginning: Snapshot;

  constructor(parts: ClusterControlParts) {
    this.#parts = parts;
    this.#cluster = parts.cluster;
    this.#faults = parts.faults;
    for (const rule of parts.rules) this.#faults.add(rule);
    this.#cluster.logs.add(...parts.logs);
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

  /** Back to the beginning: objects, faults, logs, journal, chance and time; connections are taken again. */
  reset({ to = this.#beginning, ...options }: ResetOptions = {}): void {
    const { journal, rules, logs, restart } = this.#parts;
    this.#acceptConnections();
    this.#faults.reset();
    for (const rule of rules) this.#faults.add(rule);
    // Time first: what goes by the clock counts from its beginning.
    restart();
    this.restore(to, options);
    this.#cluster.logs.clear();
    this.#cluster.logs.add(...logs);
    journal.clear();
  }

  /** To be called by whoever listens for the cluster. */
  setGate(gate: ConnectionGate): void {
    this.#gate = gate;
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
    return [...this.#watches].filter(({ view }) => test(view, NO_FACTS));
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
      this.#note(watch, 'stalled');
    }
    return found.length;
  }

  /** Lets stalled watches go on. Shape: how many. */
  resume(match?: Match): number {
    const found = this.watches(match).filter(({ stalled }) => stalled);
    for (const watch of found) {
      watch.stalled = false;
      this.#note(watch, 'resumed');
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
   * Builds the cache of a resource anew: its history is forgotten, its watches end without a word, and watches and full
   * lists are answered 429 `storage is (re)initializing` meanwhile.
   *
   * Shape: the scope of the fault: it ends with the scope, after so many answers, or after so long.
   * Source: apiserver storage/cacher/ready.go and delegator.go.
   */
  reinitialize(match: Match, { times, forMs, retryAfterSeconds = 1 }: ReinitializeOptions = {}): FaultScope {
    const scope = this.#faults.add({
      match: { verb: ['watch', 'list'], ...match },
      effect: reinitializing(retryAfterSeconds),
      ...(times === undefined ? {} : { times }),
    });
    for (const { prefix } of this.#stores(match)) this.#cluster.closeCache(prefix, 'shutdown');
    if (forMs !== undefined) this.clock.after(forMs, () => scope.remove());
    return scope;
  }

  /** The caches of a resource hear of no commit. Shape: what lets them go on. */
  freeze(match: Match = {}): () => void {
    return this.#holdBack(match, { kind: 'frozen' });
  }

  /** The caches of a resource hear of commits late. Shape: what lets them go on. */
  lag(match: Match, lag: { readonly ms: number } | { readonly revisions: number }): () => void {
    return this.#holdBack(
      match,
      'ms' in lag ? { kind: 'time', ms: lag.ms } : { kind: 'revisions', by: lag.revisions },
    );
  }

  /** A replica of the cluster: see Replica. Made on first use. */
  replica(name: string): Replica {
    return this.#cluster.replica(name);
  }

  closeReplica(name: string): void {
    this.#cluster.closeReplica(name);
  }

  get features(): FeatureSet {
    return this.#cluster.options.features;
  }

  /** Where the store stands. */
  get revision(): Revision {
    return this.#cluster.store.revision;
  }

  /** The revision that lies so far back, as far as history goes. */
  revisionBack(back: number): Revision {
    const { revision, compactedRevision } = this.#cluster.store;
    return Math.max(revision - back, compactedRevision) as Revision; // a whole number, not above a revision
  }

  /** Leaves revisions out, as if other resources had been written. */
  skipRevisions(count: number): void {
    this.#cluster.store.skip(count);
  }

  /**
   * Puts the store back as it was, as from a backup, and starts the server anew: revisions go back, caches begin anew, all
   * watches end.
   *
   * Shape: the revision.
   * @param to @default one revision back
   * Errors: RangeError for what is no revision; StoreError when history has been compacted beyond it, or it has not come
   * yet.
   */
  rewind(to: number = this.revisionBack(1)): number {
    this.#cluster.rewind(revision(to));
    return to;
  }

  /** Connections are reset, and new ones refused, for so long on the cluster's clock. */
  refuseConnections(forMs = SOME_TIME_MS): void {
    this.#gate.close();
    const end = this.clock.after(forMs, () => {
      this.#refusals.delete(end);
      if (this.#refusals.size === 0) this.#gate.open();
    });
    this.#refusals.add(end);
  }

  /** Lets go of the server that listens for the cluster, which may have others. Idempotent. */
  close(): void {
    this.#acceptConnections();
    this.#gate = NO_GATE;
  }

  #acceptConnections(): void {
    if (this.#refusals.size === 0) return;
    for (const end of this.#refusals) end.cancel();
    this.#refusals.clear();
    this.#gate.open();
  }

  /** Stops the server and starts it again. */
  restart({ forMs, keepHistory = false }: RestartOptions = {}): void {
    if (!keepHistory) this.#cluster.forgetHistory();
    this.refuseConnections(forMs);
  }

  /** Somebody else writes an object: it gets a new revision and stays what it is. Shape: whether there is one. */
  touch({ group, resource, namespace, name }: Target): boolean {
    const { store, resources } = this.#cluster;
    const found = resources.findStored(group, resource);
    if (found === undefined) return false;
    const address = addressOf(found.store.prefix, namespace, name);
    const stored = store.get(address.key);
    if (stored === undefined) return false;
    this.#cluster.commit(() =>
      store.update(address, stored.revision, (revision) =>
        withMetadata(
          stored.object,
          editMetadata(stored.object.metadata, { resourceVersion: toResourceVersion(revision) }),
        ),
      ),
    );
    return true;
  }

  #note({ request }: OpenWatch, state: 'stalled' | 'resumed'): void {
    this.#parts.journal.add({ kind: 'queue', request, state, queued: 0 });
  }

  #holdBack(match: Match, lag: Lag): () => void {
    const stores = this.#stores(match);
    for (const store of stores) this.#cluster.cacheOf(store).feed.holdBack(lag);
    return () => {
      for (const store of stores) this.#cluster.cacheOf(store).feed.release();
    };
  }

  /** The resources that a matcher is about; each once, whatever its versions. */
  #stores({ group, resource }: Match): ResourceStore[] {
    const isGroup = textTest(group);
    const isResource = textTest(resource);
    const found = [...this.#cluster.resources].filter(
      (one) => (isGroup?.(one.group) ?? true) && (isResource?.(one.resource) ?? true),
    );
    return [...new Map(found.map(({ store }) => [store.prefix, store])).values()];
  }
}

/** One object. `''` where it has none. */
export type Target = Pick<RequestView, 'group' | 'resource' | 'namespace' | 'name'>;

export interface ReinitializeOptions {
  /** @default as long as the scope is */
  readonly times?: number;
  /** @default as long as the scope is */
  readonly forMs?: number;
  /** @default 1 */
  readonly retryAfterSeconds?: number;
}

/** Open watches are asked for by what their requests say. */
const NO_FACTS: RequestFacts = { revision: () => 0, pageOf: () => 1 };
