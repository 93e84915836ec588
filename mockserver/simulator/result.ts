/** What a simulation has found, as it is written to JSON. Times are milliseconds of the simulated clock. */
import { type JsonValue } from '../ground/json.js';
import { type Histogram } from './histogram.js';
import { type Costs } from './costs.js';

export interface Distribution {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

export const distributionOf = (histogram: Histogram): Distribution => ({
  count: histogram.count,
  mean: histogram.mean,
  p50: histogram.quantile(0.5),
  p90: histogram.quantile(0.9),
  p99: histogram.quantile(0.99),
  max: histogram.max,
});

export interface PopulationResult {
  readonly name: string;
  readonly watchers: number;
  /** From commit to the client's reading. */
  readonly latency: Distribution;
  /** Upper bound of a bucket, and how many events fell into it. */
  readonly latencyBuckets: readonly (readonly [number, number])[];
  /** Watches that the server ended for lag, by reason. */
  readonly ended: Readonly<Record<string, number>>;
  readonly reconnects: number;
  /** Times that a client read the state anew after a 410. */
  readonly relists: number;
  /** From falling behind to being synced again. */
  readonly resync: Distribution;
  /** Behind when the time was over. */
  readonly behindAtEnd: number;
}

export interface Termination {
  readonly atMs: number;
  readonly population: string;
  /** Which of the population, from 0. */
  readonly client: number;
  readonly reason: string;
}

/** What happened in one of equal parts of the time. */
export interface Interval {
  /** Its end. */
  readonly atMs: number;
  /** Watchers behind, at its end. */
  readonly behind: number;
  /** Revisions that the furthest one of each population is behind, at its end. */
  readonly lag: Readonly<Record<string, number>>;
  readonly passes: number;
  readonly passMs: number;
  readonly passMostMs: number;
  readonly terminations: number;
}

export interface Totals {
  readonly commits: number;
  readonly delivered: number;
  /** Encodings per event that was encoded at all. */
  readonly encodingsPerEvent: number;
  readonly stalls: number;
  readonly catchUps: number;
  /** Events delivered by passes. */
  readonly deferred: number;
  /** Events that live dispatch met at or below a watcher's position: 0 in the target design. */
  readonly skipped: number;
  readonly passes: number;
  readonly passMs: number;
  readonly passMostMs: number;
  /** Of the time, 0 to 1. */
  readonly passShare: number;
  readonly cohorts: number;
  readonly scanned: number;
  readonly pushed: number;
  /** The largest number of passes from one service of a watcher that had room to its next, and what it must not exceed. */
  readonly passesBetweenServices: number;
  readonly passesBetweenServicesBound: number;
  /** Share of the time in which the server's thread worked, 0 to 1. */
  readonly busy: number;
  /** How late the thread came to what was due. */
  readonly loopDelay: Distribution;
}

export interface RunResult {
  readonly labels: Readonly<Record<string, JsonValue>>;
  readonly variant: string;
  readonly seconds: number;
  readonly populations: readonly PopulationResult[];
  readonly totals: Totals;
  readonly intervals: readonly Interval[];
  /** The first of them. */
  readonly terminations: readonly Termination[];
  /** Real time that the run took. */
  readonly tookMs: number;
}

export interface SimulationResult {
  readonly description: string;
  readonly seed: number;
  readonly costs: Costs;
  /** Where the costs are from, in words. */
  readonly costsFrom: string;
  readonly runs: readonly RunResult[];
}
