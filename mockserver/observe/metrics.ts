/** The metrics of one cluster, as `/metrics` shows them. Nothing is made before something is counted or asked for. */
import { type Clock } from '../ground/clock.js';
import { type GroupResource } from '../ground/kind.js';
import { type HttpCounts } from '../http/http-counts.js';
import { type WatchMetrics } from '../watch/watch-metrics.js';
import { HttpSeries } from './http-series.js';
import { type ObservedCache, WatchSeries } from './watch-series.js';

/** The media type that kube-apiserver answers with. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

export class Metrics {
  readonly #watch = new WatchSeries();
  readonly #http: HttpSeries;

  /** @param clock real time */
  constructor(clock: Clock) {
    this.#http = new HttpSeries(clock);
  }

  /** Who counts for the cache of a resource. */
  watchMetricsOf(groupResource: GroupResource): WatchMetrics {
    return this.#watch.of(groupResource);
  }

  get http(): HttpCounts {
    return this.#http;
  }

  /** The text that Prometheus reads. @param caches of the cluster, for the gauges that are read off now */
  text(caches: Iterable<ObservedCache>): string {
    const families = [...this.#http.families, ...this.#watch.families(caches)];
    return families
      .flatMap((family) => family.text())
      .map((line) => `${line}\n`)
      .join('');
  }
}
