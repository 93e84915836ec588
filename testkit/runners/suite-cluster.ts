/** The cluster of one test file: made before its tests, reset after each, deleted at the end. Knows no runner. */
import { ClusterClient } from '../client/cluster-client.js';
import { type ClusterWish, HostClient, type MadeCluster } from '../client/host-client.js';
import { type Manifest } from '../client/kube-object.js';

export interface SuiteOptions {
  /** What the cluster is told when it is made: seed, controllers, files to load, … */
  readonly cluster?: ClusterWish;
  /** Applied before the first test; each test begins with them. */
  readonly objects?: readonly Manifest[];
  /** What open watches see of the reset after each test. @default 'end' */
  readonly watches?: 'end' | '410' | 'unchanged';
}

export class SuiteCluster {
  /** Usable from the first beforeAll on. */
  readonly client: ClusterClient;
  readonly #options: SuiteOptions;
  #host: HostClient | undefined;
  #made: MadeCluster | undefined;
  #beginning: string | undefined;

  constructor(options: SuiteOptions) {
    this.#options = options;
    this.client = new ClusterClient(() => {
      if (this.#made === undefined) throw new Error('the cluster is there within hooks and tests only');
      return { url: this.#made.url };
    });
  }

  /** @param url of the server */
  async begin(url: string): Promise<void> {
    const { cluster = {}, objects = [] } = this.#options;
    this.#host = new HostClient(url);
    this.#made = await this.#host.createCluster(cluster);
    await this.client.apply(...objects);
    // What the tests begin with is what they come back to.
    this.#beginning = await this.client.snapshot(this.#made.name);
  }

  /** Back to the beginning, for the next test. */
  async reset(): Promise<void> {
    const { watches = 'end' } = this.#options;
    if (this.#beginning === undefined) return;
    await this.client.reset(watches, this.#beginning);
  }

  /** What the clients did, for the report of a test that failed. */
  async story(): Promise<string> {
    const view = await this.client.journal();
    return view.entries.length === 0
      ? 'no client but the test itself asked the cluster for anything'
      : `what the clients did in ${this.#made?.name ?? 'the cluster'}:\n${view.explain()}`;
  }

  async end(): Promise<void> {
    const made = this.#made;
    if (made === undefined) return;
    // Snapshots outlive their cluster, and the server may serve many files.
    if (this.#beginning !== undefined) await this.client.dropSnapshot(this.#beginning);
    this.#made = undefined;
    this.#beginning = undefined;
    await this.#host?.deleteCluster(made.name);
  }
}
