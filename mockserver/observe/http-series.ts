/**
 * What HTTP counts, as the series of kube-apiserver.
 *
 * Source: apiserver endpoints/metrics/metrics.go; the last family is this server's own.
 */
import {
  type AnsweredRequest,
  type HttpCounts,
  type RequestTarget,
  type WatchCounts,
} from '../http/http-counts.js';
import { type Clock } from '../ground/clock.js';
import { type Family, Histogram, Numbers } from './series.js';

const SIZE_BUCKETS = Array.from({ length: 8 }, (_, i) => 1024 * 2 ** i);
const WATCH_LIST_BUCKETS = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60];

export class HttpSeries implements HttpCounts {
  readonly #clock: Clock;
  readonly #requests = new Numbers('counter', {
    name: 'apiserver_request_total',
    help: 'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
    stability: 'STABLE',
  });
  readonly #longRunning = new Numbers('gauge', {
    name: 'apiserver_longrunning_requests',
    help: 'Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
    stability: 'STABLE',
  });
  readonly #events = new Numbers('counter', {
    name: 'apiserver_watch_events_total',
    help: 'Number of events sent in watch clients',
    stability: 'ALPHA',
  });
  readonly #sizes = new Histogram(SIZE_BUCKETS, {
    name: 'apiserver_watch_events_sizes',
    help: 'Watch event size distribution in bytes',
    stability: 'ALPHA',
  });
  readonly #watchLists = new Histogram(WATCH_LIST_BUCKETS, {
    name: 'apiserver_watch_list_duration_seconds',
    help: 'Response latency distribution in seconds for watch list requests broken by group, version, resource and scope.',
    stability: 'BETA',
  });
  readonly #encodings = new Numbers('counter', {
    name: 'mockserver_watch_event_encodings_total',
    help: 'Number of times a watch event was encoded; watchers that are sent the same event share one encoding.',
    stability: 'ALPHA',
  });

  /** Ways to the series of requests: every request comes by here, and labels cost a sort. */
  readonly #answers = new Map<string, () => void>();

  /** @param clock real time: durations are what a client felt */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  answered({ target, verb, dryRun, code }: AnsweredRequest): void {
    const { group, version, resource, subresource, scope } = target;
    // Names and verbs hold no blanks that the parts could be confused by.
    const key = `${group} ${version} ${resource} ${subresource} ${scope} ${verb} ${dryRun ? 1 : 0} ${code}`;
    let count = this.#answers.get(key);
    if (count === undefined) {
      const labels = { ...labelsOf(target), verb, dry_run: dryRun ? 'All' : '', code: String(code) };
      this.#answers.set(key, (count = this.#requests.series(labels)));
    }
    count();
  }

  watchOpened(target: RequestTarget, watchList: boolean): WatchCounts {
    const { group, version, resource, scope } = target;
    const short = { group, version, resource };
    const open = this.#longRunning.series({ ...labelsOf(target), verb: 'WATCH' });
    const event = this.#events.series(short);
    const size = this.#sizes.series(short);
    const encoding = this.#encodings.series(short);
    const began = this.#clock.elapsed();
    let isOpen = true;
    open();
    return {
      sent: (bytes) => {
        event();
        size(bytes);
      },
      encoded: () => encoding(),
      initialEventsEnd: () => {
        if (watchList) this.#watchLists.observe({ ...short, scope }, (this.#clock.elapsed() - began) / 1000);
      },
      closed: () => {
        if (isOpen) open(-1);
        isOpen = false;
      },
    };
  }

  get families(): readonly Family[] {
    return [this.#longRunning, this.#requests, this.#sizes, this.#events, this.#watchLists, this.#encodings];
  }
}

const labelsOf = ({ group, version, resource, subresource, scope }: RequestTarget) => ({
  component: 'apiserver',
  group,
  version,
  resource,
  subresource,
  scope,
});
