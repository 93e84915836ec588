/** A log that is cut anywhere, or has a wrong byte anywhere, is a state that the store was in. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { VirtualClock } from '../../../mockserver/ground/clock.js';
import { writeJson } from '../../../mockserver/ground/json-write.js';
import { type ApiObject } from '../../../mockserver/ground/object.js';
import { type Revision, toResourceVersion } from '../../../mockserver/ground/revision.js';
import { addressOf } from '../../../mockserver/store/key.js';
import { LogFile } from '../../../mockserver/store/log-file.js';
import { readLog } from '../../../mockserver/store/log-record.js';
import { replayed } from '../../../mockserver/store/log-replay.js';
import { MemoryStore } from '../../../mockserver/store/memory-store.js';
import { useFolder } from './log-folder.js';

const folder = useFolder();

interface Wish {
  readonly name: string;
  readonly operation: 'write' | 'delete' | 'skip' | 'compact' | 'restore';
  readonly text: string;
}

const WISH: fc.Arbitrary<Wish> = fc.record({
  name: fc.constantFrom('a', 'b', 'é', '10', 'x\u2028y'),
  operation: fc.constantFrom('write', 'write', 'write', 'delete', 'skip', 'compact', 'restore'),
  text: fc.string({ unit: 'binary', maxLength: 12 }),
});

const objectAt =
  ({ name, text }: Wish) =>
  (revision: Revision): ApiObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, resourceVersion: toResourceVersion(revision) },
    data: { text, [text]: 'é\n', huge: 1_234_567_890_123_456_789n },
  });

/** What can be seen of a store now. */
const shown = (store: MemoryStore): string =>
  [
    `${store.revision}`,
    ...store.image().objects.map(({ key, object }) => `${key} ${writeJson(object)}`),
  ].join('\n');

function carryOut(store: MemoryStore, first: ReturnType<MemoryStore['image']>, wish: Wish): void {
  const address = addressOf('/registry/configmaps/', 'ns', wish.name);
  const before = store.get(address.key);
  switch (wish.operation) {
    case 'write':
      if (before === undefined) store.create(address, objectAt(wish));
      else store.update(address, before.revision, objectAt(wish));
      return;
    case 'delete':
      if (before !== undefined) store.delete(address, before.revision);
      return;
    case 'skip':
      store.skip(3);
      return;
    case 'compact':
      if (store.revision > store.compactedRevision) store.compact(store.revision);
      return;
    case 'restore':
      store.restore(first, store.revision);
  }
}

/** A life in the log: its bytes, and what could be seen when it was so long. */
function lived(wishes: readonly Wish[]): {
  readonly bytes: Buffer;
  readonly seen: ReadonlyMap<number, string>;
} {
  const path = folder.file();
  const clock = new VirtualClock();
  const { log } = LogFile.open({ path, clock, kubernetesVersion: '1.36', report: () => undefined });
  const store = new MemoryStore();
  const first = store.image();
  log.replaced(first, store.revision);
  store.keepLog(log);
  let seen = new Map<number, string>();
  for (const wish of wishes) {
    // Where everything is replaced the file begins anew.
    if (wish.operation === 'restore') seen = new Map();
    carryOut(store, first, wish);
    clock.advance(10);
    seen.set(readFileSync(path).length, shown(store));
  }
  log.close();
  return { bytes: readFileSync(path), seen };
}

/** What is seen of the state that bytes lead to. */
function seenIn(bytes: Buffer): { readonly good: number; readonly text: string } {
  const { records, good } = readLog(bytes);
  return { good, text: shown(new MemoryStore({ image: replayed(records).image })) };
}

const LIFE = fc.array(WISH, { minLength: 1, maxLength: 12 });

test('a whole log leads to what the store was', () => {
  fc.assert(
    fc.property(LIFE, (wishes) => {
      const { bytes, seen } = lived(wishes);
      const { good, text } = seenIn(bytes);
      expect(good).toBe(bytes.length);
      expect(text).toBe([...seen.values()].at(-1));
    }),
    { numRuns: 60 },
  );
});

test('of a log that is cut anywhere, what was written whole is there, and what is not read is told', () => {
  fc.assert(
    fc.property(LIFE, fc.nat(), (wishes, at) => {
      const { bytes, seen } = lived(wishes);
      const cut = bytes.subarray(0, at % (bytes.length + 1));
      const { good, text } = seenIn(cut);
      const whole = [...seen].filter(([length]) => length <= cut.length).at(-1);
      if (whole === undefined) return;
      expect(text).toBe(whole[1]);
      expect(good).toBe(whole[0]);
    }),
    { numRuns: 120 },
  );
});

test('of a log with a wrong byte anywhere, what was written before it is there, and nothing after it', () => {
  fc.assert(
    fc.property(LIFE, fc.nat(), fc.integer({ min: 1, max: 255 }), (wishes, where, change) => {
      const { bytes, seen } = lived(wishes);
      const at = where % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ change;
      const { good, text } = seenIn(bytes);
      expect(good).toBeLessThanOrEqual(at);
      const before = [...seen].filter(([length]) => length <= at).at(-1);
      if (before !== undefined) expect([good, text]).toEqual(before);
    }),
    { numRuns: 120 },
  );
});

test('a record that is whole and of another kind is not taken for the end', () => {
  const path = folder.file();
  const { log } = LogFile.open({
    path,
    clock: new VirtualClock(),
    kubernetesVersion: '1.36',
    report: () => undefined,
  });
  log.replaced(new MemoryStore().image(), 0 as Revision);
  log.keep('a', 'b');
  log.close();
  const bytes = readFileSync(path);
  expect(() => readLog(Buffer.concat([bytes, lineOfAnotherVersion]))).toThrow(
    'record 4 is of a kind that this version',
  );
});

/** `{"splice":1}` with its checksum. */
const lineOfAnotherVersion = Buffer.from('40afdc8d988cbeca {"splice":1}\n');
