/** What a watcher is sent before it is live: the objects of now, or the changes since a version. */
import { type ApiObject } from '../ground/object.js';
import { type Revision } from '../ground/revision.js';
import { type StoredObject } from '../ground/stored-object.js';
import { placeOf } from './entry.js';
import { type Scope } from './scope.js';
import { type WatchEvent } from './watch-event.js';
import { type Window } from './window.js';

export interface Wanted {
  readonly scope: Scope;
  readonly matches?: ((object: ApiObject) => boolean) | undefined;
}

/**
 * Objects as they were when `items` was taken, in its order.
 *
 * @param endAt the revision of the bookmark that ends them; undefined: none
 */
export function* stateEvents(
  prefix: string,
  items: readonly StoredObject[],
  { scope, matches }: Wanted,
  endAt: Revision | undefined,
): Generator<WatchEvent> {
  for (const object of items) {
    if (scope.name !== undefined && placeOf(prefix, object.key).name !== scope.name) continue;
    if (matches === undefined || matches(object.object)) yield { kind: 'initial', object };
  }
  if (endAt !== undefined) yield { kind: 'bookmark', revision: endAt, initialEventsEnd: true };
}

/** Entries that are copied at a time. Source: apiserver cacher/watch_cache_interval.go, bufferSize. */
const HISTORY_BLOCK = 100;

/**
 * The changes above `after`, up to `upTo`, that are wanted, as the events they are to who wants them. They are copied a
 * block at a time, so a slow reader may find that the window has dropped the next one: then `overtaken` is called and
 * nothing more comes.
 */
export function* historyEvents(
  window: Window,
  { scope, matches }: Wanted,
  { after, upTo, overtaken }: { after: Revision; upTo: Revision; overtaken: () => void },
): Generator<WatchEvent> {
  for (let read = after; read < upTo;) {
    if (read < window.floor) {
      overtaken();
      return;
    }
    const { entries } = window.slice(read, HISTORY_BLOCK, upTo);
    read = entries.at(-1)?.revision ?? upTo;
    for (const entry of entries) {
      if (scope.namespace !== undefined && entry.namespace !== scope.namespace) continue;
      if (scope.name !== undefined && entry.name !== scope.name) continue;
      const event = entry.eventFor(matches);
      if (event !== undefined) yield event;
    }
  }
}
