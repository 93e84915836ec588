/** The status of a Deployment, counted from its ReplicaSets, and the conditions in it. */
import { timeMs } from '../../ground/clock.js';
import {
  arrayMember,
  isJsonObject,
  member,
  objectMember,
  stringMember,
  type JsonArray,
  type JsonObject,
} from '../../ground/json.js';
import { type ApiObject, EMPTY, generationOf, nameOf } from '../../ground/object.js';
import {
  availableReplicas,
  maxUnavailable,
  progressDeadline,
  sumOf,
  wantedReplicas,
  without,
} from './deployment-facts.js';
import { statusNumber } from './replicas.js';

export const PROGRESSING = 'Progressing';
export const TIMED_OUT = 'ProgressDeadlineExceeded';
export const AVAILABLE = 'NewReplicaSetAvailable';
const REPLICA_FAILURE = 'ReplicaFailure';

export interface Finding {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export interface Rollout {
  readonly deployment: ApiObject;
  /** The set that has the deployment's template; undefined while there is none. */
  readonly current: ApiObject | undefined;
  /** All sets of the deployment, that one among them. */
  readonly sets: readonly ApiObject[];
}

const numberOf = (status: JsonObject, name: string): number => {
  const value = member(status, name);
  return typeof value === 'number' ? value : 0;
};

const conditionsOf = (status: JsonObject): JsonObject[] =>
  (arrayMember(status, 'conditions') ?? []).filter(isJsonObject);

export const conditionOf = (status: JsonObject, type: string): JsonObject | undefined =>
  conditionsOf(status).find((one) => stringMember(one, 'type') === type);

export const statusOf = (deployment: ApiObject): JsonObject => objectMember(deployment, 'status') ?? EMPTY;

const withoutCondition = (status: JsonObject, type: string): JsonObject => {
  const rest = without(status, 'conditions');
  const others: JsonArray = conditionsOf(status).filter((one) => stringMember(one, 'type') !== type);
  return others.length === 0 ? rest : { ...rest, conditions: others };
};

/** One that says the same already stays as it is; one of another reason goes to the end. */
export function withCondition(status: JsonObject, finding: Finding, now: string): JsonObject {
  const before = conditionOf(status, finding.type);
  const unmoved = stringMember(before, 'status') === finding.status;
  if (unmoved && stringMember(before, 'reason') === finding.reason) return status;
  const since = unmoved ? (stringMember(before, 'lastTransitionTime') ?? now) : now;
  return appended(status, { ...finding, lastUpdateTime: now, lastTransitionTime: since });
}

function appended(status: JsonObject, condition: JsonObject): JsonObject {
  const others = withoutCondition(status, stringMember(condition, 'type') ?? '');
  return { ...others, conditions: [...conditionsOf(others), condition] };
}

/** Source: kubernetes pkg/controller/deployment/sync.go, calculateStatus. */
export function countedStatus({ deployment, current, sets }: Rollout, now: string): JsonObject {
  const before = statusOf(deployment);
  const available = sumOf(sets, availableReplicas);
  const terminating = terminatingReplicas(sets);
  const count = (name: string, of = sets): number => sumOf(of, (set) => statusNumber(set, name));
  const counts: Record<string, number> = {
    observedGeneration: generationOf(deployment),
    replicas: count('replicas'),
    updatedReplicas: current === undefined ? 0 : count('replicas', [current]),
    readyReplicas: count('readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sumOf(sets, wantedReplicas) - available),
  };
  const { collisionCount } = before;
  const status: JsonObject = {
    ...Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== 0)),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    ...(conditionsOf(before).length === 0 ? {} : { conditions: conditionsOf(before) }),
  };
  const enough = available >= wantedReplicas(deployment) - maxUnavailable(deployment);
  return withCondition(
    status,
    enough
      ? {
          type: 'Available',
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        }
      : {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        },
    now,
  );
}

/** Unknown as long as a set that has been looked at does not say it. */
function terminatingReplicas(sets: readonly ApiObject[]): number | undefined {
  let sum = 0;
  for (const set of sets) {
    const value = member(objectMember(set, 'status'), 'terminatingReplicas');
    if (typeof value === 'number') sum += value;
    else if (statusNumber(set, 'observedGeneration') !== 0) return undefined;
  }
  return sum;
}

/** Source: kubernetes pkg/controller/deployment/progress.go, syncRolloutStatus. */
export function rolloutStatus(rollout: Rollout, nowMs: number, now: string): JsonObject {
  const { deployment, current } = rollout;
  const counted = countedStatus(rollout, now);
  const timed = progressDeadline(deployment) !== undefined;
  const status = timed ? withProgress(rollout, counted, nowMs, now) : withoutCondition(counted, PROGRESSING);
  const failed = [...(current === undefined ? [] : [current]), ...rollout.sets]
    .map((set) => conditionOf(statusOf(set), REPLICA_FAILURE))
    .find((one) => one !== undefined);
  return failed === undefined ? withoutCondition(status, REPLICA_FAILURE) : withFailure(status, failed);
}

function withProgress(rollout: Rollout, status: JsonObject, nowMs: number, now: string): JsonObject {
  const { deployment, current } = rollout;
  const before = conditionOf(statusOf(deployment), PROGRESSING);
  const whole = numberOf(status, 'replicas') === numberOf(status, 'updatedReplicas');
  if (whole && stringMember(before, 'reason') === AVAILABLE) return status;
  const what =
    current === undefined
      ? `Deployment ${JSON.stringify(nameOf(deployment))}`
      : `ReplicaSet ${JSON.stringify(nameOf(current))}`;
  const finding = (condition: Finding['status'], reason: string, message: string): Finding => ({
    type: PROGRESSING,
    status: condition,
    reason,
    message: `${what} ${message}`,
  });
  if (isComplete(deployment, status))
    return withCondition(status, finding('True', AVAILABLE, 'has successfully progressed.'), now);
  if (progresses(deployment, status)) {
    const moved = finding('True', 'ReplicaSetUpdated', 'is progressing.');
    const since =
      stringMember(before, 'status') === 'True' ? stringMember(before, 'lastTransitionTime') : now;
    return appended(status, { ...moved, lastUpdateTime: now, lastTransitionTime: since ?? now });
  }
  return isOverdue(deployment, status, nowMs)
    ? withCondition(status, finding('False', TIMED_OUT, 'has timed out progressing.'), now)
    : status;
}

function withFailure(status: JsonObject, failure: JsonObject): JsonObject {
  const at = stringMember(failure, 'lastTransitionTime') ?? '';
  const before = conditionOf(status, REPLICA_FAILURE);
  const same = ['status', 'reason'].every((name) => member(before, name) === member(failure, name));
  return same ? status : appended(status, { ...failure, lastUpdateTime: at });
}

export const isComplete = (deployment: ApiObject, status: JsonObject): boolean =>
  ['updatedReplicas', 'replicas', 'availableReplicas'].every(
    (name) => numberOf(status, name) === wantedReplicas(deployment),
  ) && numberOf(status, 'observedGeneration') >= generationOf(deployment);

function progresses(deployment: ApiObject, status: JsonObject): boolean {
  const before = statusOf(deployment);
  const old = (of: JsonObject): number => numberOf(of, 'replicas') - numberOf(of, 'updatedReplicas');
  const grown = (name: string): boolean => numberOf(status, name) > numberOf(before, name);
  return (
    old(status) < old(before) ||
    grown('updatedReplicas') ||
    grown('readyReplicas') ||
    grown('availableReplicas')
  );
}

/** When a rollout that does not progress is overdue; undefined where none can be. */
export function dueAtMs(deployment: ApiObject, status: JsonObject): number | undefined {
  const condition = conditionOf(status, PROGRESSING);
  const deadline = progressDeadline(deployment);
  if (condition === undefined || deadline === undefined) return undefined;
  return timeMs(stringMember(condition, 'lastUpdateTime') ?? '') + deadline * 1000;
}

function isOverdue(deployment: ApiObject, status: JsonObject, nowMs: number): boolean {
  const reason = stringMember(conditionOf(status, PROGRESSING), 'reason');
  if (reason === TIMED_OUT) return true;
  return reason !== AVAILABLE && (dueAtMs(deployment, status) ?? Infinity) < nowMs;
}
