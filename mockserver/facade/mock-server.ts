/** The composition root: a server with its cluster, listening. */
import { loadBuiltInApi, type BuiltInApi } from '../../openapi/built-in-api.js';
import { readFreshServer } from '../../openapi/fresh-server.js';
import { type Authenticator, everybodyIsAdmin, tokenAuthenticator } from '../access/authentication.js';
import { withServiceAccounts } from '../access/service-account-authentication.js';
import { type Clock, realClock } from '../ground/clock.js';
import { type Random, realRandom } from '../ground/random.js';
import { ApiServer } from '../http/api-handler.js';
import { createApp } from '../http/express-app.js';
import { type ApiHandler } from '../http/exchange.js';
import { Listener } from '../http/listener.js';
import { type Logger } from '../http/logger.js';
import { ServedCluster } from '../http/served-cluster.js';
import { type ClusterControl } from '../control/cluster-control.js';
import { clusterTools, type ClusterTools } from '../control/cluster-tools.js';
import { type Faults } from '../faults/faults.js';
import { type Journal } from '../observe/journal.js';
import { ControllerSet } from '../controllers/controller-set.js';
import { controllersNamed } from '../controllers/known-controllers.js';
import { serviceAccountController } from '../controllers/service-accounts/service-account-controller.js';
import { Cluster } from '../registry/cluster.js';
import { type ClusterOptions, clusterOptions } from '../registry/cluster-options.js';
import { CustomResources } from '../registry/custom-resources.js';
import { tokenStands } from '../registry/kinds/service-account.js';
import { keepOwnConditions } from '../registry/own-conditions.js';
import { BuiltInOpenApiDocuments } from '../registry/openapi-built-in-documents.js';
import { freshServerObjects } from '../registry/seed.js';
import { seed } from '../registry/seeding.js';
import { Metrics, METRICS_TYPE } from '../observe/metrics.js';
import { definitionNameOfMessage } from '../../openapi/protobuf-message.js';
import { SchemaTree } from '../schema/schema-tree.js';
import { ValueTypes } from '../patch/value-types.js';
import { type CompiledForms } from '../registry/built-in-resources.js';
import { type MessageTable, messageTable } from '../schema/message-table.js';
import { ProtobufCodec } from '../schema/protobuf/protobuf-codec.js';
import { MessagePlans } from '../schema/typed-codec.js';
import { MemoryStore } from '../store/memory-store.js';
import { kubeconfig, writeKubeconfig } from './kubeconfig.js';
import { loadPaths } from './load.js';
import { type ServerOptions } from './server-options.js';

/** What the kubernetes service of a fresh cluster points at. */
const SECURE_PORT = 6443;

/**
 * Starts a server and resolves when it listens.
 *
 * Errors: RangeError for an option out of its bounds; what binding fails with (EADDRINUSE, …); for files to load, an
 * Error that names file and document.
 */
export async function startMockServer(options: ServerOptions = {}): Promise<MockServer> {
  const server = new MockServer(options);
  try {
    await server.start();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

export class MockServer implements AsyncDisposable {
  readonly #options: ServerOptions;
  readonly #cluster: Cluster;
  readonly #served: ServedCluster;
  readonly #tools: ClusterTools;
  readonly #api: ApiServer;
  readonly #listener: Listener;
  readonly #logger: Logger;
  #controllers: ControllerSet | undefined;
  #address: { readonly host: string; readonly port: number } | undefined;

  /** Nothing listens yet: see `startMockServer`. */
  constructor(options: ServerOptions = {}) {
    this.#options = options;
    const clock = options.clock ?? realClock;
    const random = options.random ?? realRandom;
    this.#logger = loggerOf(options);
    const settings = clusterSettings(options);
    const api = loadBuiltInApi(settings.kubernetesVersion);
    const metrics = new Metrics(realClock);
    this.#cluster = newCluster(api, settings, clock, random, metrics);
    const customResources = new CustomResources(this.#cluster);
    const fresh = readFreshServer(settings.kubernetesVersion);
    seed(this.#cluster, freshServerObjects(fresh, { clock, random, securePort: SECURE_PORT }));
    this.#tools = clusterTools({
      cluster: this.#cluster,
      pace: realClock,
      ...(options.journalCapacity === undefined ? {} : { journalCapacity: options.journalCapacity }),
      ...(options.faultSeed === undefined ? {} : { seed: options.faultSeed }),
    });
    for (const rule of options.faults ?? []) this.#tools.faults.add(rule);
    keepOwnConditions(this.#cluster);
    this.#served = new ServedCluster({
      hooks: this.#tools.hooks,
      cluster: this.#cluster,
      customResources,
      authenticator: authenticatorOf(options, this.#cluster),
      builtInDocuments: new BuiltInOpenApiDocuments({ api, clock }),
      counts: metrics.http,
      metrics: () => ({ contentType: METRICS_TYPE, text: metrics.text(this.#cluster.caches) }),
      serverAddress: () => (this.#address === undefined ? '' : hostPort(this.#address)),
    });
    this.#api = new ApiServer({
      host: { clusterNamed: (name) => (name === undefined || name === 'default' ? this.#served : undefined) },
      logger: this.#logger,
      protobuf: new ProtobufCodec(() => api.messageDocuments.protobuf),
      random,
      clock: realClock,
      observer: options.observer,
    });
    this.#listener = new Listener({
      handler: this.#api.handler,
      onStop: () => this.#api.endWatches(),
      ...(options.tls === undefined ? {} : { tls: options.tls }),
    });
  }

  /** Loads what is to be loaded, then listens. To be called once. */
  async start(): Promise<void> {
    const { host, port, load, kubeconfigPath } = this.#options;
    if (load !== undefined) await loadPaths(this.#cluster, load);
    this.#controllers = new ControllerSet({
      cluster: this.#cluster,
      controllers: controllersNamed(this.#options.controllers ?? [], {
        certificateAuthority: authorityOf(this.#options),
      }),
      onError: (message, cause) => this.#logger.error(message, cause),
    });
    this.#address = await this.#listener.listen({
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port }),
    });
    if (kubeconfigPath !== undefined) writeKubeconfig(kubeconfigPath, this.kubeconfig);
  }

  /** `http://127.0.0.1:18080`. Errors: an Error before the server listens. */
  get url(): string {
    if (this.#address === undefined) throw new Error('the server does not listen yet');
    return `${this.#options.tls === undefined ? 'http' : 'https'}://${hostPort(this.#address)}`;
  }

  get port(): number {
    return this.#address?.port ?? 0;
  }

  /** Misbehaviour on purpose. */
  get faults(): Faults {
    return this.#tools.faults;
  }

  /** What every client asked and was sent. */
  get journal(): Journal {
    return this.#tools.journal;
  }

  /** History, open watches and caches, moved by hand. */
  get control(): ClusterControl {
    return this.#tools.control;
  }

  /** A kubeconfig for this server, as YAML. */
  get kubeconfig(): string {
    return kubeconfig({
      server: this.url,
      token: firstToken(this.#options.tokens),
      certificateAuthority: authorityOf(this.#options),
    });
  }

  /** The request handler, for a server of one's own. */
  get handler(): ApiHandler {
    return this.#api.handler;
  }

  /** An express app that serves the API: for supertest, or to mount beside other routes of an express app. */
  app(): Promise<ApiHandler> {
    return createApp(this.#api.handler);
  }

  /** Resolves when the controllers have nothing to do but what waits for the clock; at once when none runs. */
  async settled(): Promise<void> {
    await this.#controllers?.settled();
  }

  /** Ends watches, closes connections and lets go of every timer. Idempotent. */
  async stop(): Promise<void> {
    this.#controllers?.stop();
    await this.#listener.stop();
    this.#cluster.close('shutdown');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

const authorityOf = ({ tls }: ServerOptions): string | undefined => tls?.ca ?? tls?.cert;

/** Pods are held to the service accounts that a controller provides for. Errors: RangeError of a name or a bound. */
function clusterSettings({ cluster, controllers = [] }: ServerOptions): ClusterOptions {
  const names = controllersNamed(controllers).map(({ name }) => name);
  return clusterOptions({
    serviceAccountAdmission: names.includes(serviceAccountController.name),
    ...cluster,
  });
}

function newCluster(
  api: BuiltInApi,
  options: ReturnType<typeof clusterOptions>,
  clock: Clock,
  random: Random,
  metrics: Metrics,
): Cluster {
  return new Cluster({
    store: new MemoryStore(),
    api,
    ...compiledForms(api),
    clock,
    random,
    options,
    metricsOf: (groupResource) => metrics.watchMetricsOf(groupResource),
  });
}

/** Each made when first asked for, then kept. */
function compiledForms(api: BuiltInApi): CompiledForms {
  let table: MessageTable | undefined;
  let made: MessagePlans | undefined;
  let types: ValueTypes | undefined;
  const tableOf = (): MessageTable => {
    const { protobuf, goTypes } = api.messageDocuments;
    return (table ??= messageTable(protobuf, goTypes));
  };
  const plans = (): MessagePlans => (made ??= new MessagePlans(tableOf()));
  const valueTypes = (): ValueTypes =>
    (types ??= new ValueTypes({
      table: tableOf(),
      coderOf: (message) => plans().coder(message),
      schemaOf: (message) => api.definitionOf(definitionNameOfMessage(message)),
    }));
  let tree: SchemaTree | undefined;
  const schemas = (): SchemaTree => (tree ??= new SchemaTree((name) => api.definitionOf(name)));
  return { plans, valueTypes, schemas };
}

function authenticatorOf({ tokens }: ServerOptions, cluster: Cluster): Authenticator {
  return withServiceAccounts({
    tokens: cluster.tokens,
    clock: cluster.clock,
    stands: (claims) => tokenStands(claims, (...address) => cluster.find(...address)),
    others: tokens === undefined ? everybodyIsAdmin : tokenAuthenticator(tokens),
  });
}

function loggerOf({ onError }: ServerOptions): Logger {
  return {
    error:
      onError ?? ((message, cause) => process.stderr.write(`kube-mockserver: ${message}: ${shown(cause)}\n`)),
  };
}

const shown = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);

const hostPort = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The first token of a token file: what the kubeconfig carries. */
function firstToken(tokens: string | undefined): string | undefined {
  return tokens
    ?.split(/\r?\n/)
    .find((line) => line.trim() !== '' && !line.startsWith('#'))
    ?.split(',')[0];
}
