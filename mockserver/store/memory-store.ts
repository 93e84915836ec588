/** The store in memory: an ordered map of keys, each with its versions since the last compaction. */
import { compactJson } from '../ground/json-compact.js';
import { sealJson } from '../ground/json-write.js';
import { OrderedMap } from '../ground/ordered-map.js';
import { NO_REVISION, nextRevision, type Revision } from '../ground/revision.js';
import { StoredObject } from '../ground/stored-object.js';
import { Change } from './change.js';
import { type ChangeLog } from './change-log.js';
import { type Address } from './key.js';
import { StoreImage } from './store-image.js';
import { type Draft, type RangeQuery, type RangeResult, type Store, type Subscriber } from './store.js';
import { StoreError } from './store-error.js';
import { compacted, latest, objectAt, upTo, type Versions } from './versions.js';

export interface MemoryStoreOptions {
  /** The revision that the store starts at. @default 0 */
  readonly startRevision?: Revision;
  /** What it starts with. @default nothing, at startRevision */
  readonly image?: StoreImage;
  /** In the place of what the image has at the same keys and revisions. @default nothing */
  readonly replacing?: readonly StoredObject[];
}

export class MemoryStore implements Store {
  #revision: Revision;
  #compacted: Revision = NO_REVISION;
  #keys = new OrderedMap<Versions>();
  /** Keys with more than one version or with a deletion: all that a compaction has to look at. */
  #compactable = new OrderedMap<string>();
  #log: ChangeLog | undefined;
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  readonly #heralds = new Set<(prefix: string) => void>();
  readonly #commitListeners = new Set<(revision: Revision) => void>();
  readonly #compactionListeners = new Set<(compacted: Revision) => void>();

  constructor(options: MemoryStoreOptions = {}) {
    this.#revision = options.startRevision ?? NO_REVISION;
    if (options.image !== undefined) this.restore(options.image, options.image.revision);
    for (const object of options.replacing ?? []) this.#keys.set(object.key, object);
  }

  /** From now on the log is told of everything, before it is so. @param log that has what is there already */
  keepLog(log: ChangeLog): void {
    this.#log = log;
  }

  image(): StoreImage {
    return new StoreImage({
      revision: this.#revision,
      compacted: this.#compacted,
      keys: this.#keys,
      compactable: this.#compactable,
    });
  }

  restore(image: StoreImage, revision: Revision): void {
    this.#log?.replaced(image, revision);
    const { keys, compactable } = image.content;
    this.#keys = keys;
    this.#compactable = compactable;
    this.#compacted = image.compacted;
    this.#revision = revision;
  }

  skip(revisions: number): void {
    if (revisions <= 0) return;
    const target = (this.#revision + revisions) as Revision; // a whole number above a revision
    this.#log?.moved(target);
    this.#revision = target;
    for (const listener of this.#commitListeners) listener(this.#revision);
  }

  rewind(at: Revision): void {
    const revision = this.#readable(at);
    const [keys, compactable] = [this.#keys.copy(), this.#compactable.copy()];
    for (const [key, versions] of keys.entries()) {
      if (versions.revision <= revision) continue;
      const kept = upTo(versions, revision);
      if (kept === undefined) {
        keys.delete(key);
        compactable.delete(key);
      } else keys.set(key, kept);
    }
    this.restore(new StoreImage({ revision, compacted: this.#compacted, keys, compactable }), revision);
  }

  get revision(): Revision {
    return this.#revision;
  }

  get compactedRevision(): Revision {
    return this.#compacted;
  }

  get(key: string): StoredObject | undefined {
    return latest(this.#keys.get(key));
  }

  range(query: RangeQuery): RangeResult {
    const at = this.#readable(query.at);
    const limit = query.limit ?? Infinity;
    const items: StoredObject[] = [];
    let more = false;
    this.#keys.forRange(query.start, query.end, (versions) => {
      const object = objectAt(versions, at);
      if (object === undefined) return true;
      more = items.length >= limit;
      if (!more) items.push(object);
      return !more;
    });
    return { items, more };
  }

  count(query: Omit<RangeQuery, 'limit'>): number {
    const at = this.#readable(query.at);
    let count = 0;
    this.#keys.forRange(query.start, query.end, (versions) => {
      if (objectAt(versions, at) !== undefined) count++;
      return true;
    });
    return count;
  }

  create(address: Address, draft: Draft): Change {
    const existing = this.get(address.key);
    if (existing !== undefined) throw new StoreError({ kind: 'key-exists', key: address.key, existing });
    return this.#commit(address, undefined, draft);
  }

  update(address: Address, expected: Revision, draft: Draft): Change {
    return this.#commit(address, this.#expect(address.key, expected), draft);
  }

  delete(address: Address, expected: Revision): Change {
    return this.#commit(address, this.#expect(address.key, expected), undefined);
  }

  compact(at: Revision): void {
    if (at > this.#revision)
      throw new StoreError({ kind: 'future-revision', asked: at, current: this.#revision });
    if (at <= this.#compacted)
      throw new StoreError({ kind: 'compacted', asked: at, compacted: this.#compacted });
    this.#log?.compacted(at);
    this.#compacted = at;
    const keys: string[] = [];
    this.#compactable.forEach((key) => keys.push(key));
    for (const key of keys) {
      const kept = compacted(this.#keys.get(key), at);
      if (kept === undefined) this.#keys.delete(key);
      else this.#keys.set(key, kept);
      if (kept === undefined || kept instanceof StoredObject) this.#compactable.delete(key);
    }
    for (const listener of this.#compactionListeners) listener(at);
  }

  subscribe(prefix: string, subscriber: Subscriber): () => void {
    const all = this.#subscribers.get(prefix) ?? new Set();
    this.#subscribers.set(prefix, all.add(subscriber));
    return () => {
      all.delete(subscriber);
      if (all.size === 0 && this.#subscribers.get(prefix) === all) this.#subscribers.delete(prefix);
    };
  }

  beforeCommit(listener: (prefix: string) => void): () => void {
    this.#heralds.add(listener);
    return () => this.#heralds.delete(listener);
  }

  onCommit(listener: (revision: Revision) => void): () => void {
    this.#commitListeners.add(listener);
    return () => this.#commitListeners.delete(listener);
  }

  onCompaction(listener: (compacted: Revision) => void): () => void {
    this.#compactionListeners.add(listener);
    return () => this.#compactionListeners.delete(listener);
  }

  #commit({ prefix, key }: Address, previous: StoredObject | undefined, draft: Draft | undefined): Change {
    for (const herald of this.#heralds) herald(prefix);
    if (this.#log?.isMostlyPast(this.#keys.size) === true) this.#log.replaced(this.image(), this.#revision);
    const at = nextRevision(this.#revision);
    let current: StoredObject | undefined;
    if (draft !== undefined) {
      const object = compactJson(draft(at));
      const plain = sealJson(object);
      current = new StoredObject(key, at, object, plain);
    }
    const change = new Change(at, key, current, previous);
    this.#log?.append(change);
    // Nothing above has changed the store, so a draft or a log that throws leaves no trace.
    this.#revision = at;
    this.#append(key, current, at);
    // Same turn, no await: whoever reads the store after this commit finds the caches fed (DESIGN, "The way").
    const subscribers = this.#subscribers.get(prefix);
    if (subscribers !== undefined) for (const subscriber of subscribers) subscriber(change);
    for (const listener of this.#commitListeners) listener(at);
    return change;
  }

  #append(key: string, current: StoredObject | undefined, at: Revision): void {
    const before = this.#keys.get(key);
    if (before === undefined && current !== undefined) {
      this.#keys.set(key, current);
      return;
    }
    this.#keys.set(key, { revision: at, object: current, older: before });
    this.#compactable.set(key, key);
  }

  #expect(key: string, expected: Revision): StoredObject {
    const actual = this.get(key);
    if (actual === undefined) throw new StoreError({ kind: 'key-not-found', key });
    if (actual.revision !== expected)
      throw new StoreError({ kind: 'revision-mismatch', key, expected, actual });
    return actual;
  }

  /** The revision to read at. Below the compaction point versions are gone, so a read there would lie. */
  #readable(at: Revision | undefined): Revision {
    if (at === undefined) return this.#revision;
    if (at < this.#compacted)
      throw new StoreError({ kind: 'compacted', asked: at, compacted: this.#compacted });
    if (at > this.#revision)
      throw new StoreError({ kind: 'future-revision', asked: at, current: this.#revision });
    return at;
  }
}
