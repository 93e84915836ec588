/** Case 24: a client that stops reading. Over sockets that fill up: test/behaviour/slow-watcher.test.ts, test/clients/stalled.test.ts. */
import { DEFAULT_FEATURES } from '../../mockserver/ground/features.js';
import { fault, type ServerOptions } from '../../mockserver/index.js';
import { DEFAULT_WATCH_CACHE } from '../../mockserver/watch/watch-cache-options.js';
import { EventStream } from '../behaviour/event-stream.js';
import { type Given, given, MAPS, WATCH_LIST } from './given.js';

const WRITES = 200;

const options = (stallResume: boolean): ServerOptions => ({
  cluster: {
    features: { ...DEFAULT_FEATURES, WatchCacheStallResume: stallResume },
    watchCache: {
      ...DEFAULT_WATCH_CACHE,
      window: { ...DEFAULT_WATCH_CACHE.window, minCapacity: 400, maxCapacity: 400 },
      maxChannelBesideTrigger: 10,
    },
  },
});

const open = ({ place }: Given, userAgent: string, query: string): Promise<EventStream> =>
  EventStream.open(place, `${MAPS}?watch=1&${query}`, { headers: { 'User-Agent': userAgent } });

const write = async ({ create }: Given, count = WRITES, prefix = 'w'): Promise<string[]> => {
  const versions: string[] = [];
  for (let i = 0; i < count; i++) versions.push(await create(`${prefix}-${i}`));
  return versions;
};

const versionsOf = (events: Awaited<ReturnType<EventStream['take']>>): string[] =>
  events.map(({ object }) => object.metadata.resourceVersion);

/** The value of a series of ConfigMaps, 0 where there is none. */
async function metric({ place }: Given, name: string, label = ''): Promise<number> {
  const text = await (await fetch(`${place.url}/metrics`)).text();
  const line = text
    .split('\n')
    .find((one) => one.startsWith(`${name}{`) && one.includes('"configmaps"') && one.includes(label));
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('with the gate off', () => {
  const at = given(options(false));

  test('it is sent an unbroken run, then the end without a word; a watch from there misses nothing', async () => {
    const from = await at().create('start');
    const query = `resourceVersion=${from}`;
    const slow = await open(at(), 'slow', query);
    const other = await open(at(), 'other', query);
    const before = await write(at(), 3, 'before');
    expect(versionsOf(await slow.take(3))).toEqual(before);
    at().server.control.stall({ userAgent: 'slow' });
    const written = [...before, ...(await write(at()))];
    expect(versionsOf(await other.take(written.length))).toEqual(written);
    at().server.control.resume();
    const events = await slow.rest();
    expect(events.map(({ type }) => type)).not.toContain('ERROR');
    const seen = [...before, ...versionsOf(events)];
    expect(seen).toEqual(written.slice(0, seen.length));
    expect(await metric(at(), 'apiserver_terminated_watchers_total', 'reason="unresponsive"')).toBe(1);

    const again = await open(at(), 'slow', `resourceVersion=${seen.at(-1) ?? ''}`);
    expect(versionsOf(await again.take(written.length - seen.length))).toEqual(written.slice(seen.length));
    again.close();
    other.close();
    // What the test kit says of it: one watch more, no list, nothing missed and nothing twice.
    const client = at().server.journal.client('slow');
    expect([client.watches.length, client.lists.length]).toEqual([2, 0]);
    expect([client.missed, client.duplicates]).toEqual([[], []]);
  }, 60_000);

  test('a marker that was promised and not sent is sent before the end', async () => {
    const before = [await at().create('a'), await at().create('b')];
    at().server.faults.add(fault.stall({ userAgent: 'slow' }));
    const slow = await EventStream.open(at().place, WATCH_LIST, { headers: { 'User-Agent': 'slow' } });
    // A round of bookmarks passes: from then on the marker counts as queued.
    at().clock.advance(62_000);
    const other = await open(at(), 'other', `resourceVersion=${before[1] ?? ''}`);
    const written = await write(at());
    // Who gets the last of them was not waiting behind the slow one any more.
    expect(versionsOf(await other.take(WRITES))).toEqual(written);
    other.close();
    expect(await metric(at(), 'apiserver_terminated_watchers_total', 'reason="unresponsive"')).toBe(1);
    at().server.control.resume();
    const events = await slow.rest();
    expect(events.map(({ type }) => type)).not.toContain('ERROR');
    expect(versionsOf(events.slice(0, 2))).toEqual(before);
    expect(events[2]?.type).toBe('BOOKMARK');
    expect(events[2]?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    expect(versionsOf(events.slice(3))).toEqual(written.slice(0, events.length - 3));
    expect(events.length - 3).toBeLessThan(WRITES);
  }, 60_000);
});

describe('with the gate on', () => {
  const at = given(options(true));

  test('it is sent all of it in order on the same connection, and the journal tells how long it was behind', async () => {
    const from = await at().create('start');
    using stall = at().server.faults.add(fault.stall({ userAgent: 'slow' }));
    const slow = await open(at(), 'slow', `resourceVersion=${from}`);
    const written = await write(at());
    expect(await metric(at(), 'apiserver_watch_cache_stalled_watchers')).toBe(1);
    at().clock.advance(5000);
    stall.remove();
    expect(versionsOf(await slow.take(WRITES))).toEqual(written);
    expect(await metric(at(), 'apiserver_watch_cache_stalled_watchers')).toBe(0);
    expect(await metric(at(), 'apiserver_watch_cache_watcher_stalls_total')).toBe(1);
    const client = at().server.journal.client('slow');
    expect([client.connections, client.watches.length, client.lists.length]).toEqual([1, 1, 0]);
    expect([client.missed, client.duplicates]).toEqual([[], []]);
    expect(client.behindMs).toBeGreaterThanOrEqual(5000);
    slow.close();
  });

  test('bookmarks never go back, and pass over nothing', async () => {
    const from = await at().create('start');
    const slow = await open(at(), 'slow', `resourceVersion=${from}&allowWatchBookmarks=true`);
    await at().create('seen');
    await slow.next();
    at().clock.advance(62_000);
    const before = await slow.next();
    expect(before.type).toBe('BOOKMARK');
    at().server.control.stall({ userAgent: 'slow' });
    const written = await write(at());
    at().clock.advance(120_000);
    at().server.control.resume();
    const events: string[] = [];
    let highest = Number(before.object.metadata.resourceVersion);
    while (events.length < WRITES) {
      const { type, object } = await slow.next();
      const version = Number(object.metadata.resourceVersion);
      expect(version).toBeGreaterThanOrEqual(highest);
      highest = version;
      if (type === 'BOOKMARK') expect(events).toContain(object.metadata.resourceVersion);
      else events.push(object.metadata.resourceVersion);
    }
    expect(events).toEqual(written);
    slow.close();
  });

  test('when what it missed has left the history, it is sent what was queued, one ERROR event 410 and the end', async () => {
    const from = await at().create('start');
    using stall = at().server.faults.add(fault.stall({ userAgent: 'slow' }));
    const slow = await open(at(), 'slow', `resourceVersion=${from}`);
    const written = await write(at());
    at().server.control.compact();
    stall.remove();
    const events = await slow.rest();
    expect(events.at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    const seen = versionsOf(events.slice(0, -1));
    expect(seen).toEqual(written.slice(0, seen.length));
    expect(await metric(at(), 'apiserver_terminated_watchers_total', 'reason="resource_expired"')).toBe(1);
  });

  test('deletions and moves in and out of its selection are those of a watch that was never stalled', async () => {
    const web = { metadata: { labels: { app: 'web' } } };
    const put = (name: string, app: string) =>
      at().ask('PUT', `${MAPS}/${name}`, { metadata: { name, labels: { app } } });
    const make = (name: string) => at().ask('POST', MAPS, { metadata: { ...web.metadata, name } });
    for (const name of ['stays', 'leaves', 'goes']) await make(name);
    const from = at().server.control.revision;
    const query = `resourceVersion=${from}&labelSelector=app%3Dweb`;
    using stall = at().server.faults.add(fault.stall({ userAgent: 'slow' }));
    const slow = await open(at(), 'slow', query);
    const other = await open(at(), 'other', query);
    for (let i = 0; i < 20; i++) await make(`filler-${i}`);
    await put('leaves', 'db');
    await at().ask('DELETE', `${MAPS}/goes`);
    await put('leaves', 'web');
    await put('stays', 'web');
    const told = (events: Awaited<ReturnType<EventStream['take']>>): string[] =>
      events.map(({ type, object: { metadata } }) => `${type} ${metadata.name} ${metadata.resourceVersion}`);
    const expected = told(await other.take(23));
    expect(expected.slice(20).map((text) => text.split(' ').slice(0, 2).join(' '))).toEqual([
      'DELETED leaves',
      'DELETED goes',
      'ADDED leaves',
    ]);
    stall.remove();
    expect(told(await slow.take(23))).toEqual(expected);
    slow.close();
    other.close();
  });
});
