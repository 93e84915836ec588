/** A server as a test asks it for clusters. */
import { readFileSync } from 'node:fs';
import { manifestFiles } from '../../mockserver/ground/manifest-files.js';
import { ClusterClient } from './cluster-client.js';
import { objectsOf } from './manifests.js';
import { ask } from './requests.js';

/** What a cluster can be told when it is made; see ClusterSettings. */
export interface ClusterWish {
  readonly name?: string;
  /** Name of a snapshot to begin with. */
  readonly snapshot?: string;
  readonly seed?: number;
  readonly startRevision?: number;
  readonly frozenAt?: string | number;
  /** YAML and JSON files, and folders of them, whose objects are created at the start; they are read here. */
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

  /** Errors: ApiError that names what the server does not take; for files, as reading them. */
  async createCluster({ load, ...wish }: ClusterWish = {}): Promise<MadeCluster> {
    const objects = load?.flatMap(manifestFiles).map((file) => readFileSync(file, 'utf8'));
    const settings = objects === undefined ? wish : { ...wish, objects: objectsOf(objects) };
    const { name, url } = (await this.#ask('POST', 'clusters', settings)) as MadeCluster; // of this route
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
