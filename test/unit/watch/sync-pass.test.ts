/** One pass, looked at from near: order, cohorts, budgets, retries. */
import { revision } from '../../../mockserver/ground/revision.js';
import { StoredObject } from '../../../mockserver/ground/stored-object.js';
import { ALPHA_STALL_RESUME, DEFAULT_STALL_RESUME } from '../../../mockserver/watch/stall-resume.js';
import { candidates, DEFAULT_PASS_BUDGETS, type PassBudgets } from '../../../mockserver/watch/sync-pass.js';
import { type WatchCacheOptions } from '../../../mockserver/watch/watch-cache-options.js';
import { ObjectEvent } from '../../../mockserver/watch/watch-event.js';
import { Watcher } from '../../../mockserver/watch/watcher.js';
import { DEFAULT_WINDOW } from '../../../mockserver/watch/window.js';
import { Bed, drain } from './cluster-free.js';

const options = (budgets: Partial<PassBudgets> = {}, channel = 2): Partial<WatchCacheOptions> => ({
  minChannel: channel,
  maxChannel: channel,
  window: { ...DEFAULT_WINDOW, minCapacity: 1000 },
  stallResume: { ...DEFAULT_STALL_RESUME, budgets: { ...DEFAULT_PASS_BUDGETS, ...budgets } },
});

const open = (bed: Bed): Watcher =>
  bed.cache.watch({
    start: { kind: 'after', revision: bed.cache.revision },
    scope: {},
    bookmarks: true,
    timeoutMs: 3_600_000,
  });
const fill = (bed: Bed, count: number): void => {
  for (let i = 0; i < count; i++) bed.put(`ns/o${bed.store.revision}`);
};

/** A watcher that is behind at a position. `turn` 0: fresh. */
function behind(position: number, { turn = 0 } = {}): Watcher {
  const watcher = new Watcher({
    scope: {},
    capacity: 4,
    position: revision(position),
    startedAt: revision(position),
    synced: false,
    bookmarks: false,
    deadline: Infinity,
  });
  if (turn > 0) watcher.served(0, turn);
  return watcher;
}

const EVENT = new ObjectEvent(
  'ADDED',
  new StoredObject('k', revision(1), { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }),
  revision(1),
);

describe('candidates come', () => {
  const order = (watchers: readonly Watcher[], cursor: number): readonly number[] =>
    candidates(watchers, revision(cursor), DEFAULT_PASS_BUDGETS).map(({ position }) => position);

  test('fresh ones before those that a pass has served since', () => {
    expect(order([behind(3, { turn: 1 }), behind(9)], 0)).toEqual([9, 3]);
  });

  test('the emptiest channel first, whoever waits longer', () => {
    const half = behind(3);
    half.place(EVENT, revision(4));
    half.place(EVENT, revision(5));
    expect(order([half, behind(9, { turn: 1 })], 0)).toEqual([9, 5]);
  });

  test('those that have drained since they were served as those that are fresh', () => {
    const drained = behind(9, { turn: 2 });
    drained.place(EVENT, revision(10));
    drained.take();
    expect(order([behind(3, { turn: 1 }), drained], 0)).toEqual([10, 3]);
  });

  test('from the cursor upwards, then from below', () => {
    expect(order([behind(3), behind(9), behind(5), behind(7)], 5)).toEqual([5, 7, 9, 3]);
  });

  test('those served longest ago first, among equals', () => {
    expect(order([behind(3, { turn: 4 }), behind(9, { turn: 2 })], 0)).toEqual([9, 3]);
  });

  test('no more than a pass may serve', () => {
    const all = [1, 2, 3, 4].map((position) => behind(position));
    expect(candidates(all, revision(0), { ...DEFAULT_PASS_BUDGETS, members: 3 })).toHaveLength(3);
  });
});

describe('a pass', () => {
  test.each([
    { name: 'members', budgets: { members: 2 }, expected: { served: 2 } },
    { name: 'reads', budgets: { scan: 70 }, expected: { scanned: 6 } },
    { name: 'pushes', budgets: { pushes: 3 }, expected: { pushed: 3, pushBudgetSpent: true } },
  ])('keeps to its budget of $name', ({ budgets, expected }) => {
    const bed = new Bed(options({ ...budgets, retryRounds: 0 }));
    const watchers = Array.from({ length: 5 }, () => open(bed));
    fill(bed, 20);
    watchers.forEach(drain);
    bed.pace.advance(0);
    expect(bed.counts.passes[0]).toMatchObject(expected);
  });

  test('what found no room is offered again in the same pass', () => {
    const bed = new Bed(options({}, 2));
    const watcher = open(bed);
    fill(bed, 20);
    drain(watcher);
    bed.pace.after(0, () => void drain(watcher)); // after the pass, before its first retry
    bed.pace.advance(0);
    expect(bed.counts.passes).toHaveLength(1);
    expect(bed.counts.deferredEvents).toBeGreaterThan(2);
  });

  test('a cohort is the lead and whoever stands above it', () => {
    const bed = new Bed(options());
    const low = open(bed);
    fill(bed, 6);
    const high = bed.cache.watch({
      start: { kind: 'after', revision: revision(4) },
      scope: {},
      bookmarks: false,
      timeoutMs: 3_600_000,
    });
    drain(low);
    drain(high);
    bed.pace.advance(0);
    expect(bed.counts.passes[0]).toMatchObject({ cohorts: 1, served: 1 });
    expect(drain(low)).toEqual(['ADDED ns/o2@3', 'ADDED ns/o3@4']);
  });
});

test('a watch that drains is bounded by its time', () => {
  const bed = new Bed({ ...options(), window: { ...DEFAULT_WINDOW, minCapacity: 4, maxCapacity: 4 } });
  const watcher = open(bed);
  fill(bed, 12);
  bed.pace.advance(50);
  expect(watcher.state.kind).toBe('ending');
  bed.clock.advance(3_600_000);
  expect(watcher.state).toEqual({ kind: 'closed', reason: 'timeout' });
});

test('a held watch lets out as much as it is told to drip', () => {
  const bed = new Bed(options({}, 10));
  const watcher = open(bed);
  watcher.hold();
  fill(bed, 5);
  watcher.drip(2);
  expect(drain(watcher)).toEqual(['ADDED ns/o0@1', 'ADDED ns/o1@2']);
  watcher.release();
  expect(drain(watcher)).toHaveLength(3);
});

describe('the engine of today closing a watch', () => {
  const stuck = (rounds: boolean): readonly string[] => {
    const bed = new Bed(options(), 'cached', false);
    fill(bed, 2);
    const watcher = bed.cache.watch({
      start: { kind: 'state', bookmark: true },
      scope: {},
      bookmarks: true,
      timeoutMs: 3_600_000,
    });
    if (rounds) bed.clock.advance(62_000);
    fill(bed, 3);
    bed.pace.advance(0);
    return drain(watcher);
  };

  test('drops what is queued', () => {
    expect(stuck(false)).toEqual([]);
  });

  test('delivers it where the bookmark that ends initial events is queued and not sent', () => {
    expect(stuck(true)).toEqual([
      'ADDED ns/o0@1',
      'ADDED ns/o1@2',
      'BOOKMARK 2 end',
      'ADDED ns/o2@3',
      'ADDED ns/o3@4',
    ]);
  });
});

test('the alpha resyncs at the end of the history, and live dispatch skips what it meets again', () => {
  const bed = new Bed({ ...options(), stallResume: ALPHA_STALL_RESUME });
  const watcher = open(bed);
  fill(bed, 3);
  bed.pace.advance(0);
  drain(watcher);
  const seen: string[] = [];
  for (let i = 0; i < 50; i++) {
    if (i === 5) fill(bed, 4);
    bed.pace.advance(10);
    seen.push(...drain(watcher));
  }
  expect(seen).toEqual(['ADDED ns/o2@3', 'ADDED ns/o3@4', 'ADDED ns/o4@5', 'ADDED ns/o5@6', 'ADDED ns/o6@7']);
});
