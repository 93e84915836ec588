/** One change as the watch cache keeps it: with its place in the key space and the events it can become. */
import { type ApiObject } from '../ground/object.js';
import { type Revision } from '../ground/revision.js';
import { type Change } from '../store/change.js';
import { ObjectEvent } from './watch-event.js';

/** Splits `<prefix>[<namespace>/]<name>`. Shape: namespace is `''` for cluster-scoped objects. */
export function placeOf(prefix: string, key: string): { readonly namespace: string; readonly name: string } {
  const rest = key.slice(prefix.length);
  const slash = rest.indexOf('/');
  return slash < 0
    ? { namespace: '', name: rest }
    : { namespace: rest.slice(0, slash), name: rest.slice(slash + 1) };
}

export class Entry {
  readonly change: Change;
  /** Milliseconds since 1970. */
  readonly recordedAt: number;
  readonly #prefix: string;
  #added: ObjectEvent | undefined;
  #modified: ObjectEvent | undefined;
  #deleted: ObjectEvent | undefined;

  constructor(prefix: string, change: Change, recordedAt: number) {
    this.#prefix = prefix;
    this.change = change;
    this.recordedAt = recordedAt;
  }

  /** `''` for cluster-scoped objects. Made when asked: a window holds many entries that nobody asks again. */
  get namespace(): string {
    return placeOf(this.#prefix, this.change.key).namespace;
  }

  get name(): string {
    return placeOf(this.#prefix, this.change.key).name;
  }

  get revision(): Revision {
    return this.change.revision;
  }

  /**
   * The event that a watcher with this filter sees, or undefined when the change is none of its business. Watchers
   * share one event of each type, so it is encoded once for all of them.
   * Source: apiserver cacher/cache_watcher.go, convertToWatchEvent.
   */
  eventFor(matches: ((object: ApiObject) => boolean) | undefined): ObjectEvent | undefined {
    const { current, previous } = this.change;
    const now = current !== undefined && (matches === undefined || matches(current.object));
    const before = previous !== undefined && (matches === undefined || matches(previous.object));
    if (now) {
      return before
        ? (this.#modified ??= new ObjectEvent('MODIFIED', current, this.revision))
        : (this.#added ??= new ObjectEvent('ADDED', current, this.revision));
    }
    return before
      ? (this.#deleted ??= new ObjectEvent('DELETED', this.change.departed, this.revision))
      : undefined;
  }
}
