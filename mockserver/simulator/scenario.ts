/** What a scenario file of the simulator says. Times are milliseconds of the simulated clock unless their names say otherwise. */
import { type JsonValue } from '../ground/json.js';
import { type BookmarkOptions } from '../watch/bookmark-schedule.js';
import { type PassPeriods } from '../watch/pass-schedule.js';
import { type StallResumeOptions } from '../watch/stall-resume.js';
import { type PassBudgets } from '../watch/sync-pass.js';
import { type TimeBudgetOptions } from '../watch/time-budget.js';
import { type WindowOptions } from '../watch/window.js';
import { type Costs } from './costs.js';

export interface Scenario {
  readonly description?: string;
  /** For all chance there is. @default 1 */
  readonly seed?: number;
  /** How long the simulated clock runs. */
  readonly seconds: number;
  /** Latencies count for events that are committed from here on. @default 0 */
  readonly measureFromMs?: number;
  readonly objects?: ObjectsSpec;
  /** By name. */
  readonly writes: Readonly<Record<string, WriteSpec>>;
  /** Populations of watchers, by name. The first one is the healthy one that others are compared by. */
  readonly watchers: Readonly<Record<string, WatcherSpec>>;
  readonly server?: ServerSpec;
  readonly costs?: Partial<Costs>;
  /** Servers that run side by side, by name: what each has differently. @default the target design, the alpha, and the gate off */
  readonly variants?: Readonly<Record<string, ServerSpec>>;
  /** Named changes of the scenario: a path such as `watchers.stalled.count`, and what stands there. */
  readonly cases?: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
  /** The same for all combinations of values. */
  readonly sweep?: Readonly<Record<string, readonly JsonValue[]>>;
}

/** The objects that are there from the start. */
export interface ObjectsSpec {
  /** @default 1000 */
  readonly count?: number;
  /** They lie in so many namespaces, in turn. @default 1 */
  readonly namespaces?: number;
  /** A field has so many values over them, in turn: what a watcher of scope `field` selects by. @default 1 */
  readonly fieldValues?: number;
  /** Of their JSON. @default 1000 */
  readonly bytes?: number | { readonly least: number; readonly most: number };
  /** Exponent of a Zipf distribution: how much some are written more often than others. @default 0, all alike */
  readonly zipf?: number;
}

export interface WriteSpec {
  /** @default 0 */
  readonly perSecond?: number;
  /** `even`: at equal distances; `poisson`: by chance. @default even */
  readonly arrivals?: 'even' | 'poisson';
  /** Besides, so many at once, again and again. @default none */
  readonly burst?: { readonly everyMs: number; readonly writes: number };
  /** `update` one of the objects, or `create` a new one each time. @default update */
  readonly what?: 'update' | 'create';
  /** @default 0 */
  readonly fromMs?: number;
  /** @default the end */
  readonly untilMs?: number;
}

export interface WatcherSpec {
  /** @default 1 */
  readonly count?: number;
  /** They come within `overMs` from `atMs`, evenly. @default all at 0 */
  readonly join?: { readonly atMs?: number; readonly overMs?: number };
  /** What each watches: everything, one namespace, one object, or the objects with one value of the field. @default all */
  readonly scope?: 'all' | 'namespace' | 'name' | 'field';
  /** Whether they begin with the state as initial events. @default now */
  readonly start?: 'now' | 'state';
  readonly reads?: ReadSpec;
  readonly link?: LinkSpec;
  readonly reconnect?: ReconnectSpec;
}

export interface ReadSpec {
  /** Events a second. @default as they come */
  readonly perSecond?: number;
  /** Times in which nothing is read. */
  readonly stall?: {
    readonly fromMs: number;
    /** @default for ever */
    readonly forMs?: number;
    /** Again after so long. @default once */
    readonly everyMs?: number;
    /** Every client stalls at a moment of its own within `everyMs`. @default false */
    readonly spread?: boolean;
  };
}

export interface LinkSpec {
  /** One way. @default 0 */
  readonly latencyMs?: number;
  /** @default without bound */
  readonly kbPerSecond?: number;
  /** What lies between the server and the client's reading: socket buffers. At least one event fits. @default 262144 */
  readonly socketBytes?: number;
}

export interface ReconnectSpec {
  /** So long after it has seen the end of its watch it comes back, after a 410 with a new list. @default 1000 */
  readonly afterMs?: number;
  /** Besides, every client leaves and comes back so often. @default never */
  readonly everyMs?: number;
  /** Where it goes on when it comes back without a new list. @default last, the last event that it has read */
  readonly from?: 'last' | 'now';
}

/** What of the server is different from what it is by default. */
export interface ServerSpec {
  /** Feature WatchCacheStallResume. @default true */
  readonly stallResume?: boolean;
  /** @default target */
  readonly design?: 'target' | 'alpha';
  /** In place of the design's own choices. */
  readonly engine?: Partial<Pick<StallResumeOptions, 'dispatchIn' | 'passesIn' | 'resyncAt'>>;
  readonly budgets?: Partial<PassBudgets>;
  readonly periods?: Partial<PassPeriods>;
  readonly timeBudget?: Partial<TimeBudgetOptions>;
  readonly incomingCapacity?: number;
  readonly window?: Partial<WindowOptions>;
  readonly bookmarks?: Partial<BookmarkOptions>;
  /** Bounds of a watcher's channel. */
  readonly channel?: { readonly least?: number; readonly most?: number };
  /** The thread does nothing for so long, again and again. @default never */
  readonly pauses?: { readonly everyMs: number; readonly forMs: number };
}
