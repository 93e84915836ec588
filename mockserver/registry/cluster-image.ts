/** A cluster's objects at one moment: what a snapshot keeps and what forks begin with. */
import { type OrderedMap } from '../ground/ordered-map.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type StoreImage } from '../store/store-image.js';

/** Never changes; taking one, and going back to it, takes the same time whatever the number of objects. */
export class ClusterImage {
  readonly store: StoreImage;
  readonly #states: ReadonlyMap<string, OrderedMap<StoredObject>>;

  /** @param states of the watch caches, by their prefix; what is not among them is read from the store */
  constructor(store: StoreImage, states: ReadonlyMap<string, OrderedMap<StoredObject>>) {
    this.store = store;
    this.#states = states;
  }

  /** What a watch cache begins with; its own. Shape: undefined: it is to be read from the store. */
  stateOf(prefix: string): OrderedMap<StoredObject> | undefined {
    return this.#states.get(prefix)?.copy();
  }
}

/**
 * What the clients of open watches see when a cluster goes back to a snapshot: their end, an ERROR event 410, or nothing
 * at all. Only in the third case the revision goes on from where it is, so that versions keep rising for them.
 */
export const RESTORED_WATCHES = ['end', '410', 'unchanged'] as const;
export type RestoredWatches = (typeof RESTORED_WATCHES)[number];
