/** What the tests of the watch floor share: a store with a cache on a clock that stands still. */
import { VirtualClock } from '../../../mockserver/ground/clock.js';
import { stringMember } from '../../../mockserver/ground/json.js';
import { type ApiObject } from '../../../mockserver/ground/object.js';
import { seededRandom } from '../../../mockserver/ground/random.js';
import { type Revision, toResourceVersion } from '../../../mockserver/ground/revision.js';
import { addressOf } from '../../../mockserver/store/key.js';
import { MemoryStore } from '../../../mockserver/store/memory-store.js';
import { type CacheMode, WatchCache } from '../../../mockserver/watch/watch-cache.js';
import {
  DEFAULT_WATCH_CACHE,
  type WatchCacheOptions,
} from '../../../mockserver/watch/watch-cache-options.js';
import { type PassReport } from '../../../mockserver/watch/pass-schedule.js';
import { type WatchMetrics } from '../../../mockserver/watch/watch-metrics.js';
import { type Watcher } from '../../../mockserver/watch/watcher.js';

export const PREFIX = '/registry/configmaps/';

/** Counts as metrics do. */
export class Counts implements WatchMetrics {
  stalls = 0;
  behind = 0;
  deferredEvents = 0;
  readonly catchUps: number[] = [];
  skips = 0;
  readonly terminations: string[] = [];
  dispatches = 0;
  receptions = 0;
  readonly passes: PassReport[] = [];
  initials = 0;
  waits = 0;
  consistentReads = 0;
  lists = 0;
  stalled(): void {
    this.stalls++;
  }
  unsynced(count: number): void {
    this.behind = count;
  }
  deferred(count: number): void {
    this.deferredEvents += count;
  }
  caughtUp(events: number): void {
    this.catchUps.push(events);
  }
  skipped(): void {
    this.skips++;
  }
  terminated(reason: string): void {
    this.terminations.push(reason);
  }
  dispatched(): void {
    this.dispatches++;
  }
  received(): void {
    this.receptions++;
  }
  scanned(): void {
    // The passes tell how much they read.
  }
  passed(report: PassReport): void {
    this.passes.push(report);
  }
  initialEvents(count: number): void {
    this.initials += count;
  }
  waited(): void {
    this.waits++;
  }
  consistentRead(): void {
    this.consistentReads++;
  }
  listed(): void {
    this.lists++;
  }
}

export class Bed {
  readonly store = new MemoryStore();
  readonly clock = new VirtualClock();
  /** Paces passes and waits; it stands still as well. */
  readonly pace = new VirtualClock();
  readonly counts = new Counts();
  readonly cache: WatchCache;

  constructor(options: Partial<WatchCacheOptions> = {}, mode: CacheMode = 'cached', stallResume = true) {
    this.cache = new WatchCache({
      store: this.store,
      prefix: PREFIX,
      mode,
      clock: this.clock,
      pace: this.pace,
      stallResume,
      metrics: this.counts,
      random: seededRandom(1),
      options: { ...DEFAULT_WATCH_CACHE, ...options },
    });
  }

  /** Creates or replaces. Answers the revision. */
  put(path: string, labels: Record<string, string> = {}): Revision {
    const [namespace = '', name = ''] = path.split('/');
    const address = addressOf(PREFIX, namespace, name);
    const draft = (rev: Revision): ApiObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, resourceVersion: toResourceVersion(rev), labels },
    });
    const before = this.store.get(address.key);
    return before === undefined
      ? this.store.create(address, draft).revision
      : this.store.update(address, before.revision, draft).revision;
  }

  delete(path: string): Revision {
    const [namespace = '', name = ''] = path.split('/');
    const address = addressOf(PREFIX, namespace, name);
    return this.store.delete(address, this.store.get(address.key)?.revision ?? (0 as Revision)).revision;
  }

  /** A commit of another resource. */
  elsewhere(): Revision {
    const address = addressOf('/registry/secrets/', 'ns', `s${this.store.revision}`);
    return this.store.create(address, (rev) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { resourceVersion: toResourceVersion(rev) },
    })).revision;
  }
}

/** What waits for the consumer, as short texts: `ADDED ns/a@3`, `BOOKMARK 5 end`, `ERROR 410`. */
export function drain(watcher: Watcher): string[] {
  const seen: string[] = [];
  for (let event = watcher.take(); event !== undefined; event = watcher.take()) {
    switch (event.kind) {
      case 'object':
      case 'initial': {
        const { metadata } = event.object.object;
        const text = (name: string): string => stringMember(metadata, name) ?? '';
        const type = event.kind === 'initial' ? 'ADDED' : event.type;
        seen.push(`${type} ${text('namespace')}/${text('name')}@${text('resourceVersion')}`);
        break;
      }
      case 'bookmark':
        seen.push(`BOOKMARK ${event.revision}${event.initialEventsEnd ? ' end' : ''}`);
        break;
      case 'error':
        seen.push(`ERROR ${event.status.code ?? 0} ${event.status.message ?? ''}`);
        break;
    }
  }
  return seen;
}
