/** One run: the real watch cache with its engine, on a clock that jumps from one happening to the next. */
import { VirtualClock } from '../ground/clock.js';
import { member } from '../ground/json.js';
import { type Random, seededRandom } from '../ground/random.js';
import { type PassReport } from '../watch/pass-schedule.js';
import { WatchCache } from '../watch/watch-cache.js';
import { NO_METRICS } from '../watch/watch-metrics.js';
import { Behind } from './behind.js';
import { Client, type ClientLog, type Interest } from './client.js';
import { type Costs } from './costs.js';
import { Histogram } from './histogram.js';
import { ObjectLoad, PREFIX, startWrites } from './object-load.js';
import { Population } from './population.js';
import { distributionOf, type Interval, type RunResult, type Termination, type Totals } from './result.js';
import { cacheOptions, type Run } from './run-plan.js';
import { type WatcherSpec } from './scenario.js';
import { ServerLoop } from './server-loop.js';

/** Parts of the time for which there are figures of their own. */
const INTERVALS = 200;
/** Terminations that are told one by one. */
const MOST_TERMINATIONS = 1000;

/** Counts of passes: of an interval, or of the whole. */
interface PassCounts {
  passes: number;
  passMs: number;
  passMostMs: number;
}

const noPasses = (): PassCounts => ({ passes: 0, passMs: 0, passMostMs: 0 });

function addPass(counts: PassCounts, { durationMs }: PassReport): void {
  counts.passes++;
  counts.passMs += durationMs;
  counts.passMostMs = Math.max(counts.passMostMs, durationMs);
}

export interface SimulateOptions {
  readonly costs: Costs;
  /** Told how much is done, 0 to 1, some hundred times. */
  readonly onProgress?: (share: number) => void;
  /** Real time, in milliseconds. */
  readonly elapsed: () => number;
}

/** Runs to the end; the same run gives the same result, but for the real time that it took. */
export function simulate(run: Run, options: SimulateOptions): RunResult {
  const began = options.elapsed();
  const simulation = new Simulation(run, options.costs);
  for (let i = 1; i <= INTERVALS; i++) {
    simulation.advance();
    options.onProgress?.(i / INTERVALS);
  }
  return simulation.finish(options.elapsed() - began);
}

class Simulation {
  readonly #run: Run;
  readonly #clock = new VirtualClock(0);
  readonly #loopDelays = new Histogram();
  readonly #loop = new ServerLoop(this.#clock, this.#loopDelays);
  readonly #random: Random;
  readonly #objects: ObjectLoad;
  readonly #cache: WatchCache;
  readonly #populations: readonly Population[];
  readonly #populationOf = new Map<Client, Population>();
  readonly #behind: Behind;
  readonly #intervals: Interval[] = [];
  readonly #terminations: Termination[] = [];
  readonly #counts = {
    stalls: 0,
    catchUps: 0,
    deferred: 0,
    skipped: 0,
    cohorts: 0,
    scanned: 0,
    pushed: 0,
    ended: 0,
    ...noPasses(),
  };
  /** Passes and terminations of the interval that runs. */
  #current = { ...noPasses(), ended: 0 };
  readonly #encodedRevisions = new Set<number>();
  #encodings = 0;
  readonly #revisionBefore: number;

  constructor(run: Run, costs: Costs) {
    this.#run = run;
    const { scenario, server } = run;
    this.#random = seededRandom(scenario.seed ?? 1);
    this.#objects = new ObjectLoad(scenario.objects ?? {}, this.#random);
    this.#objects.timeBy(() => this.#loop.now());
    this.#revisionBefore = this.#objects.store.revision;
    const loop = this.#loop;
    this.#cache = new WatchCache({
      store: this.#objects.store,
      prefix: PREFIX,
      mode: 'cached',
      clock: loop,
      pace: loop,
      random: this.#random,
      options: cacheOptions(server),
      stallResume: server.stallResume ?? true,
      metrics: {
        ...NO_METRICS,
        stalled: () => this.#counts.stalls++,
        deferred: (events) => (this.#counts.deferred += events),
        caughtUp: () => this.#counts.catchUps++,
        skipped: () => this.#counts.skipped++,
        scanned: (entries) => loop.work(costs.intervalUs + entries * costs.readUs),
        passed: (report) => this.#passed(report),
      },
    });
    this.#behind = new Behind((client, afterMs) => this.#populationOf.get(client)?.resync.add(afterMs));
    this.#populations = Object.entries(scenario.watchers).map(([name, spec]) =>
      this.#populate(name, spec, costs),
    );
    for (const write of Object.values(scenario.writes)) {
      startWrites(write, {
        endMs: 1000 * scenario.seconds,
        clock: this.#clock,
        loop,
        random: this.#random,
        objects: this.#objects,
        commitUs: costs.commitUs,
      });
    }
    if (server.pauses !== undefined) this.#pauseEvery(server.pauses.everyMs, server.pauses.forMs);
  }

  /** Lets one interval of the time go by. */
  advance(): void {
    this.#clock.advance((1000 * this.#run.scenario.seconds) / INTERVALS);
    const { passes, passMs, passMostMs, ended } = this.#current;
    this.#intervals.push({
      atMs: this.#clock.now(),
      behind: this.#behind.size,
      lag: this.#lag(),
      passes,
      passMs,
      passMostMs,
      terminations: ended,
    });
    this.#current = { ...noPasses(), ended: 0 };
  }

  finish(tookMs: number): RunResult {
    const now = this.#clock.now();
    for (const { clients } of this.#populations) for (const client of clients) client.abandon(now);
    for (const client of this.#behind.clients) {
      const population = this.#populationOf.get(client);
      if (population !== undefined) population.behindAtEnd++;
    }
    const { labels, variant, scenario } = this.#run;
    return {
      labels,
      variant,
      seconds: scenario.seconds,
      populations: this.#populations.map(({ result }) => result),
      totals: this.#totals(),
      intervals: this.#intervals,
      terminations: this.#terminations,
      tookMs,
    };
  }

  #totals(): Totals {
    const { stalls, catchUps, deferred, skipped, cohorts, scanned, pushed } = this.#counts;
    const { passes, passMs, passMostMs } = this.#counts;
    const now = this.#clock.now();
    return {
      commits: this.#objects.store.revision - this.#revisionBefore,
      delivered: this.#populations.reduce((sum, { latency }) => sum + latency.count, 0),
      encodingsPerEvent:
        this.#encodedRevisions.size === 0 ? 0 : this.#encodings / this.#encodedRevisions.size,
      stalls,
      catchUps,
      deferred,
      skipped,
      passes,
      passMs,
      passMostMs,
      passShare: passMs / now,
      cohorts,
      scanned,
      pushed,
      passesBetweenServices: this.#behind.mostBetween,
      passesBetweenServicesBound: this.#behind.bound,
      busy: this.#loop.busyMs / now,
      loopDelay: distributionOf(this.#loopDelays),
    };
  }

  #populate(name: string, spec: WatcherSpec, costs: Costs): Population {
    const population = new Population(name);
    const { measureFromMs = 0 } = this.#run.scenario;
    const { count = 1, join: { atMs = 0, overMs = 0 } = {} } = spec;
    const log: ClientLog = {
      read: (committedAt, readAt) => {
        if (committedAt >= measureFromMs) population.latency.add(readAt - committedAt);
      },
      encoded: (revision) => {
        this.#encodings++;
        this.#encodedRevisions.add(revision);
      },
      ended: (client, reason) => this.#ended(population, client, reason),
      reconnected: () => population.reconnects++,
      relisted: () => population.relists++,
      look: (client) => this.#behind.look(client, this.#loop.now()),
    };
    for (let number = 0; number < count; number++) {
      const client = new Client({
        number,
        spec,
        interest: this.#interestOf(spec, number),
        cache: this.#cache,
        clock: this.#clock,
        loop: this.#loop,
        random: this.#random,
        commits: this.#objects,
        costs,
        log,
      });
      population.clients.push(client);
      this.#populationOf.set(client, population);
      this.#clock.after(atMs + (overMs * number) / count, () => client.join());
    }
    return population;
  }

  #interestOf({ scope = 'all' }: WatcherSpec, number: number): Interest {
    const objects = this.#objects;
    switch (scope) {
      case 'all':
        return { scope: {} };
      case 'namespace':
        return { scope: { namespace: objects.namespaceOf(number) } };
      case 'name':
        return { scope: { namespace: objects.namespaceOf(number), name: objects.nameOf(number) } };
      case 'field': {
        const wanted = objects.fieldOf(number);
        return { scope: {}, trigger: 'used', selects: (object) => member(object, 'field') === wanted };
      }
    }
  }

  #ended(population: Population, client: Client, reason: string): void {
    population.ended[reason] = (population.ended[reason] ?? 0) + 1;
    this.#current.ended++;
    if (this.#terminations.length < MOST_TERMINATIONS) {
      const { name } = population;
      this.#terminations.push({ atMs: this.#loop.now(), population: name, client: client.number, reason });
    }
  }

  #passed(report: PassReport): void {
    this.#counts.cohorts += report.cohorts;
    this.#counts.scanned += report.scanned;
    this.#counts.pushed += report.pushed;
    addPass(this.#counts, report);
    addPass(this.#current, report);
    this.#behind.passed(report, this.#loop.now());
  }

  #pauseEvery(everyMs: number, forMs: number): void {
    this.#clock.after(everyMs, () => {
      this.#loop.arrive(() => this.#loop.work(1000 * forMs));
      this.#pauseEvery(everyMs, forMs);
    });
  }

  #lag(): Record<string, number> {
    const lag: Record<string, number> = Object.fromEntries(this.#populations.map(({ name }) => [name, 0]));
    for (const client of this.#behind.clients) {
      const name = this.#populationOf.get(client)?.name;
      const position = client.watcher?.position;
      if (name === undefined || position === undefined) continue;
      lag[name] = Math.max(lag[name] ?? 0, this.#objects.store.revision - position);
    }
    return lag;
  }
}
