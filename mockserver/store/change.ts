/** One put or delete of one key at one revision. */
import { editMetadata, withMetadata } from '../ground/object.js';
import { type Revision, toResourceVersion } from '../ground/revision.js';
import { StoredObject } from '../ground/stored-object.js';

export class Change {
  readonly revision: Revision;
  readonly key: string;
  /** What stands there now; undefined after a delete. */
  readonly current: StoredObject | undefined;
  /** What stood there before; undefined for a new key. One of the two is always there. */
  readonly previous: StoredObject | undefined;
  #departed: StoredObject | undefined;

  constructor(
    revision: Revision,
    key: string,
    current: StoredObject | undefined,
    previous: StoredObject | undefined,
  ) {
    this.revision = revision;
    this.key = key;
    this.current = current;
    this.previous = previous;
  }

  /**
   * The previous content under the revision of this change: what those see whose selection the object leaves,
   * by deletion or by its labels.
   *
   * Shape: made once and shared; its members stand as in the previous object.
   * Errors: a broken invariant when there was no previous object.
   * Source: apiserver cacher/cache_watcher.go, convertToWatchEvent.
   */
  get departed(): StoredObject {
    if (this.#departed === undefined) {
      const before = this.previous;
      if (before === undefined)
        throw new Error(`change ${this.revision} of ${this.key} has no previous object`);
      const metadata = editMetadata(before.object.metadata, {
        resourceVersion: toResourceVersion(this.revision),
      });
      this.#departed = new StoredObject(
        this.key,
        this.revision,
        Object.freeze(withMetadata(before.object, Object.freeze(metadata))),
      );
    }
    return this.#departed;
  }
}
