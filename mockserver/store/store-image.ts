/** What a store holds at one moment, as a value. */
import { type OrderedMap } from '../ground/ordered-map.js';
import { type Revision } from '../ground/revision.js';
import { type StoredObject } from '../ground/stored-object.js';
import { latest, type Versions } from './versions.js';

/** The whole content of a store at one moment, taken and put back in the same time whatever its size. */
export class StoreImage {
  readonly revision: Revision;
  readonly compacted: Revision;
  readonly #keys: OrderedMap<Versions>;
  readonly #compactable: OrderedMap<string>;

  constructor(parts: {
    readonly revision: Revision;
    readonly compacted: Revision;
    readonly keys: OrderedMap<Versions>;
    readonly compactable: OrderedMap<string>;
  }) {
    this.revision = parts.revision;
    this.compacted = parts.compacted;
    this.#keys = parts.keys.copy();
    this.#compactable = parts.compactable.copy();
  }

  /** The objects of now. Shape: fresh, in key order. */
  get objects(): StoredObject[] {
    const objects: StoredObject[] = [];
    this.#keys.forEach((versions) => {
      const object = latest(versions);
      if (object !== undefined) objects.push(object);
    });
    return objects;
  }

  /** Copies, for a store to change. */
  get content(): { readonly keys: OrderedMap<Versions>; readonly compactable: OrderedMap<string> } {
    return { keys: this.#keys.copy(), compactable: this.#compactable.copy() };
  }
}
