import { labelOf, type ApiObject } from '../../../mockserver/ground/object.js';
import { NO_REVISION, revision } from '../../../mockserver/ground/revision.js';
import { StatusError } from '../../../mockserver/ground/status.js';
import { scopeRange } from '../../../mockserver/store/key.js';
import { DEFAULT_WINDOW } from '../../../mockserver/watch/window.js';
import { type WatchRequest } from '../../../mockserver/watch/watch-request.js';
import { Bed, drain, PREFIX } from './cluster-free.js';

const request = (start: WatchRequest['start'], more: Partial<WatchRequest> = {}): WatchRequest => ({
  start,
  scope: {},
  bookmarks: true,
  timeoutMs: 600_000,
  ...more,
});
const after = (rev: number, more: Partial<WatchRequest> = {}): WatchRequest =>
  request({ kind: 'after', revision: revision(rev) }, more);
const state = (bookmark = true, more: Partial<WatchRequest> = {}): WatchRequest =>
  request({ kind: 'state', bookmark }, more);
const red = (object: ApiObject): boolean => labelOf(object, 'color') === 'red';

describe('the cache’s own version', () => {
  test('moves with its resource, not with commits elsewhere, until it catches up', () => {
    const bed = new Bed();
    bed.put('ns/a');
    bed.elsewhere();
    expect(bed.cache.revision).toBe(1);
    bed.cache.catchUp();
    expect(bed.cache.revision).toBe(2);
  });

  test('of a resource without a cache is the store’s', () => {
    const bed = new Bed({}, 'direct');
    bed.elsewhere();
    expect(bed.cache.revision).toBe(1);
  });

  test('reads and counts are of the current state in key order', () => {
    const bed = new Bed();
    for (const path of ['b/x', 'a/y', 'a/x']) bed.put(path);
    bed.delete('a/y');
    expect(bed.cache.range(scopeRange(PREFIX, undefined)).items.map((one) => one.key)).toEqual([
      `${PREFIX}a/x`,
      `${PREFIX}b/x`,
    ]);
    expect(bed.cache.count(scopeRange(PREFIX, 'a'))).toBe(1);
    expect(bed.cache.get(`${PREFIX}a/y`)).toBeUndefined();
  });
});

describe('waiting for a version', () => {
  test('ends with the commit that brings it, of whatever resource', async () => {
    const bed = new Bed();
    const waiting = bed.cache.awaitRevision(revision(2));
    bed.put('ns/a');
    bed.elsewhere();
    await waiting;
    expect(bed.cache.revision).toBe(2);
  });

  test('does not outlast the freshness wait: 504 that names both versions', async () => {
    const bed = new Bed();
    bed.put('ns/a');
    const waiting = bed.cache.awaitRevision(revision(9), '9').catch((error: unknown) => error);
    bed.clock.advance(3000);
    const error = await waiting;
    expect(error).toBeInstanceOf(StatusError);
    expect((error as StatusError).status).toMatchObject({
      code: 504,
      message: 'Timeout: Too large resource version: 9, current: 1',
      details: { causes: [{ reason: 'ResourceVersionTooLarge' }], retryAfterSeconds: 1 },
    });
  });
});

describe('where a watch begins', () => {
  test('the state comes in key order with the objects’ own versions, then the end bookmark', () => {
    const bed = new Bed();
    for (const path of ['ns/b', 'ns/a']) bed.put(path);
    expect(drain(bed.cache.watch(state()))).toEqual(['ADDED ns/a@2', 'ADDED ns/b@1', 'BOOKMARK 2 end']);
    expect(drain(bed.cache.watch(state(false)))).toEqual(['ADDED ns/a@2', 'ADDED ns/b@1']);
  });

  test('a change after the state was taken comes once, live', () => {
    const bed = new Bed();
    bed.put('ns/a');
    const watcher = bed.cache.watch(state());
    bed.put('ns/a');
    expect(drain(watcher)).toEqual(['ADDED ns/a@1', 'BOOKMARK 1 end', 'MODIFIED ns/a@2']);
  });

  test.each([
    [0, ['ADDED ns/a@1', 'MODIFIED ns/a@2', 'DELETED ns/a@3']],
    [1, ['MODIFIED ns/a@2', 'DELETED ns/a@3']],
    [2, ['DELETED ns/a@3']],
    [3, []],
  ])('after %i: the history above it, then live', (rev, history) => {
    const bed = new Bed();
    bed.put('ns/a');
    bed.put('ns/a');
    bed.delete('ns/a');
    const watcher = bed.cache.watch(after(rev));
    bed.put('ns/b');
    expect(drain(watcher)).toEqual([...history, 'ADDED ns/b@4']);
  });

  test('after a version of the future: silent up to it', () => {
    const bed = new Bed();
    const watcher = bed.cache.watch(after(2));
    for (const path of ['ns/a', 'ns/b', 'ns/c']) bed.put(path);
    expect(drain(watcher)).toEqual(['ADDED ns/c@3']);
  });

  test.each([
    ['below the window', 1, ['ERROR 410 too old resource version: 1 (2)']],
    ['at its floor', 2, ['ADDED ns/c@3', 'ADDED ns/d@4']],
    ['above it', 3, ['ADDED ns/d@4']],
  ])('%s', (_name, rev, expected) => {
    const bed = new Bed({ window: { ...DEFAULT_WINDOW, minCapacity: 2, maxCapacity: 2 } });
    for (const path of ['ns/a', 'ns/b', 'ns/c', 'ns/d']) bed.put(path);
    const watcher = bed.cache.watch(after(rev));
    expect(drain(watcher)).toEqual(expected);
    expect(watcher.ended).toBe(rev === 1);
  });

  test('a watch that is too old takes no part in anything', () => {
    const bed = new Bed({ window: { ...DEFAULT_WINDOW, minCapacity: 1, maxCapacity: 1 } });
    for (const path of ['ns/a', 'ns/b', 'ns/c']) bed.put(path);
    bed.cache.watch(after(0));
    expect(bed.cache.watcherCount).toBe(0);
  });

  test('a resource without a cache remembers as far back as the store, and words its 410 its own way', () => {
    const bed = new Bed({ window: { ...DEFAULT_WINDOW, minCapacity: 1, maxCapacity: 1 } }, 'direct');
    for (const path of ['ns/a', 'ns/b', 'ns/c']) bed.put(path);
    expect(drain(bed.cache.watch(after(0)))).toHaveLength(3);
    bed.store.compact(revision(2));
    expect(drain(bed.cache.watch(after(1)))).toEqual([
      'ERROR 410 The resourceVersion for the provided watch is too old.',
    ]);
    expect(drain(bed.cache.watch(after(2)))).toEqual(['ADDED ns/c@3']);
  });
});

describe('what a watcher sees', () => {
  test.each([
    ['all', {}, ['ADDED a/x@1', 'ADDED b/x@2', 'ADDED b/y@3']],
    ['one namespace', { namespace: 'b' }, ['ADDED b/x@2', 'ADDED b/y@3']],
    ['one object', { namespace: 'b', name: 'y' }, ['ADDED b/y@3']],
    ['one name everywhere', { name: 'x' }, ['ADDED a/x@1', 'ADDED b/x@2']],
  ])('%s, live, from history and from the state alike', (_name, scope, expected) => {
    const bed = new Bed();
    const live = bed.cache.watch(after(0, { scope }));
    for (const path of ['a/x', 'b/x', 'b/y']) bed.put(path);
    expect(drain(live)).toEqual(expected);
    expect(drain(bed.cache.watch(after(0, { scope })))).toEqual(expected);
    expect(drain(bed.cache.watch(state(false, { scope })))).toEqual(expected);
  });

  test('objects that enter and leave the selection come as ADDED and as DELETED with their last content in it', () => {
    const bed = new Bed();
    const watcher = bed.cache.watch(after(0, { matches: red }));
    bed.put('ns/a', { color: 'blue' }); // 1: nothing
    bed.put('ns/a', { color: 'red' }); // 2: ADDED
    bed.put('ns/a', { color: 'red', size: 'l' }); // 3: MODIFIED
    bed.put('ns/a', { color: 'blue' }); // 4: DELETED
    bed.delete('ns/a'); // 5: nothing
    const events = [watcher.take(), watcher.take(), watcher.take()];
    expect(events.map((event) => event?.kind === 'object' && [event.type, event.revision])).toEqual([
      ['ADDED', 2],
      ['MODIFIED', 3],
      ['DELETED', 4],
    ]);
    const last = events[2];
    expect(last?.kind === 'object' && last.object.object.metadata).toMatchObject({
      labels: { color: 'red', size: 'l' },
      resourceVersion: '4',
    });
    expect(watcher.take()).toBeUndefined();
  });

  test('watchers of one change share one event and so its encoding', () => {
    const bed = new Bed();
    const watchers = [bed.cache.watch(after(0)), bed.cache.watch(after(0))];
    bed.put('ns/a');
    let encodings = 0;
    const frames = watchers.map((watcher) => {
      const event = watcher.take();
      if (event?.kind !== 'object') throw new Error('no event');
      return event.frame('json', () => {
        encodings++;
        return Buffer.from('x');
      });
    });
    expect(encodings).toBe(1);
    expect(frames[0]).toBe(frames[1]);
  });
});

describe('a full channel', () => {
  test('gives a consumer that has merely not had its turn the chance to take', () => {
    const bed = new Bed({ minChannel: 2, maxChannel: 2 });
    const watcher = bed.cache.watch(after(0));
    const seen: string[] = [];
    watcher.onReady((readiness) => {
      if (readiness === 'now') seen.push(...drain(watcher));
    });
    for (const path of ['ns/a', 'ns/b', 'ns/c', 'ns/d', 'ns/e']) bed.put(path);
    expect([...seen, ...drain(watcher)]).toHaveLength(5);
    expect(watcher.state.kind).toBe('synced');
  });

  test('holds a seventy-fifth of the window, within its bounds', () => {
    const bed = new Bed({ window: { ...DEFAULT_WINDOW, minCapacity: 1500 } });
    const watcher = bed.cache.watch(after(0));
    for (let i = 0; i < 20; i++) bed.put(`ns/${i}`);
    expect(watcher.queued).toBe(20);
    bed.put('ns/one-more');
    expect(watcher.state.kind).toBe('unsynced');
  });
});

describe('bookmarks', () => {
  test('come once a minute and name the version that has been dispatched', () => {
    const bed = new Bed();
    const watcher = bed.cache.watch(after(0));
    bed.put('ns/a');
    expect(drain(watcher)).toEqual(['ADDED ns/a@1']);
    bed.elsewhere();
    bed.cache.catchUp();
    bed.clock.advance(58_000);
    expect(drain(watcher)).toEqual([]);
    bed.clock.advance(4000);
    expect(drain(watcher)).toEqual(['BOOKMARK 2']);
    bed.clock.advance(60_000);
    expect(drain(watcher)).toEqual(['BOOKMARK 2']);
  });

  test('never name a version at or below where the watch began', () => {
    const bed = new Bed();
    bed.put('ns/a');
    const watcher = bed.cache.watch(after(1));
    bed.clock.advance(130_000);
    expect(drain(watcher)).toEqual([]);
  });

  test('go to nobody who did not ask, and never into a full channel', () => {
    const bed = new Bed({ minChannel: 1, maxChannel: 1 });
    const unasked = bed.cache.watch(after(0, { bookmarks: false }));
    const full = bed.cache.watch(after(0));
    bed.put('ns/a');
    bed.elsewhere();
    bed.cache.catchUp();
    bed.clock.advance(65_000);
    expect(drain(unasked)).toEqual(['ADDED ns/a@1']);
    expect(drain(full)).toEqual(['ADDED ns/a@1']);
    expect(full.state.kind).toBe('synced');
  });

  test('one comes two seconds before the timeout, at most a second early and then once more', () => {
    const bed = new Bed();
    const watcher = bed.cache.watch(after(0, { timeoutMs: 6000 }));
    bed.put('ns/a');
    drain(watcher);
    bed.clock.advance(2900);
    expect(drain(watcher)).toEqual([]);
    bed.clock.advance(3000);
    const seen = drain(watcher);
    expect(seen.length).toBeGreaterThanOrEqual(1);
    expect(seen.length).toBeLessThanOrEqual(3);
    expect(new Set(seen)).toEqual(new Set(['BOOKMARK 1']));
  });

  test('of a resource without a cache there is only the one that ends the initial events', () => {
    const bed = new Bed({}, 'direct');
    const watcher = bed.cache.watch(state());
    bed.put('ns/a');
    bed.clock.advance(130_000);
    expect(drain(watcher)).toEqual(['BOOKMARK 0 end', 'ADDED ns/a@1']);
  });
});

describe('the end of a watch', () => {
  test('comes at its timeout, after what was queued', () => {
    const bed = new Bed();
    const watcher = bed.cache.watch(after(0, { timeoutMs: 5000, bookmarks: false }));
    bed.put('ns/a');
    bed.clock.advance(5000);
    bed.put('ns/b');
    expect(watcher.ended).toBe(false);
    expect(drain(watcher)).toEqual(['ADDED ns/a@1']);
    expect(watcher.ended).toBe(true);
    expect(bed.cache.watcherCount).toBe(0);
  });

  test.each([0, -5])('comes at once for a timeout of %i ms', (timeoutMs) => {
    const bed = new Bed();
    bed.put('ns/a');
    const watcher = bed.cache.watch(state(true, { timeoutMs }));
    expect(drain(watcher)).toEqual([]);
    expect(watcher.ended).toBe(true);
  });

  test('comes to all when the cache is closed, also to those who open one afterwards', () => {
    const bed = new Bed();
    const open = bed.cache.watch(after(0));
    bed.cache.close('terminated');
    const late = bed.cache.watch(after(0));
    expect([open, late].map(drain)).toEqual([[], []]);
    expect([open.ended, late.ended]).toEqual([true, true]);
    expect(bed.store.revision).toBe(NO_REVISION);
  });

  test('closing twice is harmless and tells the consumer', () => {
    const bed = new Bed();
    const watcher = bed.cache.watch(after(0));
    let told = 0;
    watcher.onReady(() => told++);
    watcher.close('client');
    watcher.close('shutdown');
    expect(watcher.state).toEqual({ kind: 'closed', reason: 'client' });
    expect(told).toBe(2);
  });
});
