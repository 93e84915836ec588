/**
 * What watch caches count, as the series of kube-apiserver.
 *
 * Source: apiserver storage/cacher/metrics (names, types and labels of 1.34 to 1.36); KEP-6268 for those of stall and
 * resume and for the label `reason`.
 */
import { type GroupResource } from '../ground/kind.js';
import { type WatchMetrics } from '../watch/watch-metrics.js';
import { type WatchCache } from '../watch/watch-cache.js';
import { type Description, type Family, Histogram, Numbers } from './series.js';

const alpha = (name: string, help: string): Description => ({ name, help, stability: 'ALPHA' });
const counter = (name: string, help: string): Numbers => new Numbers('counter', alpha(name, help));
const gauge = (name: string, help: string): Numbers => new Numbers('gauge', alpha(name, help));

/** The KEP names no buckets: powers of four reach from one event to the largest window. */
const CATCH_UP_BUCKETS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536];
const WAIT_BUCKETS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3];

/** kube-apiserver shows the 15 last digits of a version. */
const VERSION_MODULUS = 1e15;

/** A cache whose gauges are read off when they are asked for. */
export interface ObservedCache {
  readonly groupResource: GroupResource;
  readonly cache: Pick<WatchCache, 'revision' | 'window' | 'mode'>;
}

export class WatchSeries {
  readonly #stalls = counter(
    'apiserver_watch_cache_watcher_stalls_total',
    'Number of times a watcher fell behind live dispatch.',
  );
  readonly #deferred = counter(
    'apiserver_watch_cache_watcher_deferred_events_total',
    'Number of events delivered by catching up instead of by live dispatch.',
  );
  readonly #rounds = counter(
    'apiserver_watch_cache_watcher_catchup_rounds_total',
    'Number of times a watcher caught up.',
  );
  readonly #catchUpEvents = new Histogram(
    CATCH_UP_BUCKETS,
    alpha(
      'apiserver_watch_cache_watcher_catchup_events',
      'Number of events a watcher was sent while it caught up.',
    ),
  );
  readonly #behind = gauge(
    'apiserver_watch_cache_stalled_watchers',
    'Number of watchers that are behind live dispatch.',
  );
  readonly #skipped = counter(
    'apiserver_watch_cache_watcher_skipped_events_total',
    'Number of events that live dispatch met at or below the position of a watcher.',
  );
  readonly #terminated = counter(
    'apiserver_terminated_watchers_total',
    'Counter of watchers closed due to unresponsiveness broken by resource type.',
  );
  readonly #received = counter(
    'apiserver_watch_cache_events_received_total',
    'Counter of events received in watch cache broken by resource type.',
  );
  readonly #dispatched = counter(
    'apiserver_watch_cache_events_dispatched_total',
    'Counter of events dispatched in watch cache broken by resource type.',
  );
  readonly #initial = counter(
    'apiserver_init_events_total',
    'Counter of init events processed in watch cache broken by resource type.',
  );
  readonly #initializations = counter(
    'apiserver_watch_cache_initializations_total',
    'Counter of watch cache initializations broken by resource type.',
  );
  readonly #waits = new Histogram(
    WAIT_BUCKETS,
    alpha(
      'apiserver_watch_cache_read_wait_seconds',
      'Histogram of time spent waiting for a watch cache to become fresh.',
    ),
  );
  readonly #consistent = counter(
    'apiserver_watch_cache_consistent_read_total',
    'Counter for consistent reads from cache.',
  );
  readonly #lists = counter('apiserver_cache_list_total', 'Number of LIST requests served from watch cache');
  readonly #fetched = counter(
    'apiserver_cache_list_fetched_objects_total',
    'Number of objects read from watch cache in the course of serving a LIST request',
  );
  readonly #returned = counter(
    'apiserver_cache_list_returned_objects_total',
    'Number of objects returned for a LIST request from watch cache',
  );
  readonly #version = gauge(
    'apiserver_watch_cache_resource_version',
    'Current resource version of watch cache broken by resource type. This is truncated to the 15 least significant digits.',
  );
  readonly #capacity = gauge(
    'watch_cache_capacity',
    'Total capacity of watch cache broken by resource type.',
  );
  readonly #growths = counter(
    'watch_cache_capacity_increase_total',
    'Total number of watch cache capacity increase events broken by resource type.',
  );
  readonly #shrinkings = counter(
    'watch_cache_capacity_decrease_total',
    'Total number of watch cache capacity decrease events broken by resource type.',
  );

  /**
   * The counting end of one cache. Several caches may have the same labels (a cache that was made anew, clusters): each
   * adds its own part to a series and takes it back, none sets it.
   */
  of({ group, resource }: GroupResource): WatchMetrics {
    const labels = { group, resource };
    let behind = 0;
    const add = {
      stalls: this.#stalls.series(labels),
      deferred: this.#deferred.series(labels),
      rounds: this.#rounds.series(labels),
      catchUpEvents: this.#catchUpEvents.series(labels),
      behind: this.#behind.series(labels),
      skipped: this.#skipped.series(labels),
      received: this.#received.series(labels),
      dispatched: this.#dispatched.series(labels),
      initial: this.#initial.series(labels),
      waits: this.#waits.series(labels),
      lists: this.#lists.series({ ...labels, index: '' }),
      fetched: this.#fetched.series({ ...labels, index: '' }),
      returned: this.#returned.series(labels),
    };
    this.#initializations.add(labels);
    return {
      stalled: () => add.stalls(),
      unsynced: (count) => {
        add.behind(count - behind);
        behind = count;
      },
      deferred: (count) => add.deferred(count),
      caughtUp: (events) => {
        add.rounds();
        add.catchUpEvents(events);
      },
      skipped: () => add.skipped(),
      terminated: (reason) => this.#terminated.add({ ...labels, reason }),
      received: () => add.received(),
      dispatched: () => add.dispatched(),
      scanned: () => undefined,
      passed: () => undefined,
      initialEvents: (count) => {
        if (count > 0) add.initial(count);
      },
      waited: (milliseconds) => add.waits(milliseconds / 1000),
      consistentRead: (success) =>
        this.#consistent.add({ ...labels, fallback: 'false', success: String(success) }),
      listed: (fetched, returned) => {
        add.lists();
        add.fetched(fetched);
        add.returned(returned);
      },
    };
  }

  /** All families, with the gauges of these caches as they are now. */
  families(caches: Iterable<ObservedCache>): readonly Family[] {
    for (const family of [this.#version, this.#capacity, this.#growths, this.#shrinkings]) family.clear();
    for (const { groupResource, cache } of caches) {
      if (cache.mode === 'direct') continue; // a real server has no cache of it
      const { group, resource } = groupResource;
      const labels = { group, resource };
      this.#version.set(labels, cache.revision % VERSION_MODULUS);
      this.#capacity.add(labels, cache.window.capacity);
      if (cache.window.growths > 0) this.#growths.add(labels, cache.window.growths);
      if (cache.window.shrinkings > 0) this.#shrinkings.add(labels, cache.window.shrinkings);
    }
    return [
      this.#lists,
      this.#fetched,
      this.#returned,
      this.#initial,
      this.#terminated,
      this.#consistent,
      this.#dispatched,
      this.#received,
      this.#initializations,
      this.#waits,
      this.#version,
      this.#behind,
      this.#catchUpEvents,
      this.#rounds,
      this.#deferred,
      this.#skipped,
      this.#stalls,
      this.#capacity,
      this.#shrinkings,
      this.#growths,
    ];
  }
}
