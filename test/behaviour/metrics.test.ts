/** What `/metrics` shows, under the names, types and labels of kube-apiserver. */
import { DEFAULT_FEATURES } from '../../mockserver/ground/features.js';
import { startMockServer, type MockServer } from '../../mockserver/index.js';
import { DEFAULT_WATCH_CACHE } from '../../mockserver/watch/watch-cache-options.js';
import { closeIdleConnections, type Place, send } from './connection.js';
import { versionOf } from './documents.js';
import { EventStream } from './event-stream.js';
import { ownTest } from './target.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
let server: MockServer | undefined;
afterEach(async () => {
  closeIdleConnections();
  await server?.stop();
});

async function startWith(stallResume: boolean, stallResumeOf: Record<string, boolean> = {}): Promise<Place> {
  server = await startMockServer({
    cluster: {
      features: { ...DEFAULT_FEATURES, WatchCacheStallResume: stallResume },
      stallResumeOf,
      watchCache: { ...DEFAULT_WATCH_CACHE, window: { ...DEFAULT_WATCH_CACHE.window, minCapacity: 400 } },
    },
  });
  return { url: server.url, token: '' };
}

/** The lines of series, by name and labels. */
async function seriesOf({
  url,
}: Place): Promise<{ type: string; text: string; value: (series: string) => number }> {
  const answer = await fetch(`${url}/metrics`);
  const text = await answer.text();
  const value = (series: string): number => {
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? 0 : Number(line.slice(series.length + 1));
  };
  return { type: answer.headers.get('content-type') ?? '', text, value };
}

const large = 'x'.repeat(100_000);
const write = async (place: Place, name: string): Promise<number> => {
  const { doc } = await send(place, 'POST', CONFIG_MAPS, { body: { metadata: { name }, data: { large } } });
  return versionOf(doc);
};

/** A watch that stops reading while more is written than sockets hold. */
async function stallAWatch(place: Place): Promise<EventStream> {
  const { doc } = await send(place, 'GET', CONFIG_MAPS);
  const path = `${CONFIG_MAPS}?watch=1&resourceVersion=${doc.metadata.resourceVersion}`;
  const stalled = await EventStream.open(place, path);
  stalled.stall();
  for (let i = 0; i < 200; i++) await write(place, `slow-${i}`);
  return stalled;
}

ownTest('requests, open watches and events are counted by their labels', async () => {
  const place = await startWith(true);
  await write(place, 'one');
  const watch = await EventStream.open(place, `${CONFIG_MAPS}?watch=1&allowWatchBookmarks=1`);
  await watch.next();
  await watch.next();
  await write(place, 'two');
  await watch.next();
  const { type, value } = await seriesOf(place);
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8; escaping=underscores');
  const target = 'component="apiserver"';
  const rest = 'group="",resource="configmaps"';
  expect(
    value(
      `apiserver_request_total{code="201",${target},dry_run="",${rest},scope="resource",subresource="",verb="POST",version="v1"}`,
    ),
  ).toBe(2);
  expect(
    value(
      `apiserver_longrunning_requests{${target},${rest},scope="namespace",subresource="",verb="WATCH",version="v1"}`,
    ),
  ).toBe(1);
  // The one that was there, the bookmark that ends the initial events, and the new one.
  expect(value(`apiserver_watch_events_total{${rest},version="v1"}`)).toBe(3);
  expect(value(`apiserver_watch_events_sizes_count{${rest},version="v1"}`)).toBe(3);
  expect(value(`apiserver_init_events_total{${rest}}`)).toBe(1);
  expect(value(`apiserver_watch_cache_events_received_total{${rest}}`)).toBeGreaterThan(0);
  expect(value(`watch_cache_capacity{${rest}}`)).toBe(400);
  expect(value(`apiserver_watch_list_duration_seconds_count{${rest},scope="namespace",version="v1"}`)).toBe(
    1,
  );
  watch.close();
});

ownTest('a stall, the catching up and its events are counted, and nobody is terminated', async () => {
  const place = await startWith(true);
  const stalled = await stallAWatch(place);
  const rest = 'group="",resource="configmaps"';
  const during = await seriesOf(place);
  expect(during.value(`apiserver_watch_cache_watcher_stalls_total{${rest}}`)).toBe(1);
  expect(during.value(`apiserver_watch_cache_stalled_watchers{${rest}}`)).toBe(1);
  stalled.resume();
  await stalled.take(200);
  const after = await seriesOf(place);
  expect(after.value(`apiserver_watch_cache_stalled_watchers{${rest}}`)).toBe(0);
  expect(after.value(`apiserver_watch_cache_watcher_catchup_rounds_total{${rest}}`)).toBe(
    after.value(`apiserver_watch_cache_watcher_catchup_events_count{${rest}}`),
  );
  expect(after.value(`apiserver_watch_cache_watcher_deferred_events_total{${rest}}`)).toBeGreaterThan(0);
  expect(after.text).not.toContain('apiserver_terminated_watchers_total{');
  expect(after.text).not.toMatch(/skipped_events_total\{.*\} [1-9]/);
  stalled.close();
});

ownTest(
  'with the gate off for this one resource the watch is closed, and counted as unresponsive',
  async () => {
    const place = await startWith(true, { configmaps: false });
    const stalled = await stallAWatch(place);
    const { value } = await seriesOf(place);
    expect(
      value('apiserver_terminated_watchers_total{group="",reason="unresponsive",resource="configmaps"}'),
    ).toBe(1);
    expect(value('apiserver_watch_cache_watcher_stalls_total{group="",resource="configmaps"}')).toBe(0);
    stalled.resume();
    await stalled.rest();
  },
);
