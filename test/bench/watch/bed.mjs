/** A store with one watch cache, in process and in real time, and clients that read or do not. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { realClock } from '../../../dist/mockserver/ground/clock.js';
import { seededRandom } from '../../../dist/mockserver/ground/random.js';
import { addressOf } from '../../../dist/mockserver/store/key.js';
import { MemoryStore } from '../../../dist/mockserver/store/memory-store.js';
import { WatchCache } from '../../../dist/mockserver/watch/watch-cache.js';
import { DEFAULT_WATCH_CACHE } from '../../../dist/mockserver/watch/watch-cache-options.js';
import { NO_METRICS } from '../../../dist/mockserver/watch/watch-metrics.js';

const PREFIX = '/registry/example.com/widgets/';
const PADDING = 'x'.repeat(1000);

/** Everything is counted; `passMs` is the time that passes took. */
export function watchBed({ stallResume, clock = realClock, options = {} }) {
  const store = new MemoryStore();
  const counts = { stalls: 0, terminated: 0, deferred: 0, catchUps: 0, passMs: 0, passes: 0, encodings: 0 };
  const cache = new WatchCache({
    store,
    prefix: PREFIX,
    mode: 'cached',
    clock,
    pace: clock,
    random: seededRandom(1),
    stallResume,
    options: { ...DEFAULT_WATCH_CACHE, ...options },
    metrics: {
      ...NO_METRICS,
      stalled: () => counts.stalls++,
      terminated: () => counts.terminated++,
      deferred: (events) => (counts.deferred += events),
      caughtUp: () => counts.catchUps++,
      passed: (report) => {
        counts.passes++;
        counts.passMs += report.durationMs;
        bed.onPass?.(report);
      },
    },
  });
  const committedAt = new Map();
  const bed = {
    store,
    cache,
    counts,
    write(name) {
      const { revision } = store.create(addressOf(PREFIX, 'ns', name), (rev) => ({
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: { name, namespace: 'ns', resourceVersion: String(rev) },
        spec: { PADDING },
      }));
      committedAt.set(revision, performance.now());
      return revision;
    },
    open: () =>
      cache.watch({
        start: { kind: 'after', revision: cache.revision },
        scope: {},
        bookmarks: true,
        timeoutMs: 3_600_000,
      }),
    /** A client that always reads, in a later turn as a socket would. Shape: milliseconds from commit to client. */
    witness() {
      const latencies = [];
      const watcher = bed.open();
      reading(
        watcher,
        (event) => latencies.push(performance.now() - committedAt.get(event.revision)),
        counts,
      );
      return { watcher, latencies };
    },
    close: () => cache.close('shutdown'),
  };
  return bed;
}

/** Reads all that comes, at the end of the turn or at once when the channel is full. */
export function reading(watcher, seen, counts) {
  let due = false;
  const take = () => {
    due = false;
    for (let event = watcher.take(); event !== undefined; event = watcher.take()) {
      if (event.kind !== 'object') continue;
      event.frame('json', ({ type, object }) => {
        counts.encodings++;
        return Buffer.from(`{"type":"${type}","object":${object.json}}\n`, 'latin1');
      });
      seen(event);
    }
  };
  watcher.onReady((readiness) => {
    if (readiness === 'now') take();
    else if (!due) {
      due = true;
      queueMicrotask(take);
    }
  });
}

/** Calls `work` so many times a second, for so many seconds, and lets the loop turn between. */
export async function atRate(perSecond, seconds, work) {
  const begun = performance.now();
  const total = Math.round(perSecond * seconds);
  for (let done = 0; done < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - begun) / 1000) * perSecond));
    for (; done < due; done++) work(done);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return performance.now() - begun;
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The value below which so great a share of the values lies. */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? NaN : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Runs `work` and answers how late the event loop was at worst in 99 of 100 turns, in milliseconds. */
export async function loopDelay(work) {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await work();
  histogram.disable();
  return histogram.percentile(99) / 1e6;
}
