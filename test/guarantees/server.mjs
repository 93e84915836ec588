// A server with small windows and channels, in a process of its own: node server.mjs '{"stallResume":true,…}'
// Prints its URL; ends when its input does.
import { DEFAULT_FEATURES } from '../../dist/mockserver/ground/features.js';
import { startMockServer } from '../../dist/mockserver/index.js';
import { DEFAULT_WATCH_CACHE } from '../../dist/mockserver/watch/watch-cache-options.js';

const { stallResume, capacity, channel } = JSON.parse(process.argv[2] ?? '{}');
const server = await startMockServer({
  cluster: {
    features: { ...DEFAULT_FEATURES, WatchCacheStallResume: stallResume },
    progressIntervalMs: 200,
    watchCache: {
      ...DEFAULT_WATCH_CACHE,
      window: { ...DEFAULT_WATCH_CACHE.window, minCapacity: capacity, maxCapacity: capacity },
      minChannel: channel,
      maxChannel: channel,
      bookmarks: { ...DEFAULT_WATCH_CACHE.bookmarks, intervalMs: 300 },
    },
  },
});
console.log(server.url);
process.stdin.on('end', () => server.stop()).resume();
