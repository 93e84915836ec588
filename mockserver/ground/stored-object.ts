/** One object at one revision, frozen, with the texts and bytes that have been made of it. */
import { writeJson, writePlainJson } from './json-write.js';
import { type ApiObject } from './object.js';
import { type Revision } from './revision.js';
import { byteString } from './utf8.js';

/**
 * What the store, the windows, lists and all watchers share. The object is deep-frozen and its
 * metadata.resourceVersion is `revision` (invariant 1).
 */
export class StoredObject {
  /** `/registry/[<group>/]<resource>/[<namespace>/]<name>` */
  readonly key: string;
  readonly revision: Revision;
  readonly object: ApiObject;
  /** Whether `sealJson` has called the object plain, which spares its writer a look. */
  readonly plain: boolean;
  readonly #origin: StoredObject | undefined;
  #json: string | undefined;
  // Most objects are only ever written as JSON and in one form: they have no maps.
  #encoded: Map<string, Buffer> | undefined;
  #bodies: Map<string, string> | undefined;
  #forms: Map<string, StoredObject> | undefined;

  /** @param origin the stored object that this is another form of */
  constructor(key: string, revision: Revision, object: ApiObject, plain = false, origin?: StoredObject) {
    this.key = key;
    this.revision = revision;
    this.object = object;
    this.plain = plain;
    this.#origin = origin;
  }

  /** The stored object that this is another form of; itself when it is as stored. */
  get origin(): StoredObject {
    return this.#origin ?? this;
  }

  /** The object as compact JSON, a byte string without a newline: written once, then everybody shares it. */
  get json(): string {
    return (this.#json ??= byteString(this.plain ? writePlainJson(this.object) : writeJson(this.object)));
  }

  /** The bytes in another format (`yaml`, …): `encode` runs once, then everybody shares the buffer. */
  encoded(format: string, encode: (object: ApiObject) => Buffer): Buffer {
    const known = this.#encoded?.get(format);
    if (known !== undefined) return known;
    const bytes = encode(this.object);
    (this.#encoded ??= new Map()).set(format, bytes);
    return bytes;
  }

  /** A whole answer in another format, as a byte string: `make` runs once, then everybody shares the text. */
  body(format: string, make: () => string): string {
    const known = this.#bodies?.get(format);
    if (known !== undefined) return known;
    const text = make();
    (this.#bodies ??= new Map()).set(format, text);
    return text;
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
      object === this.object ? this : new StoredObject(this.key, this.revision, object, false, this.origin);
    (this.#forms ??= new Map()).set(name, made);
    return made;
  }
}
