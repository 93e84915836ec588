/** The clusters of a server and the snapshots that are kept for its clients, as the routes under `/_mock/` see them. */
import { type JsonObject } from '../ground/json.js';
import { type Snapshot } from './snapshot.js';

export interface ClusterDirectory {
  /** Name and address of each, the default one first. */
  list(): readonly ListedCluster[];
  /**
   * Makes a cluster. Shape: as `list` shows it.
   * @param settings members of ClusterSettings, not yet checked
   * Errors: RangeError that names the member.
   */
  create(settings: JsonObject, from: Snapshot | undefined): ListedCluster;
  /** Shape: false when there is none of that name. Errors: RangeError for the default one, which stays. */
  delete(name: string): boolean;
  readonly snapshots: SnapshotShelf;
}

export interface ListedCluster {
  readonly name: string;
  readonly url: string;
}

/** Snapshots under names, so that requests can speak of them. */
export class SnapshotShelf {
  readonly #kept = new Map<string, Snapshot>();
  #made = 0;

  /** Shape: the name. @param name in the place of an older one's; @default one that is free */
  keep(snapshot: Snapshot, name = `snapshot-${++this.#made}`): string {
    this.#kept.set(name, snapshot);
    return name;
  }

  find(name: string): Snapshot | undefined {
    return this.#kept.get(name);
  }

  /** Shape: whether there was one. */
  drop(name: string): boolean {
    return this.#kept.delete(name);
  }

  get names(): readonly string[] {
    return [...this.#kept.keys()];
  }
}
