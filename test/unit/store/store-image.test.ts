import { type Revision, toResourceVersion } from '../../../mockserver/ground/revision.js';
import { type ApiObject } from '../../../mockserver/ground/object.js';
import { addressOf, scopeRange } from '../../../mockserver/store/key.js';
import { MemoryStore } from '../../../mockserver/store/memory-store.js';

const PREFIX = '/registry/configmaps/';
const at = (name: string) => addressOf(PREFIX, 'ns', name);
const draft =
  (name: string) =>
  (revision: Revision): ApiObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, resourceVersion: toResourceVersion(revision) },
  });
const names = (store: MemoryStore, rev?: Revision): string[] =>
  store
    .range({ ...scopeRange(PREFIX, undefined), ...(rev === undefined ? {} : { at: rev }) })
    .items.map(({ key }) => key.slice(`${PREFIX}ns/`.length));

test('an image keeps what the store held, whatever is written afterwards, older revisions included', () => {
  const store = new MemoryStore();
  const a = store.create(at('a'), draft('a'));
  const b = store.create(at('b'), draft('b'));
  store.delete(at('a'), a.revision);
  const image = store.image();
  store.create(at('c'), draft('c'));
  store.delete(at('b'), b.revision);
  const other = new MemoryStore({ image });
  expect(names(other)).toEqual(['b']);
  expect(names(other, b.revision)).toEqual(['a', 'b']);
  expect(names(store)).toEqual(['c']);
});

test('stores that begin with one image change each for itself and take the same revisions', () => {
  const origin = new MemoryStore();
  origin.create(at('a'), draft('a'));
  const image = origin.image();
  const [one, two] = [new MemoryStore({ image }), new MemoryStore({ image })];
  expect(one.create(at('b'), draft('b')).revision).toBe(2);
  expect(two.create(at('c'), draft('c')).revision).toBe(2);
  expect([names(one), names(two), names(origin)]).toEqual([['a', 'b'], ['a', 'c'], ['a']]);
});

test('a store that goes back forgets what came later and goes on from the given revision', () => {
  const store = new MemoryStore();
  const a = store.create(at('a'), draft('a'));
  const image = store.image();
  store.update(at('a'), a.revision, draft('a'));
  store.create(at('b'), draft('b'));
  store.restore(image, store.revision);
  expect(names(store)).toEqual(['a']);
  expect(store.create(at('d'), draft('d')).revision).toBe(4);
  store.restore(image, image.revision);
  expect(store.create(at('d'), draft('d')).revision).toBe(2);
});

test('a compaction of a store leaves the images of it as they are', () => {
  const store = new MemoryStore();
  const a = store.create(at('a'), draft('a'));
  store.delete(at('a'), a.revision);
  const image = store.image();
  store.compact(store.revision);
  const other = new MemoryStore({ image });
  expect(names(other, a.revision)).toEqual(['a']);
  other.compact(other.revision);
  expect(() => names(other, a.revision)).toThrow('compacted');
});
