/** The log on disk. */
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { VirtualClock } from '../../../mockserver/ground/clock.js';
import { type ApiObject } from '../../../mockserver/ground/object.js';
import { type Revision, toResourceVersion } from '../../../mockserver/ground/revision.js';
import { addressOf } from '../../../mockserver/store/key.js';
import { LogFile } from '../../../mockserver/store/log-file.js';
import { MemoryStore } from '../../../mockserver/store/memory-store.js';
import { useFolder } from './log-folder.js';

const folder = useFolder();

const at = (name: string) => addressOf('/registry/configmaps/', 'ns', name);
const draft =
  (name: string, text = '') =>
  (revision: Revision): ApiObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, resourceVersion: toResourceVersion(revision) },
    data: { text },
  });

interface Opened {
  readonly store: MemoryStore;
  readonly log: LogFile;
  readonly said: string[];
  readonly kept: ReadonlyMap<string, string>;
}

function open(path: string, kubernetesVersion = '1.36'): Opened {
  const said: string[] = [];
  const report = (message: string): void => void said.push(message);
  const { log, state } = LogFile.open({ path, clock: new VirtualClock(), kubernetesVersion, report });
  const store = new MemoryStore(state === undefined ? {} : { image: state.image });
  if (state === undefined) log.replaced(store.image(), store.revision);
  store.keepLog(log);
  return { store, log, said, kept: state?.kept ?? new Map() };
}

const names = (store: MemoryStore): readonly string[] =>
  store.image().objects.map(({ key }) => key.slice('/registry/configmaps/ns/'.length));

test('what is written is there when the log is opened again, though nobody has closed it', () => {
  const path = folder.file();
  const { store } = open(path);
  store.create(at('a'), draft('a'));
  const b = store.create(at('b'), draft('b'));
  store.delete(at('b'), b.revision);
  const again = open(path);
  expect(names(again.store)).toEqual(['a']);
  expect(again.store.revision).toBe(3);
  expect(again.said).toEqual([]);
});

test('history is there as far as it was not compacted', () => {
  const path = folder.file();
  const { store } = open(path);
  const a = store.create(at('a'), draft('a', 'one'));
  const b = store.update(at('a'), a.revision, draft('a', 'two'));
  store.compact(b.revision);
  store.update(at('a'), b.revision, draft('a', 'three'));
  const again = open(path).store;
  const text = (revision: Revision): unknown =>
    again.range({ start: '/', end: '0', at: revision }).items[0]?.object['data'];
  expect(text(b.revision)).toEqual({ text: 'two' });
  expect(() => text(a.revision)).toThrow();
});

test('a rewound store is rewound when it comes back', () => {
  const path = folder.file();
  const { store } = open(path);
  const a = store.create(at('a'), draft('a'));
  store.create(at('b'), draft('b'));
  store.rewind(a.revision);
  const again = open(path).store;
  expect(names(again)).toEqual(['a']);
  expect(again.revision).toBe(a.revision);
});

test('what cannot be read at the end is cut, kept beside the log and told; then writes go on', () => {
  const path = folder.file();
  open(path).store.create(at('a'), draft('a'));
  const size = statSync(path).size;
  appendFileSync(path, 'half a reco');
  const again = open(path);
  expect(again.said).toEqual([
    `${path}: 11 bytes after record 3 cannot be read and are in ${path}.cut now; the cluster stands at revision 1`,
  ]);
  expect(statSync(path).size).toBe(size);
  expect(readFileSync(`${path}.cut`, 'utf8')).toBe('half a reco');
  again.store.create(at('b'), draft('b'));
  expect(names(open(path).store)).toEqual(['a', 'b']);
});

test.each([
  ['a file of something else', 'kind: ConfigMap\n', '1.36', 'no log of kube-mockserver; it is left as it is'],
  [
    'a log of another version of Kubernetes',
    undefined,
    '1.35',
    'a cluster of Kubernetes 1.36, but 1.35 is wanted',
  ],
])('%s is refused and left as it is', (_name, text, version, message) => {
  const path = folder.file();
  if (text === undefined) open(path).log.close();
  else writeFileSync(path, text);
  const before = readFileSync(path);
  expect(() => open(path, version)).toThrow(message);
  expect(readFileSync(path)).toEqual(before);
});

test('a log that is mostly past is written anew', () => {
  const path = folder.file();
  const { store } = open(path);
  let { revision } = store.create(at('a'), draft('a'));
  let largest = 0;
  for (let i = 0; i < 2500; i++) {
    ({ revision } = store.update(at('a'), revision, draft('a', `${i}`)));
    largest = Math.max(largest, statSync(path).size);
  }
  expect(statSync(path).size).toBeLessThan(largest);
  const again = open(path).store;
  expect(again.revision).toBe(2501);
  expect(again.get(at('a').key)?.object['data']).toEqual({ text: '2499' });
  expect(existsSync(`${path}.new`)).toBe(false);
});

test('a write that cannot be kept is refused, and nothing has changed', () => {
  const path = folder.file();
  const { store } = open(path);
  store.create(at('a'), draft('a'));
  rmSync(path);
  expect(() => store.create(at('b'), draft('b'))).toThrow('is gone');
  expect(names(store)).toEqual(['a']);
  expect(store.revision).toBe(1);
});

test('two programs do not write one log', () => {
  const path = folder.file();
  const one = open(path).store;
  const two = open(path).store;
  one.create(at('a'), draft('a'));
  expect(() => two.create(at('b'), draft('b'))).toThrow('another program writes it, too');
  one.create(at('c'), draft('c'));
  expect(names(open(path).store)).toEqual(['a', 'c']);
});

test('texts are kept beside the objects, also when everything else is replaced', () => {
  const path = folder.file();
  const { store, log } = open(path);
  log.keep('key', 'secret');
  store.restore(new MemoryStore().image(), store.revision);
  expect(open(path).kept).toEqual(new Map([['key', 'secret']]));
});

test('nothing is written once the log is closed', () => {
  const { store, log } = open(folder.file());
  log.close();
  log.close();
  expect(() => store.create(at('a'), draft('a'))).toThrow('is closed');
});
