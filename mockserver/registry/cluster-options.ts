/** Options of one cluster, their defaults and their bounds. */
import { type AdmissionOption } from './admission-options.js';
import { DEFAULT_FEATURES, type FeatureSet } from '../ground/features.js';
import { nearestName } from '../ground/nearest-name.js';
import { DEFAULT_WATCH_CACHE, type WatchCacheOptions } from '../watch/watch-cache-options.js';

export interface ClusterOptions {
  /** Which Kubernetes the built-in API is of. @default '1.36' */
  readonly kubernetesVersion: string;
  readonly features: FeatureSet;
  /**
   * The plugins of admission: `none` (but NamespaceLifecycle), or what is enabled and disabled beside those that kube-apiserver runs by default
   * (but ServiceAccount, which needs controllers). @default {}
   */
  readonly admission: AdmissionOption;
  readonly watchCache: WatchCacheOptions;
  /**
   * The feature WatchCacheStallResume for single resources, by name (`pods`, `deployments.apps`), whatever the cluster
   * has it at. @default {}
   */
  readonly stallResumeOf: Readonly<Record<string, boolean>>;
  /**
   * How often history is compacted, each time to the revision of the time before; 0: never.
   * @default 300000
   */
  readonly compactionIntervalMs: number;
  /** How long Events stay after they were last written; 0: until they are deleted. @default 3600000 */
  readonly eventTtlMs: number;
  /** How often the caches of idle resources catch up with the store. @default 30000 */
  readonly progressIntervalMs: number;
  /** A watch without timeoutSeconds ends after this long, up to twice as long by chance. @default 1800000 */
  readonly minRequestTimeoutMs: number;
}

export const DEFAULT_CLUSTER: ClusterOptions = Object.freeze({
  kubernetesVersion: '1.36',
  features: DEFAULT_FEATURES,
  admission: Object.freeze({}),
  watchCache: DEFAULT_WATCH_CACHE,
  stallResumeOf: Object.freeze({}),
  compactionIntervalMs: 300_000,
  eventTtlMs: 3_600_000,
  progressIntervalMs: 30_000,
  minRequestTimeoutMs: 1_800_000,
});

/** Members that hold what its user calls as he likes. */
const OPEN = ['admission', 'stallResumeOf'];

/**
 * The options with defaults filled in.
 *
 * Errors: TypeError for a name that is none of theirs; RangeError that names option, value and bound.
 */
export function clusterOptions(given: Partial<ClusterOptions> = {}): ClusterOptions {
  checkNames(given, DEFAULT_CLUSTER, 'cluster');
  const options: ClusterOptions = { ...DEFAULT_CLUSTER, ...given };
  atLeast('compactionIntervalMs', options.compactionIntervalMs, 0);
  atLeast('eventTtlMs', options.eventTtlMs, 0);
  atLeast('progressIntervalMs', options.progressIntervalMs, 1);
  atLeast('minRequestTimeoutMs', options.minRequestTimeoutMs, 1);
  const { window, minChannel, maxChannel, freshnessWaitMs, bookmarks, incomingCapacity } = options.watchCache;
  atLeast('watchCache.window.minCapacity', window.minCapacity, 1);
  atLeast('watchCache.window.maxCapacity', window.maxCapacity, window.minCapacity);
  atLeast('watchCache.window.freshMs', window.freshMs, 0);
  atLeast('watchCache.minChannel', minChannel, 1);
  atLeast('watchCache.maxChannel', maxChannel, minChannel);
  atLeast('watchCache.freshnessWaitMs', freshnessWaitMs, 0);
  atLeast('watchCache.bookmarks.intervalMs', bookmarks.intervalMs, 1);
  atLeast('watchCache.incomingCapacity', incomingCapacity, 1);
  const { timeBudget, stallResume } = options.watchCache;
  atLeast('watchCache.timeBudget.refillMsPerSecond', timeBudget.refillMsPerSecond, 0);
  atLeast('watchCache.timeBudget.capMs', timeBudget.capMs, 0);
  const { budgets, periods } = stallResume;
  atLeast('watchCache.stallResume.budgets.members', budgets.members, 1);
  atLeast('watchCache.stallResume.budgets.intervalOpen', budgets.intervalOpen, 0);
  atLeast('watchCache.stallResume.budgets.scan', budgets.scan, budgets.intervalOpen + 1);
  atLeast('watchCache.stallResume.budgets.pushes', budgets.pushes, 1);
  atLeast('watchCache.stallResume.budgets.retryPushes', budgets.retryPushes, 0);
  atLeast('watchCache.stallResume.budgets.retryRounds', budgets.retryRounds, 0);
  atLeast('watchCache.stallResume.budgets.wallMs', budgets.wallMs, 0.1);
  atLeast('watchCache.stallResume.periods.normalMs', periods.normalMs, 0);
  atLeast('watchCache.stallResume.periods.idleMs', periods.idleMs, periods.normalMs);
  atLeast('watchCache.stallResume.periods.busyMinMs', periods.busyMinMs, 0);
  atLeast('watchCache.stallResume.periods.busyMaxMs', periods.busyMaxMs, periods.busyMinMs);
  atLeast('watchCache.stallResume.periods.maxShare', periods.maxShare, 0.001);
  return options;
}

/** Names at all depths. */
function checkNames(given: object, known: object, path: string): void {
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (!Object.hasOwn(known, name)) {
      const nearest = nearestName(name, Object.keys(known));
      throw new TypeError(`${path}: there is no option ${name}; did you mean ${nearest}?`);
    }
    const inner: unknown = Reflect.get(known, name);
    if (isObject(inner) && isObject(value) && !OPEN.includes(name))
      checkNames(value, inner, `${path}.${name}`);
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function atLeast(option: string, value: number, bound: number): void {
  if (!(value >= bound)) throw new RangeError(`${option}: ${value} must be at least ${bound}`);
}
