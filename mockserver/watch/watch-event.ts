/** What a watcher is sent. */
import { type Revision } from '../ground/revision.js';
import { type Status } from '../ground/status.js';
import { type StoredObject } from '../ground/stored-object.js';

export type ObjectEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** A change of an object, shared by all watchers that see it. */
export class ObjectEvent {
  readonly kind = 'object';
  readonly type: ObjectEventType;
  /** For DELETED the last content, under the revision of the change. */
  readonly object: StoredObject;
  readonly revision: Revision;
  #frames: Map<string, Buffer> | undefined;

  constructor(type: ObjectEventType, object: StoredObject, revision: Revision) {
    this.type = type;
    this.object = object;
    this.revision = revision;
  }

  /** The frame in one format: `encode` runs once, then every watcher is sent the same buffer. */
  frame(format: string, encode: (event: ObjectEvent) => Buffer): Buffer {
    const known = this.#frames?.get(format);
    if (known !== undefined) return known;
    const bytes = encode(this);
    (this.#frames ??= new Map()).set(format, bytes);
    return bytes;
  }
}

/** An object of the initial events: as an ObjectEvent ADDED, but its frame is not kept. */
export interface InitialEvent {
  readonly kind: 'initial';
  readonly object: StoredObject;
}

/** Progress without an object. */
export interface BookmarkEvent {
  readonly kind: 'bookmark';
  readonly revision: Revision;
  /** Whether it ends the initial events of a watch-list. */
  readonly initialEventsEnd: boolean;
}

/** The last event of a watch that fails. */
export interface ErrorEvent {
  readonly kind: 'error';
  readonly status: Status;
}

export type WatchEvent = ObjectEvent | InitialEvent | BookmarkEvent | ErrorEvent;
