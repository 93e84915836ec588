/** The composition root: a server with its clusters, listening. */
import { type ImportedCluster } from '../../openapi/imported/imported-cluster.js';
import { type ClusterControl, type ResetOptions } from '../control/cluster-control.js';
import { SnapshotShelf } from '../control/cluster-directory.js';
import { type Snapshot } from '../control/snapshot.js';
import { type PodRules } from '../controllers/nodes/pod-rules.js';
import { type Faults } from '../faults/faults.js';
import { type Clock, realClock } from '../ground/clock.js';
import { type ClusterClock } from '../ground/cluster-clock.js';
import { type Random, realRandom } from '../ground/random.js';
import { ApiServer } from '../http/api-handler.js';
import { createApp } from '../http/express-app.js';
import { type ApiHandler } from '../http/exchange.js';
import { Listener } from '../http/listener.js';
import { type Logger } from '../http/logger.js';
import { type Journal } from '../observe/journal.js';
import { type LogBook } from '../registry/log-book.js';
import { type RestoredWatches } from '../registry/cluster-image.js';
import { ProtobufCodec } from '../schema/protobuf/protobuf-codec.js';
import { checkClusterName, clusterOptionsOf } from './cluster-settings.js';
import { readClusterSettings } from './cluster-settings-reader.js';
import { derivedSeed } from './derived-seed.js';
import { importFrom } from './import-from.js';
import { writeKubeconfig } from './kubeconfig.js';
import { MockCluster } from './mock-cluster.js';
import { ReplicaServer } from './replica-server.js';
import { checkOptions } from './option-checks.js';
import { CLUSTER_OPTIONS, type ClusterSettings, SERVER_OPTIONS, type ServerOptions } from './options.js';
import { SharedForms } from './shared-forms.js';

/** The cluster whose paths have no prefix. */
const DEFAULT_CLUSTER = 'default';

/**
 * Starts a server and resolves when it listens.
 *
 * Errors: TypeError for an option that there is not or of another type; RangeError for one out of its bounds; what binding fails with (EADDRINUSE, …); for files to load, an
 * Error that names file and document; ImportError for an `openapi` that cannot be used.
 */
export async function startMockServer(options: ServerOptions = {}): Promise<MockServer> {
  checkOptions(options, SERVER_OPTIONS);
  const server = new MockServer(options, await importOf(options));
  try {
    await server.start();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

const importOf = ({ openapi }: ServerOptions): Promise<ImportedCluster | undefined> =>
  openapi === undefined ? Promise.resolve(undefined) : importFrom(openapi);

export class MockServer implements AsyncDisposable {
  readonly #options: ServerOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #imported: ImportedCluster | undefined;
  readonly #shared = new Map<string, SharedForms>();
  readonly #clusters = new Map<string, MockCluster>();
  readonly #snapshots = new SnapshotShelf();
  readonly #default: MockCluster;
  readonly #api: ApiServer;
  readonly #listener: Listener;
  readonly #replicas = new Set<Listener>();
  readonly #logger: Logger;
  /** They share the address: it is open when none of them keeps it closed. */
  readonly #refusing = new Set<MockCluster>();
  #address: { readonly host: string; readonly port: number } | undefined;
  #named = 0;

  /** Nothing listens yet: see `startMockServer`. @param imported what `openapi` names */
  constructor(options: ServerOptions = {}, imported?: ImportedCluster) {
    checkOptions(options, SERVER_OPTIONS);
    this.#options = options;
    this.#imported = imported;
    this.#clock = options.clock ?? realClock;
    this.#random = options.random ?? realRandom;
    this.#logger = loggerOf(options);
    this.#default = this.#newCluster(DEFAULT_CLUSTER, options);
    const { api } = this.#sharedOf(clusterOptionsOf(options).kubernetesVersion).blueprint;
    this.#api = new ApiServer({
      host: { clusterNamed: (name = DEFAULT_CLUSTER) => this.#clusters.get(name)?.served },
      logger: this.#logger,
      protobuf: new ProtobufCodec(() => api.messageDocuments.protobuf),
      random: this.#random,
      clock: realClock,
      observer: options.observer,
    });
    this.#listener = this.#newListener(this.#api.handler);
  }

  /** Begins to listen. To be called once. */
  async start(): Promise<void> {
    const { host, port, kubeconfigPath } = this.#options;
    this.#address = await this.#listener.listen({
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port }),
    });
    if (kubeconfigPath !== undefined) writeKubeconfig(kubeconfigPath, this.kubeconfig);
  }

  /** `http://127.0.0.1:18080`. Errors: an Error before the server listens. */
  get url(): string {
    if (this.#address === undefined) throw new Error('the server does not listen yet');
    return this.#urlOf(this.#address);
  }

  get port(): number {
    return this.#address?.port ?? 0;
  }

  /** The cluster whose paths have no prefix; what follows is its own. */
  get cluster(): MockCluster {
    return this.#default;
  }

  /** Misbehaviour on purpose. */
  get faults(): Faults {
    return this.#default.faults;
  }

  /** What every client asked and was sent. */
  get journal(): Journal {
    return this.#default.journal;
  }

  /** What containers have written, for whoever asks for the log of a pod. */
  get logs(): LogBook {
    return this.#default.logs;
  }

  /** How `fake-node` runs pods. */
  get podRules(): PodRules {
    return this.#default.podRules;
  }

  /** History, open watches and caches, moved by hand. */
  get control(): ClusterControl {
    return this.#default.control;
  }

  /** The time of the default cluster. */
  get clock(): ClusterClock {
    return this.#default.clock;
  }

  /** A kubeconfig for this server, as YAML. */
  get kubeconfig(): string {
    return this.#default.kubeconfig;
  }

  /** The objects of now, kept in the same time whatever their number. */
  snapshot(): Snapshot {
    return this.#default.snapshot();
  }

  /** The default cluster goes back to a snapshot; see MockCluster. */
  restore(snapshot: Snapshot, options: { readonly watches?: RestoredWatches } = {}): void {
    this.#default.restore(snapshot, options);
  }

  /** The default cluster goes back to how it was when the server started; see MockCluster. */
  reset(options: ResetOptions = {}): void {
    this.#default.reset(options);
  }

  /**
   * Makes a further cluster, isolated from all others and served under `/clusters/<name>`.
   *
   * Errors: RangeError for settings out of their bounds and for a name that is taken; for files to load, an Error that
   * names file and document.
   */
  createCluster(settings: ClusterSettings = {}): MockCluster {
    checkOptions(settings, CLUSTER_OPTIONS);
    const name = settings.name ?? this.#freeName();
    checkClusterName(name);
    if (this.#clusters.has(name)) throw new RangeError(`cluster name "${name}" is taken`);
    const { seed } = this.#options;
    return this.#newCluster(name, {
      ...inherited(this.#options, settings),
      ...(seed === undefined ? {} : { seed: derivedSeed(seed, name) }),
      ...settings,
    });
  }

  /** The clusters by name, the default one first. */
  get clusters(): ReadonlyMap<string, MockCluster> {
    return this.#clusters;
  }

  /** Shape: false when there is none of that name. Errors: RangeError for the default one, which stays. */
  deleteCluster(name: string): boolean {
    if (name === DEFAULT_CLUSTER) throw new RangeError('the default cluster stays as long as its server');
    const cluster = this.#clusters.get(name);
    cluster?.delete();
    return cluster !== undefined;
  }

  /** The request handler, for a server of one's own. */
  get handler(): ApiHandler {
    return this.#api.handler;
  }

  /** An express app that serves the API: for supertest, or to mount beside other routes of an express app. */
  app(): Promise<ApiHandler> {
    return createApp(this.#api.handler);
  }

  /** Of the default cluster: resolves when its controllers have nothing to do but what waits for the clock. */
  settled(): Promise<void> {
    return this.#default.settled();
  }

  /**
   * A second server of the default cluster: its own address, and caches of its own that can be held back.
   *
   * Shape: an object that follows the store until it is told otherwise; disposing of it closes the address.
   */
  async addReplica(name: string): Promise<ReplicaServer> {
    const { control } = this.#default;
    const { cluster } = this.#default.served;
    const replica = control.replica(name);
    const listener = this.#newListener(
      this.#api.handlerReading((one) => (one === cluster ? replica.cacheOf : undefined)),
    );
    this.#replicas.add(listener);
    const { host } = this.#options;
    const url = this.#urlOf(await listener.listen(host === undefined ? {} : { host }));
    return new ReplicaServer({
      url,
      replica,
      kubeconfig: this.kubeconfig.replaceAll(this.url, url),
      revisionBack: (back) => control.revisionBack(back),
      close: async () => {
        this.#replicas.delete(listener);
        control.closeReplica(name);
        await listener.stop();
      },
    });
  }

  /** Ends watches, closes connections and lets go of every timer. Idempotent. */
  async stop(): Promise<void> {
    await Promise.all(this.#listeners().map((listener) => listener.stop()));
    for (const cluster of this.#clusters.values()) cluster.shutDown();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #newListener(handler: ApiHandler): Listener {
    const { tls } = this.#options;
    return new Listener({
      handler,
      onStop: () => this.#api.endWatches(),
      onError: (message, cause) => this.#logger.error(message, cause),
      ...(tls === undefined ? {} : { tls }),
    });
  }

  #listeners(): readonly Listener[] {
    return [this.#listener, ...this.#replicas];
  }

  #urlOf(address: { readonly host: string; readonly port: number }): string {
    return `${this.#options.tls === undefined ? 'http' : 'https'}://${hostPort(address)}`;
  }

  #newCluster(name: string, settings: ClusterSettings): MockCluster {
    const options = clusterOptionsOf(settings);
    const { tls } = this.#options;
    const cluster = new MockCluster({
      name,
      settings,
      options,
      shared: this.#sharedOf(options.kubernetesVersion),
      pace: realClock,
      clock: this.#clock,
      random: this.#random,
      serverAddress: () => (this.#address === undefined ? '' : hostPort(this.#address)),
      url: () => (name === DEFAULT_CLUSTER ? this.url : `${this.url}/clusters/${name}`),
      certificateAuthority: tls?.ca ?? tls?.cert,
      logger: this.#logger,
      directory: {
        snapshots: this.#snapshots,
        list: () => [...this.#clusters.values()].map(({ name: one, url }) => ({ name: one, url })),
        create: (given, from) =>
          this.createCluster({ ...readClusterSettings(given), ...(from === undefined ? {} : { from }) }),
        delete: (one) => this.deleteCluster(one),
      },
      leave: () => {
        if (this.#clusters.get(name) === cluster) this.#clusters.delete(name);
      },
      fork: (given) => this.createCluster({ ...inherited(settings, given), ...given }),
    });
    this.#clusters.set(name, cluster);
    cluster.control.setGate({
      close: () => {
        this.#refusing.add(cluster);
        for (const listener of this.#listeners()) listener.pause();
      },
      open: () => {
        this.#refusing.delete(cluster);
        if (this.#refusing.size > 0) return;
        for (const listener of this.#listeners()) listener.resume();
      },
    });
    return cluster;
  }

  #sharedOf(kubernetesVersion: string): SharedForms {
    let shared = this.#shared.get(kubernetesVersion);
    if (shared === undefined) {
      shared = new SharedForms(kubernetesVersion, this.#clock, this.#imported);
      this.#shared.set(kubernetesVersion, shared);
    }
    return shared;
  }

  #freeName(): string {
    let name: string;
    do name = `cluster-${++this.#named}`;
    while (this.#clusters.has(name));
    return name;
  }
}

/**
 * What a cluster has from its server, and a fork from the cluster that it is forked from. What is given as
 * `cluster.admission` goes before an inherited `admission`.
 */
function inherited(
  { cluster, admission, controllers, fakeNode, tokens, journalCapacity }: ClusterSettings,
  given: ClusterSettings,
): ClusterSettings {
  return {
    ...(cluster === undefined ? {} : { cluster }),
    ...(admission === undefined || given.cluster?.admission !== undefined ? {} : { admission }),
    ...(controllers === undefined ? {} : { controllers }),
    ...(fakeNode === undefined ? {} : { fakeNode }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(journalCapacity === undefined ? {} : { journalCapacity }),
  };
}

function loggerOf({ onError }: ServerOptions): Logger {
  return {
    error:
      onError ??
      ((message, cause) =>
        process.stderr.write(
          `kube-mockserver: ${message}${cause === undefined ? '' : `: ${shown(cause)}`}\n`,
        )),
  };
}

const shown = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);

const hostPort = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;
