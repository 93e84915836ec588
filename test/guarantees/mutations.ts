/**
 * Deliberate bugs, each put in through the public methods of the engine's classes while a check runs: production code
 * knows nothing of them. A harness that does not catch one of them would not catch a real one either.
 */
import { type Revision } from '../../mockserver/ground/revision.js';
import { Channel } from '../../mockserver/watch/channel.js';
import { Entry } from '../../mockserver/watch/entry.js';
import { ScopeIndex } from '../../mockserver/watch/scope.js';
import { Watcher } from '../../mockserver/watch/watcher.js';
import { Window } from '../../mockserver/watch/window.js';

export interface Mutation {
  readonly name: string;
  /** Puts it in; answers how to take it out again. */
  readonly apply: () => () => void;
}

/** Replaces a method, or the getter of that name, of a class. */
function replaced<T extends object>(
  prototype: T,
  name: keyof T & string,
  make: (original: unknown) => unknown,
): () => void {
  const before = Object.getOwnPropertyDescriptor(prototype, name);
  if (before === undefined) throw new Error(`no ${name} to replace`);
  const after =
    before.get === undefined
      ? { ...before, value: make(before.value) }
      : { ...before, get: make(Reflect.get(before, 'get')) as () => unknown }; // a getter takes nothing and answers its value
  Object.defineProperty(prototype, name, after);
  return () => void Object.defineProperty(prototype, name, before);
}

const next = (revision: Revision, by = 1): Revision => (revision + by) as Revision; // a whole number near a revision

type Place = Watcher['place'];
type Advance = (this: Watcher, revision: Revision) => void;
type OfferBookmark = (this: Watcher, revision: Revision) => boolean;

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'every seventh event is skipped',
    apply: () => {
      let count = 0;
      return replaced(
        Watcher.prototype,
        'place',
        (original) =>
          function (this: Watcher, ...[event, revision]: Parameters<Place>) {
            if (++count % 7 !== 0) return (original as Place).call(this, event, revision);
            this.advance(revision);
            return true;
          },
      );
    },
  },
  {
    name: 'the last event is sent again after a resync',
    apply: () => {
      const resynced = new WeakSet<Watcher>();
      const first = replaced(
        Watcher.prototype,
        'sync',
        (original) =>
          function (this: Watcher) {
            (original as () => void).call(this);
            resynced.add(this);
          },
      );
      const second = replaced(
        Watcher.prototype,
        'place',
        (original) =>
          function (this: Watcher, ...[event, revision]: Parameters<Place>) {
            if (resynced.delete(this)) (original as Place).call(this, event, revision);
            return (original as Place).call(this, event, revision);
          },
      );
      return () => [second, first].forEach((undo) => undo());
    },
  },
  {
    name: 'a bookmark reaches an unsynced watcher',
    apply: () =>
      replaced(
        Watcher.prototype,
        'offerBookmark',
        (original) =>
          function (this: Watcher, revision: Revision) {
            if (this.state.kind !== 'unsynced' || !this.live)
              return (original as OfferBookmark).call(this, revision);
            this.sync();
            const taken = (original as OfferBookmark).call(this, revision);
            this.fallBehind(this.position);
            return taken;
          },
      ),
  },
  {
    name: 'the position of a stalled watcher is one too high',
    apply: () =>
      replaced(
        Watcher.prototype,
        'fallBehind',
        (original) =>
          function (this: Watcher, revision: Revision) {
            (original as Advance).call(this, next(revision));
          },
      ),
  },
  {
    name: 'the position after a pass is one too high',
    apply: () =>
      replaced(
        Watcher.prototype,
        'advance',
        (original) =>
          function (this: Watcher, revision: Revision) {
            (original as Advance).call(this, next(revision));
          },
      ),
  },
  {
    name: 'the floor of the window is one too low',
    apply: () =>
      replaced(
        Window.prototype,
        'floor',
        (original) =>
          function (this: Window) {
            const floor = (original as () => Revision).call(this);
            return floor === 0 ? floor : next(floor, -1);
          },
      ),
  },
  {
    name: 'the floor of the window is one too high',
    apply: () =>
      replaced(
        Window.prototype,
        'floor',
        (original) =>
          function (this: Window) {
            const floor = (original as () => Revision).call(this);
            return floor === 0 ? floor : next(floor);
          },
      ),
  },
  {
    name: 'a pass reads from one above the position',
    apply: () =>
      replaced(
        Window.prototype,
        'slice',
        (original) =>
          function (this: Window, ...[revision, limit, upTo]: Parameters<Window['slice']>) {
            return (original as Window['slice']).call(this, next(revision), limit, upTo);
          },
      ),
  },
  {
    name: 'leaving a selector is no event',
    apply: () =>
      replaced(
        Entry.prototype,
        'eventFor',
        (original) =>
          function (this: Entry, ...[matches]: Parameters<Entry['eventFor']>) {
            const event = (original as Entry['eventFor']).call(this, matches);
            return event?.type === 'DELETED' && this.change.current !== undefined ? undefined : event;
          },
      ),
  },
  {
    name: 'passes and dispatch ignore the scope',
    apply: () =>
      replaced(
        ScopeIndex.prototype,
        'add',
        (original) =>
          function (this: ScopeIndex<unknown>, _scope: unknown, member: unknown) {
            (original as ScopeIndex<unknown>['add']).call(this, {}, member);
          },
      ),
  },
  {
    name: 'two events of a channel change places',
    apply: () => {
      let count = 0;
      return replaced(
        Channel.prototype,
        'take',
        (original) =>
          function (this: Channel<unknown>) {
            const take = (): unknown => (original as () => unknown).call(this);
            if (this.length < 2 || ++count % 5 !== 0) return take();
            const first = take();
            const second = take();
            this.offer(first);
            return second;
          },
      );
    },
  },
  {
    name: 'an expired watcher loses its backlog',
    apply: () =>
      replaced(
        Watcher.prototype,
        'fail',
        (original) =>
          function (this: Watcher, ...[status]: Parameters<Watcher['fail']>) {
            while (this.live && this.queued > 0) this.take();
            (original as Watcher['fail']).call(this, status);
          },
      ),
  },
  {
    name: 'an expired watcher ends without a word',
    apply: () =>
      replaced(
        Watcher.prototype,
        'fail',
        () =>
          function (this: Watcher) {
            this.closeDrained('unresponsive');
          },
      ),
  },
  {
    name: 'a bookmark names a version whose changes were not offered',
    apply: () =>
      replaced(
        Watcher.prototype,
        'offerBookmark',
        (original) =>
          function (this: Watcher, revision: Revision) {
            return (original as OfferBookmark).call(this, next(revision));
          },
      ),
  },
];
