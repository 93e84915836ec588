import { labelOf, type ApiObject } from '../../../mockserver/ground/object.js';
import { revision } from '../../../mockserver/ground/revision.js';
import { type WatchCacheOptions } from '../../../mockserver/watch/watch-cache-options.js';
import { type WatchRequest } from '../../../mockserver/watch/watch-request.js';
import { type Watcher } from '../../../mockserver/watch/watcher.js';
import { DEFAULT_WINDOW } from '../../../mockserver/watch/window.js';
import { Bed, drain } from './cluster-free.js';

const SMALL: Partial<WatchCacheOptions> = {
  minChannel: 2,
  maxChannel: 2,
  window: { ...DEFAULT_WINDOW, minCapacity: 1000 },
};
const ring = (capacity: number): Partial<WatchCacheOptions> => ({
  ...SMALL,
  window: { ...DEFAULT_WINDOW, minCapacity: capacity, maxCapacity: capacity },
});

const open = (bed: Bed, more: Partial<WatchRequest> = {}): Watcher =>
  bed.cache.watch({
    start: { kind: 'after', revision: bed.cache.revision },
    scope: {},
    bookmarks: true,
    timeoutMs: 3_600_000,
    ...more,
  });

/** Writes `count` new objects. */
const fill = (bed: Bed, count: number, namespace = 'ns'): void => {
  for (let i = 0; i < count; i++) bed.put(`${namespace}/o${bed.store.revision}`);
};

/** Lets passes run, taking what they bring, until nothing comes any more. */
const readAll = (bed: Bed, watcher: Watcher): string[] => {
  const seen: string[] = [];
  for (let quiet = 0; quiet < 5;) {
    const some = drain(watcher);
    seen.push(...some);
    quiet = some.length === 0 ? quiet + 1 : 0;
    bed.pace.advance(10);
  }
  return seen;
};
const added = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `ADDED ns/o${from + i - 1}@${from + i}`);

describe('a watcher that does not take', () => {
  test('becomes unsynced at the first change that finds no room, below it', () => {
    const bed = new Bed(SMALL);
    const watcher = open(bed);
    fill(bed, 2);
    expect(watcher.state.kind).toBe('synced');
    fill(bed, 1);
    expect(watcher.state).toMatchObject({ kind: 'unsynced', fresh: true, passPushes: 0 });
    expect(watcher.position).toBe(2);
    expect(bed.counts).toMatchObject({ stalls: 1, behind: 1 });
  });

  test('costs its neighbours nothing', () => {
    const bed = new Bed(SMALL);
    open(bed);
    const healthy = open(bed);
    const seen: string[] = [];
    healthy.onReady(() => seen.push(...drain(healthy)));
    fill(bed, 50);
    expect(seen).toEqual(added(1, 50));
    expect(healthy.state.kind).toBe('synced');
  });

  test('gets everything in order on the same watch once it takes again, and is fed live from then on', () => {
    const bed = new Bed(SMALL);
    const watcher = open(bed);
    fill(bed, 40);
    expect(readAll(bed, watcher)).toEqual(added(1, 40));
    expect(watcher.state.kind).toBe('synced');
    fill(bed, 1);
    expect(drain(watcher)).toEqual(added(41, 41));
    expect(bed.counts).toMatchObject({ behind: 0, skips: 0, catchUps: [38], deferredEvents: 38 });
  });

  test('has its position follow the scan past changes that are not its own', () => {
    const bed = new Bed(SMALL);
    const watcher = open(bed, { scope: { namespace: 'mine' } });
    fill(bed, 3, 'mine');
    drain(watcher);
    fill(bed, 30, 'other');
    bed.pace.advance(100);
    expect(watcher.state.kind).toBe('synced');
    expect(watcher.position).toBe(33);
  });

  test('has its position follow the scan past changes that its selector leaves out', () => {
    const bed = new Bed(SMALL);
    const matches = (object: ApiObject): boolean => labelOf(object, 'color') === 'red';
    const watcher = open(bed, { matches, trigger: 'used' });
    for (let i = 0; i < 3; i++) bed.put(`ns/red${i}`, { color: 'red' });
    drain(watcher);
    for (let i = 0; i < 30; i++) bed.put(`ns/blue${i}`, { color: 'blue' });
    bed.pace.advance(100);
    expect(watcher.state.kind).toBe('synced');
    expect(watcher.position).toBe(33);
  });

  test('is served when it is at the very end already, without an event', () => {
    const bed = new Bed(SMALL);
    const watcher = open(bed);
    fill(bed, 3);
    drain(watcher);
    bed.pace.advance(20);
    expect(watcher.state.kind).toBe('synced');
    expect(drain(watcher)).toEqual(added(3, 3));
  });

  test('may be held on purpose and released', () => {
    const bed = new Bed(SMALL);
    const watcher = open(bed);
    watcher.hold();
    fill(bed, 10);
    expect(drain(watcher)).toEqual([]);
    watcher.release();
    expect(readAll(bed, watcher)).toEqual(added(1, 10));
  });
});

describe('bookmarks', () => {
  test('do not reach a watcher that is behind, and come again after it has caught up', () => {
    const bed = new Bed(SMALL);
    const watcher = open(bed);
    fill(bed, 3);
    bed.clock.advance(62_000);
    expect(drain(watcher)).toEqual(added(1, 2));
    expect(readAll(bed, watcher)).toEqual(added(3, 3));
    bed.elsewhere();
    bed.cache.catchUp();
    bed.clock.advance(62_000);
    expect(drain(watcher)).toEqual(['BOOKMARK 4']);
  });
});

test('a bookmark that names less than a watcher has been given is left out', () => {
  const bed = new Bed({ ...SMALL, minChannel: 5, maxChannel: 5 });
  const watcher = open(bed);
  fill(bed, 3);
  expect(watcher.offerBookmark(revision(2))).toBe(false);
  expect(watcher.offerBookmark(revision(3))).toBe(true);
  expect(drain(watcher)).toEqual([...added(1, 3), 'BOOKMARK 3']);
});

test('who is behind when the server shuts down ends without a word, and no pass follows', () => {
  const bed = new Bed(SMALL);
  const watcher = open(bed);
  fill(bed, 10);
  bed.cache.close('shutdown');
  bed.pace.advance(1000);
  expect(watcher.state).toEqual({ kind: 'closed', reason: 'shutdown' });
  expect(drain(watcher)).toEqual([]);
  expect(bed.counts).toMatchObject({ passes: [], terminations: [], behind: 0 });
});

describe('a watcher that the window leaves behind', () => {
  test('gets its backlog, then one 410 that names its position and the floor, then the end', () => {
    const bed = new Bed(ring(4));
    const watcher = open(bed);
    fill(bed, 12);
    bed.pace.advance(50);
    expect(drain(watcher)).toEqual([...added(1, 2), 'ERROR 410 too old resource version: 2 (8)']);
    expect(watcher.ended).toBe(true);
    expect(bed.counts.terminations).toEqual(['resource_expired']);
    expect(bed.cache.watcherCount).toBe(0);
  });

  test('stays while the window still reaches down to its position', () => {
    const bed = new Bed(ring(4));
    const watcher = open(bed);
    fill(bed, 6);
    bed.pace.advance(50);
    expect(watcher.position).toBe(2);
    expect(bed.cache.window.floor).toBe(2);
    expect(readAll(bed, watcher)).toEqual(added(1, 6));
  });

  test('is told so as well when it had not read its initial events', () => {
    const bed = new Bed(ring(4));
    fill(bed, 3);
    const watcher = open(bed, { start: { kind: 'state', bookmark: true } });
    fill(bed, 9);
    bed.pace.advance(50);
    expect(drain(watcher)).toEqual([
      'ADDED ns/o0@1',
      'ADDED ns/o1@2',
      'ADDED ns/o2@3',
      'BOOKMARK 3 end',
      'ERROR 410 too old resource version: 3 (8)',
    ]);
    expect(bed.counts.terminations).toEqual(['resource_expired_initial']);
  });

  test('that is closed by its client between stall and pass is not served and not counted', () => {
    const bed = new Bed(ring(4));
    const watcher = open(bed);
    fill(bed, 12);
    watcher.close('client');
    bed.pace.advance(50);
    expect(drain(watcher)).toEqual([]);
    expect(bed.counts.terminations).toEqual([]);
    expect(bed.counts.behind).toBe(0);
  });

  test('that is stopped hard while it drains delivers nothing more', () => {
    const bed = new Bed(ring(4));
    const watcher = open(bed);
    fill(bed, 12);
    bed.pace.advance(50);
    watcher.close('shutdown');
    expect(drain(watcher)).toEqual([]);
    expect(watcher.state).toEqual({ kind: 'closed', reason: 'shutdown' });
  });
});

describe('watches from an older version, and initial events', () => {
  test('take the same road: history longer than the channel comes whole and in order', () => {
    const bed = new Bed(SMALL);
    fill(bed, 30);
    const watcher = open(bed, { start: { kind: 'after', revision: revision(10) } });
    expect(watcher.state.kind).toBe('unsynced');
    expect(readAll(bed, watcher)).toEqual(added(11, 30));
    expect(watcher.state.kind).toBe('synced');
  });

  test('with nothing to catch up on a watch is synced from the start', () => {
    const bed = new Bed(SMALL);
    fill(bed, 3);
    expect(open(bed).state.kind).toBe('synced');
  });

  test('what happens while initial events are read comes after them, once', () => {
    const bed = new Bed(SMALL);
    fill(bed, 5);
    const watcher = open(bed, { start: { kind: 'state', bookmark: true } });
    const first = watcher.take();
    expect(first).toMatchObject({ kind: 'initial' });
    fill(bed, 20);
    expect(readAll(bed, watcher)).toEqual([...added(2, 5), 'BOOKMARK 5 end', ...added(6, 25)]);
    expect(watcher.state.kind).toBe('synced');
  });
});

describe('passes', () => {
  test('serve watchers from one read, with one event for all of them', () => {
    const bed = new Bed(SMALL);
    const watchers = Array.from({ length: 20 }, () => open(bed));
    fill(bed, 10);
    const frames = new Map<number, Set<unknown>>();
    for (let round = 0; round < 30; round++) {
      for (const watcher of watchers) {
        for (let event = watcher.take(); event !== undefined; event = watcher.take()) {
          if (event.kind !== 'object') continue;
          const known = frames.get(event.revision) ?? new Set();
          frames.set(event.revision, known.add(event));
        }
      }
      bed.pace.advance(10);
    }
    expect([...frames.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect([...frames.values()].map((events) => events.size)).toEqual(Array(10).fill(1));
    expect(watchers.every((watcher) => watcher.state.kind === 'synced')).toBe(true);
  });

  test('do not run while nobody is behind', () => {
    const bed = new Bed(SMALL);
    const watcher = open(bed);
    watcher.onReady(() => drain(watcher));
    fill(bed, 100);
    bed.pace.advance(10_000);
    expect(bed.counts).toMatchObject({ stalls: 0, deferredEvents: 0, dispatches: 100 });
  });

  test('leave out what a selector leaves out, as live dispatch does', () => {
    const bed = new Bed(SMALL);
    const matches = (object: ApiObject): boolean => labelOf(object, 'color') === 'red';
    const watcher = open(bed, { matches });
    for (let i = 0; i < 30; i++) bed.put(`ns/o${i % 3}`, { color: i % 2 === 0 ? 'red' : 'blue' });
    const seen = readAll(bed, watcher);
    const other = open(bed, { matches, start: { kind: 'after', revision: revision(0) } });
    expect(seen).toEqual(readAll(bed, other));
    expect(seen.length).toBeGreaterThan(20);
  });
});

describe('the engine of today', () => {
  const today = (options: Partial<WatchCacheOptions> = SMALL): Bed => new Bed(options, 'cached', false);

  test('waits for a full channel within its allowance while nobody receives the next event', () => {
    const bed = today();
    bed.pace.advance(1000); // the allowance is 50 ms now
    const stuck = open(bed);
    const healthy = open(bed);
    const seen: string[] = [];
    healthy.onReady(() => seen.push(...drain(healthy)));
    fill(bed, 4);
    expect(seen).toEqual(added(1, 3));
    bed.pace.advance(49);
    expect(seen).toEqual(added(1, 3));
    expect(stuck.state.kind).toBe('synced');
    bed.pace.advance(2);
    expect(stuck.state).toEqual({ kind: 'closed', reason: 'unresponsive' });
    expect(seen).toEqual(added(1, 4));
    expect(bed.counts.terminations).toEqual(['unresponsive']);
  });

  test('goes on at once when the channel is read, and keeps the rest of its allowance', () => {
    const bed = today();
    bed.pace.advance(2000); // 100 ms
    const slow = open(bed);
    fill(bed, 3);
    bed.pace.advance(30);
    expect(drain(slow)).toEqual(added(1, 3));
    fill(bed, 3);
    bed.pace.advance(60);
    expect(slow.state.kind).toBe('synced');
    bed.pace.advance(30);
    expect(slow.state).toMatchObject({ kind: 'closed' });
  });

  test('runs no pass and counts no stall', () => {
    const bed = today();
    open(bed);
    fill(bed, 20);
    bed.pace.advance(5000);
    expect(bed.counts).toMatchObject({ passes: [], stalls: 0, catchUps: [], terminations: ['unresponsive'] });
  });

  test('closes at once without an allowance', () => {
    const bed = today();
    const stuck = open(bed);
    fill(bed, 3);
    bed.pace.advance(0);
    expect(stuck.state).toMatchObject({ kind: 'closed' });
    expect(drain(stuck)).toEqual([]);
  });

  test('lets the cache fall behind the store past its queue, which reads then show, and catches up', async () => {
    const bed = today({ ...SMALL, incomingCapacity: 5 });
    bed.pace.advance(2000);
    open(bed);
    fill(bed, 12);
    expect(bed.store.revision).toBe(12);
    // Two in the channel, one being waited for, five queued.
    expect(bed.cache.revision).toBe(8);
    expect(bed.cache.catchUp()).toBe(false);
    const fresh = bed.cache.fresh();
    bed.pace.advance(200);
    await fresh;
    expect(bed.cache.revision).toBe(12);
  });

  test('catches up however far it has fallen behind', () => {
    const bed = today({ ...SMALL, incomingCapacity: 5 });
    bed.pace.advance(2000);
    open(bed);
    fill(bed, 20_000);
    bed.pace.advance(200);
    expect(bed.cache.revision).toBe(20_000);
    expect(bed.counts).toMatchObject({ dispatches: 20_000, terminations: ['unresponsive'] });
  });

  test('drops what is queued when it closes, and a bookmark never overtakes what waits', () => {
    const bed = today();
    bed.pace.advance(2000);
    const healthy = open(bed);
    open(bed);
    fill(bed, 5);
    drain(healthy);
    bed.clock.advance(62_000);
    expect(drain(healthy)).toEqual([]);
    bed.pace.advance(200);
    expect(drain(healthy)).toEqual(added(4, 5));
    bed.clock.advance(62_000);
    expect(drain(healthy)).toEqual(['BOOKMARK 5']);
  });
});
