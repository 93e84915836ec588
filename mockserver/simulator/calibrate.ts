/** Measures on this machine what the simulator's cost model asks for, with the engine's own classes. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { type Clock } from '../ground/clock.js';
import { type ApiObject } from '../ground/object.js';
import { seededRandom } from '../ground/random.js';
import { type Revision, revision, toResourceVersion } from '../ground/revision.js';
import { StoredObject } from '../ground/stored-object.js';
import { Change } from '../store/change.js';
import { addressOf } from '../store/key.js';
import { MemoryStore } from '../store/memory-store.js';
import { Entry } from '../watch/entry.js';
import { DEFAULT_PASS_BUDGETS, runPass } from '../watch/sync-pass.js';
import { WatchCache } from '../watch/watch-cache.js';
import { DEFAULT_WATCH_CACHE } from '../watch/watch-cache-options.js';
import { type WatchRequest } from '../watch/watch-request.js';
import { ObjectEvent } from '../watch/watch-event.js';
import { Watcher } from '../watch/watcher.js';
import { DEFAULT_WINDOW, Window } from '../watch/window.js';
import { type Costs } from './costs.js';
import { PREFIX } from './object-load.js';

/** Each figure is the middle one of so many rounds. */
const ROUNDS = 5;
const WATCHERS = 500;

/** Shape: microseconds, three digits. Takes a second or two. */
export async function calibrate(clock: Clock): Promise<Costs> {
  const microseconds = (times: number, work: () => void): number => {
    const found: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const began = clock.elapsed();
      work();
      if (round > 0) found.push((1000 * (clock.elapsed() - began)) / times); // the first one warms up
    }
    return middle(found);
  };
  const commitUs = microseconds(2000, commits(clock, 0, 2000));
  const selectUs = positive(
    microseconds(
      100 * WATCHERS,
      commits(clock, WATCHERS, 100, () => false),
    ) -
      commitUs / WATCHERS,
  );
  const offerUs = positive(microseconds(100 * WATCHERS, commits(clock, WATCHERS, 100)) - commitUs / WATCHERS);
  const intervalUs = microseconds(1000, passes(clock, 0, 1000));
  const readUs = positive(microseconds(50 * 1900, passes(clock, 1900, 50)) - intervalUs / 1900);
  const smallUs = encoding(microseconds, 100);
  const largeUs = encoding(microseconds, 20_100);
  const encodeKbUs = positive((largeUs - smallUs) / 20);
  const costs: Costs = {
    commitUs,
    openUs: microseconds(1000, opens(clock, 1000)),
    selectUs,
    pushUs: positive(offerUs - selectUs),
    intervalUs,
    readUs,
    wrapUs: wrapping(microseconds),
    encodeUs: positive(smallUs - encodeKbUs / 10),
    encodeKbUs,
    writeUs: await writing(clock),
  };
  return rounded(costs);
}

type Measure = (times: number, work: () => void) => number;

/** What a difference of two measurements is at least. */
const positive = (value: number): number => Math.max(0.01, value);

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const rounded = (costs: Costs): Costs => {
  const three = (value: number): number => Number(value.toPrecision(3));
  return Object.fromEntries(
    Object.entries(costs).map(([name, value]) => [name, three(value as number)]),
  ) as unknown as Costs; // the same members
};

const object = (name: string, version: Revision, bytes: number): ApiObject => ({
  apiVersion: 'simulated/v1',
  kind: 'Simulated',
  metadata: { name, namespace: 'ns0', resourceVersion: toResourceVersion(version) },
  text: 'x'.repeat(bytes),
});

function cacheOf(clock: Clock): { readonly store: MemoryStore; readonly cache: WatchCache } {
  const store = new MemoryStore();
  const cache = new WatchCache({
    store,
    prefix: PREFIX,
    mode: 'cached',
    clock,
    pace: clock,
    random: seededRandom(1),
    options: { ...DEFAULT_WATCH_CACHE, minChannel: 1000, maxChannel: 1000 },
    stallResume: true,
  });
  return { store, cache };
}

const request = (cache: WatchCache, matches?: () => boolean): WatchRequest => ({
  start: { kind: 'after', revision: cache.revision },
  scope: {},
  matches,
  bookmarks: false,
  timeoutMs: 3_600_000,
});

/** So many writes beside so many watchers with room. */
function commits(clock: Clock, watchers: number, writes: number, matches?: () => boolean): () => void {
  return () => {
    const { store, cache } = cacheOf(clock);
    for (let i = 0; i < watchers; i++) cache.watch(request(cache, matches)).onReady(() => undefined);
    for (let i = 0; i < writes; i++) {
      store.create(addressOf(PREFIX, 'ns0', `o${i}`), (version) => object(`o${i}`, version, 1000));
    }
    cache.close('shutdown');
  };
}

function opens(clock: Clock, count: number): () => void {
  return () => {
    const { cache } = cacheOf(clock);
    for (let i = 0; i < count; i++) cache.watch(request(cache)).onReady(() => undefined);
    cache.close('shutdown');
  };
}

const changeAt = (at: number): Change => {
  const version = revision(at);
  const key = `${PREFIX}ns0/o${at}`;
  return new Change(version, key, new StoredObject(key, version, object(`o${at}`, version, 100)), undefined);
};

/** So many passes, each over so many entries of which nobody wants any. */
function passes(clock: Clock, entries: number, count: number): () => void {
  const window = new Window({ ...DEFAULT_WINDOW, minCapacity: 5000 }, revision(0));
  for (let i = 1; i <= entries; i++) window.append(new Entry(PREFIX, changeAt(i), 0));
  return () => {
    for (let turn = 1; turn <= count; turn++) {
      const watcher = new Watcher({
        scope: { namespace: 'elsewhere' },
        capacity: 10,
        position: revision(0),
        startedAt: revision(0),
        synced: false,
        bookmarks: false,
        deadline: Infinity,
      });
      runPass({
        unsynced: [watcher],
        window,
        resyncPoint: revision(entries),
        cursor: revision(0),
        turn,
        budgets: { ...DEFAULT_PASS_BUDGETS, wallMs: Infinity },
        elapsed: () => clock.elapsed(),
        scanned: () => undefined,
      });
    }
  };
}

function wrapping(microseconds: Measure): number {
  const changes = Array.from({ length: 10_000 }, (_, i) => changeAt(i + 1));
  return microseconds(changes.length, () => {
    for (const change of changes) new Entry(PREFIX, change, 0).eventFor(undefined);
  });
}

function encoding(microseconds: Measure, bytes: number): number {
  const count = 500;
  return microseconds(count, () => {
    for (let i = 1; i <= count; i++) {
      const version = revision(i);
      const stored = new StoredObject('k', version, object('o', version, bytes));
      new ObjectEvent('ADDED', stored, version).frame('json', ({ type }) =>
        Buffer.from(`{"type":"${type}","object":${stored.json}}\n`, 'latin1'),
      );
    }
  });
}

/** One write of 1000 bytes to a socket whose other end reads, on this machine. */
async function writing(clock: Clock): Promise<number> {
  const frame = Buffer.alloc(1000, 'x');
  const server = createServer((socket) => void socket.resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening server has a port');
  const socket = connect(address.port, '127.0.0.1');
  await once(socket, 'connect');
  const found: number[] = [];
  for (let i = 0; i < 500; i++) {
    const began = clock.elapsed();
    const free = socket.write(frame);
    found.push(1000 * (clock.elapsed() - began));
    if (free) await new Promise<void>((resolve) => clock.soon(resolve));
    else await once(socket, 'drain');
  }
  socket.destroy();
  server.close();
  return middle(found);
}
