/** A second server of a cluster, as its user sees it. */
import { type Replica } from '../registry/replica.js';
import { type Revision } from '../ground/revision.js';

export interface ReplicaServerParts {
  readonly url: string;
  readonly replica: Replica;
  readonly revisionBack: (back: number) => Revision;
  readonly kubeconfig: string;
  readonly close: () => Promise<void>;
}

export class ReplicaServer implements AsyncDisposable {
  readonly #parts: ReplicaServerParts;

  constructor(parts: ReplicaServerParts) {
    this.#parts = parts;
  }

  get url(): string {
    return this.#parts.url;
  }

  /** A kubeconfig for this server, as YAML. */
  get kubeconfig(): string {
    return this.#parts.kubeconfig;
  }

  /** Its caches hear of no commit any more. */
  freeze(): void {
    this.#parts.replica.holdBack({ kind: 'frozen' });
  }

  /** Its caches hear of commits so many milliseconds late. */
  lag(ms: number): void {
    this.#parts.replica.holdBack({ kind: 'time', ms });
  }

  /** It stands still so many revisions back; its watches end. */
  travelBack(revisions: number): void {
    this.#parts.replica.travelTo(this.#parts.revisionBack(revisions));
  }

  /** It follows the store again. */
  release(): void {
    this.#parts.replica.release();
  }

  /** Closes its address and ends its watches. Idempotent. */
  close(): Promise<void> {
    return this.#parts.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
