/** A client that stops reading its watch: today's servers close it, this one can also let it catch up. */
import { DEFAULT_FEATURES } from '../../mockserver/ground/features.js';
import { startMockServer, type MockServer } from '../../mockserver/index.js';
import { DEFAULT_WATCH_CACHE } from '../../mockserver/watch/watch-cache-options.js';
import { closeIdleConnections, type Place, send } from './connection.js';
import { type Doc, versionOf } from './documents.js';
import { EventStream } from './event-stream.js';
import { ownTest } from './target.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
/** More than sockets on the way can hold. */
const WRITES = 200;
const LARGE = 'x'.repeat(100_000);

let server: MockServer | undefined;
afterEach(async () => {
  closeIdleConnections();
  await server?.stop();
});

async function startWith(stallResume: boolean): Promise<Place> {
  server = await startMockServer({
    cluster: {
      features: { ...DEFAULT_FEATURES, WatchCacheStallResume: stallResume },
      watchCache: {
        ...DEFAULT_WATCH_CACHE,
        window: { ...DEFAULT_WATCH_CACHE.window, minCapacity: 400, maxCapacity: 400 },
        maxChannelBesideTrigger: 10,
      },
    },
  });
  return { url: server.url, token: '' };
}

const write = async (place: Place, name: string, k = LARGE): Promise<number> => {
  const { doc } = await send(place, 'POST', CONFIG_MAPS, { body: { metadata: { name }, data: { k } } });
  return versionOf(doc);
};

/** Opens a watch at the state now that reads nothing, then writes. Shape: the watch and the versions written. */
async function writeWhileStalled(
  place: Place,
): Promise<{ stalled: EventStream; written: number[]; other: number[] }> {
  const list: Doc = (await send(place, 'GET', CONFIG_MAPS)).doc;
  const path = `${CONFIG_MAPS}?watch=1&resourceVersion=${list.metadata.resourceVersion}`;
  const stalled = await EventStream.open(place, path);
  const reading = await EventStream.open(place, path);
  stalled.stall();
  const written: number[] = [];
  for (let i = 0; i < WRITES; i++) written.push(await write(place, `slow-${i}`));
  const other = (await reading.take(WRITES)).map(({ object }) => versionOf(object));
  reading.close();
  return { stalled, written, other };
}

describe('with stall and resume off', () => {
  ownTest(
    'it gets an unbroken run of events and the end, without an error; others lose nothing',
    async () => {
      const place = await startWith(false);
      const { stalled, written, other } = await writeWhileStalled(place);
      expect(other).toEqual(written);
      stalled.resume();
      const events = await stalled.rest();
      expect(events.map(({ type }) => type)).not.toContain('ERROR');
      const seen = events.map(({ object }) => versionOf(object));
      expect(seen.length).toBeLessThan(WRITES);
      expect(seen).toEqual(written.slice(0, seen.length));

      const last = seen.at(-1) ?? (written[0] ?? 0) - 1;
      const again = await EventStream.open(place, `${CONFIG_MAPS}?watch=1&resourceVersion=${last}`);
      const rest = await again.take(WRITES - seen.length);
      expect(rest.map(({ object }) => versionOf(object))).toEqual(written.slice(seen.length));
      again.close();
    },
  );
});

describe('with stall and resume on', () => {
  ownTest('it gets every event once, in order, on the same connection', async () => {
    const place = await startWith(true);
    const { stalled, written, other } = await writeWhileStalled(place);
    expect(other).toEqual(written);
    stalled.resume();
    const seen = (await stalled.take(WRITES)).map(({ object }) => versionOf(object));
    expect(seen).toEqual(written);
    const next = await write(place, 'afterwards', '1');
    expect(versionOf((await stalled.next()).object)).toBe(next);
    stalled.close();
  });
});
