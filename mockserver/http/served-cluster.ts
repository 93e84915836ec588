/** One cluster as HTTP serves it: its API, who may come in, and the documents about it. */
import { type Authenticator } from '../access/authentication.js';
import { type Cluster } from '../registry/cluster.js';
import { customResourceOf } from '../registry/custom-resource.js';
import { type CustomResources } from '../registry/custom-resources.js';
import { answerDiscovery } from '../registry/discovery.js';
import { type DocumentAnswer, type RequestHeaders } from '../registry/document-answer.js';
import { type OpenApiBase } from '../registry/openapi-base.js';
import { OpenApiDocuments } from '../registry/openapi-documents.js';
import { type TableFormats } from '../registry/tables/table-formats.js';
import { servedApi, type ServedApi } from '../registry/served-api.js';
import { type FlowIds } from './exchange.js';
import { type HttpCounts, NO_HTTP_COUNTS } from './http-counts.js';
import { type ClusterHooks } from './cluster-hooks.js';

export interface ServedClusterParts {
  readonly cluster: Cluster;
  readonly customResources: CustomResources;
  readonly authenticator: Authenticator;
  readonly tables: TableFormats;
  readonly builtInDocuments: OpenApiBase;
  /** `host:port` under which clients reach the server; asked when a document shows it. */
  readonly serverAddress: () => string;
  /** Who counts requests and watches. @default nobody */
  readonly counts?: HttpCounts;
  /** What `/metrics` answers. @default there is no such page */
  readonly metrics?: () => { readonly contentType: string; readonly text: string };
  /** Who looks at the exchanges and may step in. @default nobody */
  readonly hooks?: ClusterHooks;
}

export class ServedCluster {
  readonly cluster: Cluster;
  readonly authenticator: Authenticator;
  readonly flow: FlowIds;
  readonly tables: TableFormats;
  readonly counts: HttpCounts;
  readonly hooks: ClusterHooks | undefined;
  readonly #parts: ServedClusterParts;
  readonly #documents: OpenApiDocuments;
  #api: ServedApi | undefined;
  #madeAt = -1;

  constructor(parts: ServedClusterParts) {
    this.#parts = parts;
    this.cluster = parts.cluster;
    this.authenticator = parts.authenticator;
    this.counts = parts.counts ?? NO_HTTP_COUNTS;
    this.hooks = parts.hooks;
    this.tables = parts.tables;
    const { random, clock } = parts.cluster;
    this.flow = { flowSchemaUid: random.uuid(), priorityLevelUid: random.uuid() };
    this.#documents = new OpenApiDocuments({ builtIn: parts.builtInDocuments, clock });
  }

  /** Shape: undefined for a path that names no document about the API. */
  document(
    path: string,
    query: URLSearchParams,
    headers: RequestHeaders,
    method: string,
  ): DocumentAnswer | undefined {
    if (path === '/metrics') {
      const metrics = this.#parts.metrics?.();
      return metrics && { code: 200, contentType: metrics.contentType, headers: {}, body: metrics.text };
    }
    this.#refresh();
    return path.startsWith('/openapi/')
      ? this.#documents.answer(path, query, headers, method)
      : this.#api && answerDiscovery(path, query, headers, this.#api, method);
  }

  /** The documents follow the resource table: they are made anew when it has changed since. */
  #refresh(): void {
    const { cluster, customResources, serverAddress } = this.#parts;
    if (this.#api !== undefined && this.#madeAt === cluster.resources.generation) return;
    this.#madeAt = cluster.resources.generation;
    const custom = customResources.definitions.map(customResourceOf);
    this.#api = servedApi({
      api: cluster.api,
      custom,
      serverAddress: serverAddress(),
      serviceAccountIssuer: cluster.tokens.issuer,
      serviceAccountKeys: () => cluster.tokens.publicKeys(),
    });
    this.#documents.setCustomResources(custom);
  }
}
