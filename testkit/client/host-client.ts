/** A server as a test asks it for clusters. */
import { ClusterClient } from './cluster-client.js';
import { ask } from './requests.js';

/** What a cluster can be told when it is made; see ClusterSettings. */
export interface ClusterWish {
  readonly name?: string;
  /** Name of a snapshot to begin with. */
  readonly snapshot?: string;
  readonly seed?: number;
  readonly startRevision?: number;
  readonly frozenAt?: string | number;
  /** Files and folders whose objects are created at the start, as the server sees them. */
  readonly load?: readonly string[];
  readonly controllers?: readonly string[];
}

export interface MadeCluster {
  readonly name: string;
  readonly url: string;
}

export class HostClient {
  readonly #url: string;

  /** @param url of the server */
  constructor(url: string) {
    this.#url = url;
  }

  /** Errors: ApiError that names what the server does not take. */
  async createCluster(wish: ClusterWish = {}): Promise<MadeCluster> {
    const { name, url } = (await this.#ask('POST', 'clusters', wish)) as MadeCluster; // of this route
    return { name, url };
  }

  async deleteCluster(name: string): Promise<void> {
    await this.#ask('DELETE', `clusters/${encodeURIComponent(name)}`);
  }

  clientOf({ url }: MadeCluster): ClusterClient {
    return new ClusterClient(url);
  }

  #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    return ask(
      { url: this.#url },
      { method, path: `/_mock/${path}`, ...(body === undefined ? {} : { body }) },
    );
  }
}
