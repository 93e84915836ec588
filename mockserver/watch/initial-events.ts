/** What a watcher is sent before it is live: the objects of now, or the changes since a version. */
import { type ApiObject } from '../ground/object.js';
import { type Revision } from '../ground/revision.js';
import { type StoredObject } from '../ground/stored-object.js';
import { type Entry, placeOf } from './entry.js';
import { type Scope } from './scope.js';
import { type WatchEvent } from './watch-event.js';

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

/** The changes of `entries` that are wanted, as the events they are to who wants them. */
export function* historyEvents(entries: readonly Entry[], { scope, matches }: Wanted): Generator<WatchEvent> {
  for (const entry of entries) {
    if (scope.namespace !== undefined && entry.namespace !== scope.namespace) continue;
    if (scope.name !== undefined && entry.name !== scope.name) continue;
    const event = entry.eventFor(matches);
    if (event !== undefined) yield event;
  }
}
