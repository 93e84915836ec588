import { type ApiObject } from '../../../mockserver/ground/object.js';
import {
  NO_REVISION,
  revision,
  type Revision,
  toResourceVersion,
} from '../../../mockserver/ground/revision.js';
import { type Change } from '../../../mockserver/store/change.js';
import { addressOf, scopeRange } from '../../../mockserver/store/key.js';
import { MemoryStore } from '../../../mockserver/store/memory-store.js';
import { StoreError, type StoreErrorKind } from '../../../mockserver/store/store-error.js';

const PREFIX = '/registry/configmaps/';
const at = (name: string, namespace = 'ns') => addressOf(PREFIX, namespace, name);
const draft =
  (name: string, value = '') =>
  (rev: Revision): ApiObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, resourceVersion: toResourceVersion(rev) },
    data: { value },
  });

const failure = (work: () => unknown): StoreErrorKind => {
  try {
    work();
  } catch (error) {
    if (error instanceof StoreError) return error.why;
    throw error;
  }
  throw new Error('nothing was thrown');
};

const names = (store: MemoryStore, rev?: Revision, namespace?: string): string[] =>
  store
    .range({ ...scopeRange(PREFIX, namespace), ...(rev === undefined ? {} : { at: rev }) })
    .items.map((one) => one.key.slice(PREFIX.length));

test('each commit of any key takes the next revision and puts it into the object', () => {
  const store = new MemoryStore();
  const a = store.create(at('a'), draft('a'));
  const b = store.create(addressOf('/registry/secrets/', 'ns', 'b'), draft('b'));
  const updated = store.update(at('a'), a.revision, draft('a', '2'));
  const gone = store.delete(at('a'), updated.revision);
  expect([a, b, updated, gone].map((change) => change.revision)).toEqual([1, 2, 3, 4]);
  expect(updated.current?.object.metadata['resourceVersion']).toBe('3');
  expect(store.revision).toBe(4);
});

test('what is committed is frozen through and through', () => {
  const object = new MemoryStore().create(at('a'), draft('a')).current?.object;
  expect(Object.isFrozen(object)).toBe(true);
  expect(Object.isFrozen(object?.['data'])).toBe(true);
});

test('a write that does not find what it expects changes nothing and says what it found', () => {
  const store = new MemoryStore();
  const created = store.create(at('a'), draft('a'));
  expect(failure(() => store.create(at('a'), draft('a')))).toMatchObject({
    kind: 'key-exists',
    key: at('a').key,
  });
  expect(failure(() => store.update(at('a'), revision(9), draft('a')))).toMatchObject({
    kind: 'revision-mismatch',
    expected: 9,
    actual: created.current,
  });
  expect(failure(() => store.delete(at('zz'), revision(1)))).toEqual({
    kind: 'key-not-found',
    key: at('zz').key,
  });
  expect(store.revision).toBe(1);
});

test('a draft that throws leaves no trace', () => {
  const store = new MemoryStore();
  expect(() =>
    store.create(at('a'), () => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(store.revision).toBe(0);
  expect(store.create(at('a'), draft('a')).revision).toBe(1);
});

test('keys come in byte order, so namespace a-b stands before a', () => {
  const store = new MemoryStore();
  for (const [namespace, name] of [
    ['a', 'x'],
    ['a-b', 'x'],
    ['a', 'b'],
  ] as const) {
    store.create(at(name, namespace), draft(name));
  }
  expect(names(store)).toEqual(['a-b/x', 'a/b', 'a/x']);
  expect(names(store, undefined, 'a')).toEqual(['a/b', 'a/x']);
});

test('a limited range says whether there is more', () => {
  const store = new MemoryStore();
  for (const name of ['a', 'b', 'c']) store.create(at(name), draft(name));
  const range = scopeRange(PREFIX, 'ns');
  expect(store.range({ ...range, limit: 2 })).toMatchObject({ more: true });
  expect(store.range({ ...range, limit: 2 }).items).toHaveLength(2);
  expect(store.range({ ...range, limit: 3 })).toMatchObject({ more: false });
  expect(store.count(range)).toBe(3);
});

describe('reads at a revision', () => {
  const history = (): MemoryStore => {
    const store = new MemoryStore();
    store.create(at('a'), draft('a', '1')); // 1
    store.create(at('b'), draft('b', '1')); // 2
    store.update(at('a'), revision(1), draft('a', '2')); // 3
    store.delete(at('b'), revision(2)); // 4
    store.create(at('b'), draft('b', '2')); // 5
    return store;
  };

  test.each([
    ['before everything', 0, []],
    ['after the first create', 1, ['a@1']],
    ['after both', 2, ['a@1', 'b@2']],
    ['after an update', 3, ['a@3', 'b@2']],
    ['after a delete', 4, ['a@3']],
    ['after it came back', 5, ['a@3', 'b@5']],
  ])('%s: the state of that moment', (_name, rev, expected) => {
    const { items } = history().range({ ...scopeRange(PREFIX, 'ns'), at: revision(rev) });
    expect(items.map((one) => `${one.object.metadata['name'] as string}@${one.revision}`)).toEqual(expected);
  });

  test('a revision of the future is refused', () => {
    expect(failure(() => names(history(), revision(6)))).toEqual({
      kind: 'future-revision',
      asked: 6,
      current: 5,
    });
  });

  test.each([
    ['below the compaction point', 2, false],
    ['at it', 3, true],
    ['above it', 4, true],
  ])('%s: served is %#', (_name, rev, served) => {
    const store = history();
    const before = [3, 4, 5].map((one) => names(store, revision(one)));
    store.compact(revision(3));
    if (served) expect(names(store, revision(rev))).toEqual(before[rev - 3]);
    else
      expect(failure(() => names(store, revision(rev)))).toEqual({
        kind: 'compacted',
        asked: 2,
        compacted: 3,
      });
  });

  test('compaction drops deleted keys for good and keeps what stands', () => {
    const store = history();
    store.compact(revision(5));
    expect(names(store)).toEqual(['ns/a', 'ns/b']);
    store.delete(at('a'), revision(3));
    store.compact(revision(6));
    expect(names(store)).toEqual(['ns/b']);
    expect(store.create(at('a'), draft('a')).previous).toBeUndefined();
  });

  test('compacting twice at one revision, or in the future, is refused', () => {
    const store = history();
    store.compact(revision(3));
    expect(failure(() => store.compact(revision(3)))).toMatchObject({ kind: 'compacted' });
    expect(failure(() => store.compact(revision(6)))).toMatchObject({ kind: 'future-revision' });
  });

  test('a random history reads the same at every revision as a model that copies', () => {
    let seed = 7;
    const next = (bound: number): number => (seed = (seed * 48271) % 2147483647) % bound;
    const store = new MemoryStore();
    let model = new Map<string, number>();
    const states = [new Map(model)];
    for (let step = 0; step < 400; step++) {
      const name = `k${next(12)}`;
      const known = model.get(name);
      model = new Map(model);
      if (known === undefined) model.set(name, store.create(at(name), draft(name)).revision);
      else if (next(3) === 0) {
        store.delete(at(name), revision(known));
        model.delete(name);
      } else model.set(name, store.update(at(name), revision(known), draft(name)).revision);
      states.push(model);
      if (step === 200) store.compact(revision(150));
    }
    for (let rev = 150; rev <= 400; rev++) {
      const seen = store.range({ ...scopeRange(PREFIX, 'ns'), at: revision(rev) }).items;
      expect(new Map(seen.map((one) => [one.key.slice(PREFIX.length + 3), one.revision]))).toEqual(
        states[rev],
      );
    }
  });
});

test('subscribers hear of their prefix in order within the commit, commit listeners of everything', () => {
  const store = new MemoryStore();
  const seen: string[] = [];
  const stop = store.subscribe(PREFIX, (change: Change) => seen.push(`change ${change.revision}`));
  store.onCommit((rev) => seen.push(`commit ${rev}`));
  store.create(at('a'), draft('a'));
  store.create(addressOf('/registry/secrets/', 'ns', 'b'), draft('b'));
  stop();
  store.create(at('c'), draft('c'));
  expect(seen).toEqual(['change 1', 'commit 1', 'commit 2', 'commit 3']);
});

test('a change shows the previous content under its own revision', () => {
  const store = new MemoryStore();
  store.create(at('a'), draft('a', 'old'));
  const gone = store.delete(at('a'), revision(1));
  expect(gone.current).toBeUndefined();
  expect(gone.departed.object).toMatchObject({ metadata: { resourceVersion: '2' }, data: { value: 'old' } });
  expect(gone.departed).toBe(gone.departed);
  expect(gone.previous?.object.metadata['resourceVersion']).toBe('1');
});

test('a store begins at the revision that it is given', () => {
  const store = new MemoryStore({ startRevision: revision(100) });
  expect(store.create(at('a'), draft('a')).revision).toBe(101);
  expect(NO_REVISION).toBe(0);
});
