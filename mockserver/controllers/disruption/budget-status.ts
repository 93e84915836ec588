/** What a PodDisruptionBudget's status says: how many pods there are, are healthy, must be, may go. */
import { formatTime, timeMs } from '../../ground/clock.js';
import {
  arrayMember,
  isJsonObject,
  jsonEqual,
  member,
  objectMember,
  stringMember,
  type JsonObject,
  type JsonValue,
} from '../../ground/json.js';
import { type ApiObject, deletionTimestampOf, EMPTY, generationOf, nameOf } from '../../ground/object.js';
import { isReady } from '../workloads/pod-state.js';

const ALLOWED = 'DisruptionAllowed';
/** How long an evicted pod that is still there counts as gone. */
const EVICTION_MS = 120_000;

export interface BudgetNeeds {
  readonly expected: number;
  readonly desired: number;
}

/** How many pods a budget is about, and how many of them must be healthy; `scale` is asked for where its owner's size counts. */
export function needsOf(budget: ApiObject, pods: number, scale: () => number): BudgetNeeds {
  const spec = objectMember(budget, 'spec');
  const least = member(spec, 'minAvailable');
  const most = member(spec, 'maxUnavailable');
  if (most !== undefined && most !== null) {
    const expected = scale();
    return { expected, desired: Math.max(0, expected - share(most, expected)) };
  }
  if (typeof least === 'number') return { expected: pods, desired: least };
  if (least === undefined || least === null) return { expected: pods, desired: 0 };
  const expected = scale();
  return { expected, desired: share(least, expected) };
}

/** A number, or a percentage, rounded up. */
function share(value: JsonValue, total: number): number {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  return Math.ceil((Number(percent ?? 0) * total) / 100);
}

export interface BudgetStatus {
  /** Undefined when the budget says all this already. */
  readonly status: JsonObject | undefined;
  /** When an evicted pod that is still there stops counting as gone; undefined: there is none. */
  readonly recheckAtMs: number | undefined;
}

/** Source: kubernetes pkg/controller/disruption/disruption.go, updatePdbStatus. */
export function budgetStatus(
  budget: ApiObject,
  pods: readonly ApiObject[],
  { expected, desired }: BudgetNeeds,
  nowMs: number,
): BudgetStatus {
  const before = objectMember(budget, 'status') ?? EMPTY;
  const disrupted = stillDisrupted(before, pods, nowMs);
  const healthy = pods.filter(
    (pod) => deletionTimestampOf(pod) === undefined && !disrupted.has(nameOf(pod)) && isReady(pod),
  ).length;
  const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
  const counts: JsonObject = {
    observedGeneration: generationOf(budget),
    ...(disrupted.size === 0 ? {} : { disruptedPods: Object.fromEntries(disrupted) }),
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
  };
  const status = {
    ...counts,
    conditions: withAllowed(before, allowed > 0, generationOf(budget), formatTime(nowMs)),
  };
  const ends = [...disrupted.values()].map((since) => timeMs(since) + EVICTION_MS);
  return {
    status: jsonEqual(before, status) ? undefined : status,
    recheckAtMs: ends.length === 0 ? undefined : Math.min(...ends),
  };
}

/** Pods that the eviction has promised to end and that are there yet, with the time of the promise. */
function stillDisrupted(status: JsonObject, pods: readonly ApiObject[], nowMs: number): Map<string, string> {
  const there = new Map(pods.map((pod) => [nameOf(pod), pod]));
  const found = new Map<string, string>();
  for (const [name, since] of Object.entries(objectMember(status, 'disruptedPods') ?? EMPTY)) {
    const pod = there.get(name);
    if (pod === undefined || deletionTimestampOf(pod) !== undefined || typeof since !== 'string') continue;
    if (timeMs(since) + EVICTION_MS > nowMs) found.set(name, since);
  }
  return found;
}

function withAllowed(
  status: JsonObject,
  allowed: boolean,
  observedGeneration: number,
  now: string,
): readonly JsonObject[] {
  const conditions = (arrayMember(status, 'conditions') ?? []).filter(isJsonObject);
  const before = conditions.find((one) => stringMember(one, 'type') === ALLOWED);
  const value = allowed ? 'True' : 'False';
  const next = {
    type: ALLOWED,
    status: value,
    observedGeneration,
    lastTransitionTime:
      before !== undefined && stringMember(before, 'status') === value
        ? (stringMember(before, 'lastTransitionTime') ?? now)
        : now,
    reason: allowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
  return before === undefined
    ? [...conditions, next]
    : conditions.map((one) => (one === before ? next : one));
}
