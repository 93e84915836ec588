import { revision } from '../../../mockserver/ground/revision.js';
import { StoredObject } from '../../../mockserver/ground/stored-object.js';
import { Change } from '../../../mockserver/store/change.js';
import { Entry } from '../../../mockserver/watch/entry.js';
import { DEFAULT_WINDOW, Window } from '../../../mockserver/watch/window.js';

const entry = (rev: number, atMs = 0): Entry => {
  const object = new StoredObject('/r/a', revision(rev), { apiVersion: 'v1', kind: 'X', metadata: {} });
  return new Entry('/r/', new Change(revision(rev), '/r/a', object, undefined), atMs);
};
const revisions = (window: Window, after: number): number[] =>
  window.after(revision(after)).map((one) => one.revision);

test('an empty window serves watches from where it was built', () => {
  const window = new Window(DEFAULT_WINDOW, revision(7));
  expect(window.floor).toBe(7);
  expect(revisions(window, 7)).toEqual([]);
});

test('the floor stays where it was built until an entry is dropped, then follows the oldest one', () => {
  const window = new Window({ ...DEFAULT_WINDOW, minCapacity: 2, maxCapacity: 2 }, revision(3));
  window.append(entry(10));
  window.append(entry(20));
  expect(window.floor).toBe(3);
  window.append(entry(30));
  expect(window.floor).toBe(19);
  expect(revisions(window, 19)).toEqual([20, 30]);
  expect(revisions(window, 20)).toEqual([30]);
});

test('a full window of fresh entries doubles, up to its bound', () => {
  const window = new Window({ minCapacity: 2, maxCapacity: 8, freshMs: 1000 }, revision(0));
  for (let rev = 1; rev <= 20; rev++) window.append(entry(rev, 500));
  expect(window.capacity).toBe(8);
  expect(window.length).toBe(8);
  expect(revisions(window, 0)).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
});

test('a window keeps what is younger than the fresh time and drops what is older', () => {
  const window = new Window({ minCapacity: 2, maxCapacity: 100, freshMs: 1000 }, revision(0));
  for (let rev = 1; rev <= 4; rev++) window.append(entry(rev, rev * 400));
  expect(window.length).toBe(4);
  window.append(entry(5, 2000));
  expect(window.length).toBe(4);
  expect(revisions(window, 0)).toEqual([2, 3, 4, 5]);
});

test('a window whose newer quarter is stale halves, down to its bound', () => {
  const window = new Window({ minCapacity: 2, maxCapacity: 16, freshMs: 1000 }, revision(0));
  for (let rev = 1; rev <= 16; rev++) window.append(entry(rev, 0));
  expect(window.capacity).toBe(16);
  window.append(entry(17, 5000));
  expect(window.capacity).toBe(8);
  expect(window.length).toBe(8);
  for (let rev = 18; rev <= 40; rev++) window.append(entry(rev, rev * 10_000));
  expect(window.capacity).toBe(2);
});

test('dropping through a revision raises the floor to it', () => {
  const window = new Window(DEFAULT_WINDOW, revision(0));
  for (const rev of [2, 4, 6]) window.append(entry(rev));
  window.dropThrough(revision(5));
  expect(window.floor).toBe(5);
  expect(revisions(window, 5)).toEqual([6]);
  window.dropThrough(revision(9));
  expect(window.length).toBe(0);
  expect(window.floor).toBe(9);
});

test('thousands of entries pass through without the window growing', () => {
  const window = new Window({ minCapacity: 10, maxCapacity: 10, freshMs: 1000 }, revision(0));
  for (let rev = 1; rev <= 5000; rev++) window.append(entry(rev));
  expect(revisions(window, 4990)).toHaveLength(10);
  expect(window.floor).toBe(4990);
});
