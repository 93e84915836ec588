/** One cluster of a server as its user holds it: address, faults, journal, snapshots and time. */
import { type Authenticator, everybodyIsAdmin, tokenAuthenticator } from '../access/authentication.js';
import { withServiceAccounts } from '../access/service-account-authentication.js';
import { type ClusterControl, type ResetOptions } from '../control/cluster-control.js';
import { clusterTools, type ClusterTools } from '../control/cluster-tools.js';
import { logEntriesOf } from '../control/log-entries.js';
import { type Snapshot } from '../control/snapshot.js';
import { type Faults } from '../faults/faults.js';
import { type Clock } from '../ground/clock.js';
import { ClusterClock } from '../ground/cluster-clock.js';
import { type Random, RestartableRandom } from '../ground/random.js';
import { NO_REVISION, revision, type Revision } from '../ground/revision.js';
import { type ClusterDirectory } from '../control/cluster-directory.js';
import { ControllerSet } from '../controllers/controller-set.js';
import { fakeNodeOptionsOf } from '../controllers/nodes/fake-node-options.js';
import { PodRules } from '../controllers/nodes/pod-rules.js';
import { controllersNamed } from '../controllers/known-controllers.js';
import { type Logger } from '../http/logger.js';
import { ServedCluster } from '../http/served-cluster.js';
import { type Journal } from '../observe/journal.js';
import { Metrics, METRICS_TYPE } from '../observe/metrics.js';
import { Cluster } from '../registry/cluster.js';
import { type ClusterImage, type RestoredWatches } from '../registry/cluster-image.js';
import { type ClusterOptions } from '../registry/cluster-options.js';
import { type LogBook } from '../registry/log-book.js';
import { CustomResources } from '../registry/custom-resources.js';
import { tokenStands } from '../registry/kinds/service-account.js';
import { keepOwnConditions } from '../registry/own-conditions.js';
import { freshImageOf, renewed } from '../registry/fresh-image.js';
import { seed } from '../registry/seeding.js';
import { MemoryStore } from '../store/memory-store.js';
import { type ClusterLog, openClusterLog } from './cluster-log.js';
import { frozenTime } from './cluster-settings.js';
import { derivedSeed } from './derived-seed.js';
import { kubeconfig } from './kubeconfig.js';
import { loadObjects, loadPaths } from './load.js';
import { type ClusterSettings } from './options.js';
import { type SharedForms } from './shared-forms.js';
import { type CloseReason } from '../watch/watcher.js';

export interface MockClusterParts {
  readonly name: string;
  readonly settings: ClusterSettings;
  readonly options: ClusterOptions;
  readonly shared: SharedForms;
  /** Real time. */
  readonly pace: Clock;
  /** What the cluster's clock runs with. */
  readonly clock: Clock;
  /** Where there is no seed. */
  readonly random: Random;
  /** `host:port` under which clients reach the server; `''` before it listens. */
  readonly serverAddress: () => string;
  /** Address of the cluster, to be asked once the server listens. */
  readonly url: () => string;
  /** PEM of what signed the server's certificate. */
  readonly certificateAuthority: string | undefined;
  /** Told of errors nobody expected. */
  readonly logger: Logger;
  readonly directory: ClusterDirectory;
  /** Takes it off its server. */
  readonly leave: () => void;
  readonly fork: (settings: ClusterSettings) => MockCluster;
}

export class MockCluster implements Disposable {
  readonly name: string;
  /** The time that objects, watches and controllers of the cluster go by. */
  readonly clock: ClusterClock;
  readonly served: ServedCluster;
  /** How `fake-node` runs pods. */
  readonly podRules: PodRules;
  readonly #parts: MockClusterParts;
  readonly #cluster: Cluster;
  readonly #tools: ClusterTools;
  readonly #log: ClusterLog | undefined;
  #controllers: ControllerSet | undefined;
  #ended = false;

  /** See `createCluster` of a server. Errors: RangeError for what it cannot be told; as `loadPaths`. */
  constructor(parts: MockClusterParts) {
    const { settings, options, shared, pace } = parts;
    const { from } = settings;
    this.name = parts.name;
    this.#parts = parts;
    this.clock = new ClusterClock({ real: parts.clock, frozenAt: frozenTime(settings.frozenAt) });
    this.podRules = new PodRules(
      settings.fakeNode === undefined ? [] : fakeNodeOptionsOf(settings.fakeNode).rules,
    );
    if (from !== undefined) checkVersion(from, options);
    this.#log = logOf(parts, this.clock);
    const logged = this.#log?.image;
    const random = new RestartableRandom(parts.random, seedOf(settings, logged));
    const metrics = new Metrics(pace);
    const { blueprint } = shared;
    const isShared = logged === undefined && sharesFreshObjects(settings);
    const fresh = isShared ? shared.freshImage : undefined;
    const image = logged ?? from?.image ?? fresh?.image;
    const store = new MemoryStore(
      image === undefined
        ? { startRevision: startRevisionOf(settings) }
        : {
            image: image.store,
            replacing: fresh === undefined ? [] : renewed(fresh.namespaces, { clock: this.clock, random }),
          },
    );
    if (this.#log !== undefined && logged !== undefined) store.keepLog(this.#log.file);
    this.#cluster = new Cluster({
      store,
      blueprint,
      image,
      clock: this.clock,
      pace,
      random,
      options,
      ...(this.#log === undefined ? {} : { tokens: this.#log.tokens }),
      metricsOf: (groupResource) => metrics.watchMetricsOf(groupResource),
    });
    const customResources = new CustomResources(this.#cluster);
    if (image === undefined) {
      seed(this.#cluster, shared.freshObjects(this.clock, random));
      this.#orClosed(() => loadObjects(this.#cluster, ...shared.definitions));
    }
    if (image === undefined && isShared) shared.freshImage = freshImageOf(this.#cluster);
    const faultSeed = settings.faultSeed ?? settings.seed;
    this.#tools = this.#orClosed(() =>
      clusterTools({
        cluster: this.#cluster,
        clock: this.clock,
        pace,
        directory: parts.directory,
        podRules: this.podRules,
        kubeconfig: () => this.kubeconfig,
        restart: () => {
          random.restart();
          this.clock.restart();
          this.podRules.reset();
        },
        ...(settings.journalCapacity === undefined ? {} : { journalCapacity: settings.journalCapacity }),
        ...(faultSeed === undefined ? {} : { seed: faultSeed }),
        ...(settings.faults === undefined ? {} : { rules: settings.faults }),
        ...(settings.logs === undefined ? {} : { logs: logEntriesOf(settings.logs) }),
      }),
    );
    keepOwnConditions(this.#cluster);
    this.served = new ServedCluster({
      hooks: this.#tools.hooks,
      cluster: this.#cluster,
      customResources,
      authenticator: authenticatorOf(settings.tokens, this.#cluster),
      tables: shared.tables,
      builtInDocuments: shared.documents,
      counts: metrics.http,
      metrics: () => ({ contentType: METRICS_TYPE, text: metrics.text(this.#cluster.caches) }),
      serverAddress: parts.serverAddress,
    });
    this.#orClosed(() => {
      if (logged === undefined) this.#begin(store);
      else customResources.resume();
    });
    random.mark();
    this.#tools.control.markBeginning();
    this.clock.settleBy(() => this.settled());
    this.#startControllers();
    // What controllers know of the objects is of another time then: they begin anew.
    this.#cluster.onRestore(() => this.#startControllers());
  }

  /** What a new cluster begins with, all of it at once in its log. */
  #begin(store: MemoryStore): void {
    const { load = [], objects = [] } = this.#parts.settings;
    loadPaths(this.#cluster, load);
    loadObjects(this.#cluster, objects);
    if (this.#log === undefined) return;
    this.#log.file.replaced(store.image(), store.revision);
    store.keepLog(this.#log.file);
  }

  /** `http://127.0.0.1:18080/clusters/a`. Errors: an Error before the server listens. */
  get url(): string {
    return this.#parts.url();
  }

  /** A kubeconfig for this cluster, as YAML. */
  get kubeconfig(): string {
    return kubeconfig({
      server: this.url,
      token: firstToken(this.#parts.settings.tokens),
      certificateAuthority: this.#parts.certificateAuthority,
    });
  }

  /** Misbehaviour on purpose. */
  get faults(): Faults {
    return this.#tools.faults;
  }

  /** What every client asked and was sent. */
  get journal(): Journal {
    return this.#tools.journal;
  }

  /** What containers have written, for whoever asks for the log of a pod. */
  get logs(): LogBook {
    return this.#cluster.logs;
  }

  /** History, open watches and caches, moved by hand. */
  get control(): ClusterControl {
    return this.#tools.control;
  }

  /** The objects of now, kept in the same time whatever their number. */
  snapshot(): Snapshot {
    return this.control.snapshot();
  }

  /**
   * Goes back to a snapshot, in the same time whatever the number of objects.
   *
   * @param watches what the clients of open watches see: their end, an ERROR event 410, or nothing; see RestoredWatches
   */
  restore(snapshot: Snapshot, options: { readonly watches?: RestoredWatches } = {}): void {
    this.control.restore(snapshot, options);
  }

  /** Back to how it was made: objects (or those of a snapshot), faults, logs, journal, chance and time. To be called between tests. */
  reset(options: ResetOptions = {}): void {
    this.control.reset(options);
  }

  /** A further cluster of the same server that begins with this one's objects of now. */
  fork(settings: Omit<ClusterSettings, 'from'> = {}): MockCluster {
    return this.#parts.fork({ ...settings, from: this.snapshot() });
  }

  /** Resolves when the controllers have nothing to do but what waits for the clock; at once when none runs. */
  async settled(): Promise<void> {
    await this.#controllers?.settled();
  }

  /** Ends its watches and forgets it. Idempotent. */
  delete(): void {
    this.#parts.leave();
    this.#end('terminated');
  }

  /** Creates the objects of files and folders. Errors: an Error that names file and line. */
  load(paths: readonly string[]): void {
    loadPaths(this.#cluster, paths);
  }

  /** Ends everything that runs by itself, as its server stops. Idempotent. */
  shutDown(): void {
    this.#end('shutdown');
  }

  [Symbol.dispose](): void {
    this.delete();
  }

  /** A cluster that cannot be made leaves nothing running. */
  #orClosed<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#cluster.close('shutdown');
      this.clock.close();
      this.#log?.file.close();
      throw error;
    }
  }

  #end(reason: CloseReason): void {
    this.#ended = true;
    this.#controllers?.stop();
    this.#tools.control.close();
    this.#cluster.close(reason);
    this.clock.close();
    this.#log?.file.close();
  }

  #startControllers(): void {
    if (this.#ended) return;
    const { settings, certificateAuthority, logger } = this.#parts;
    const controllers = controllersNamed(settings.controllers ?? [], {
      certificateAuthority,
      fakeNode: { ...settings.fakeNode, rules: this.podRules },
    });
    if (controllers.length === 0) return;
    this.#controllers?.stop();
    this.#controllers = new ControllerSet({
      cluster: this.#cluster,
      controllers,
      onError: (message, cause) => logger.error(message, cause),
    });
  }
}

/** Errors: as `openClusterLog`; RangeError where there is a snapshot to begin with, and a log that is not new. */
function logOf({ settings, options, logger }: MockClusterParts, clock: ClusterClock): ClusterLog | undefined {
  const { data: path, from } = settings;
  if (path === undefined) return undefined;
  const log = openClusterLog({
    path,
    clock,
    kubernetesVersion: options.kubernetesVersion,
    report: (message) => logger.error(message),
  });
  if (log.image === undefined || from === undefined) return log;
  log.file.close();
  throw new RangeError(`from: ${path} holds a cluster already`);
}

/** A cluster that comes back must not give what it gave before: names, uids. */
const seedOf = ({ seed: fixed }: ClusterSettings, logged: ClusterImage | undefined): number | undefined =>
  fixed === undefined || logged === undefined ? fixed : derivedSeed(fixed, `${logged.store.revision}`);

const startRevisionOf = ({ startRevision }: ClusterSettings): Revision =>
  startRevision === undefined ? NO_REVISION : revision(startRevision);

/** Whether nothing is asked of the objects of a fresh cluster that would make them its own. */
const sharesFreshObjects = ({ from, seed: fixed, startRevision, frozenAt }: ClusterSettings): boolean =>
  from === undefined && fixed === undefined && startRevision === undefined && frozenAt === undefined;

/** Errors: RangeError for a snapshot of another Kubernetes version. */
function checkVersion({ kubernetesVersion }: Snapshot, options: ClusterOptions): void {
  if (kubernetesVersion !== options.kubernetesVersion)
    throw new RangeError(
      `from: a snapshot of Kubernetes ${kubernetesVersion}, but the cluster is of ${options.kubernetesVersion}`,
    );
}

function authenticatorOf(tokens: string | undefined, cluster: Cluster): Authenticator {
  return withServiceAccounts({
    tokens: cluster.tokens,
    clock: cluster.clock,
    stands: (claims) => tokenStands(claims, (...address) => cluster.find(...address)),
    others: tokens === undefined ? everybodyIsAdmin : tokenAuthenticator(tokens),
  });
}

/** The first token of a token file: what the kubeconfig carries. */
function firstToken(tokens: string | undefined): string | undefined {
  return tokens
    ?.split(/\r?\n/)
    .find((line) => line.trim() !== '' && !line.startsWith('#'))
    ?.split(',')[0];
}
