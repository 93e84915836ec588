/** One object at one revision, frozen, with the bytes that have been made of it. */
import { type ApiObject } from './object.js';
import { type Revision } from './revision.js';

/**
 * What the store, the windows, lists and all watchers share. The object is deep-frozen and its
 * metadata.resourceVersion is `revision` (invariant 1).
 */
export class StoredObject {
  /** `/registry/[<group>/]<resource>/[<namespace>/]<name>` */
  readonly key: string;
  readonly revision: Revision;
  readonly object: ApiObject;
  /** The stored object that this is another form of; itself when it is as stored. */
  readonly origin: StoredObject;
  #encoded: Map<string, Buffer> | undefined;
  #forms: Map<string, StoredObject> | undefined;

  constructor(key: string, revision: Revision, object: ApiObject, origin?: StoredObject) {
    this.key = key;
    this.revision = revision;
    this.object = object;
    this.origin = origin ?? this;
  }

  /** The bytes in one format (`json`, `yaml`, …): `encode` runs once, then everybody shares the buffer. */
  encoded(format: string, encode: (object: ApiObject) => Buffer): Buffer {
    const known = this.#encoded?.get(format);
    if (known !== undefined) return known;
    const bytes = encode(this.object);
    (this.#encoded ??= new Map()).set(format, bytes);
    return bytes;
  }

  /**
   * The same object in another form (`events.k8s.io/v1`, `PartialObjectMetadata`): converted once, then shared; this
   * very one when converting changes nothing.
   */
  form(name: string, convert: (object: ApiObject) => ApiObject): StoredObject {
    const known = this.#forms?.get(name);
    if (known !== undefined) return known;
    const object = convert(this.object);
    const made =
      object === this.object ? this : new StoredObject(this.key, this.revision, object, this.origin);
    (this.#forms ??= new Map()).set(name, made);
    return made;
  }
}
