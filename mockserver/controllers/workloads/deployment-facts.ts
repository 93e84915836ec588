/** What a Deployment and its ReplicaSets say, read in the words of the rollout. */
import { timeMs } from '../../ground/clock.js';
import {
  compareUtf8,
  copyObject,
  jsonEqual,
  member,
  objectMember,
  stringMember,
  type JsonObject,
  type JsonValue,
} from '../../ground/json.js';
import { type ApiObject, EMPTY, editMetadata, nameOf, withMetadata } from '../../ground/object.js';
import { specNumber, statusNumber } from './replicas.js';

export const HASH_LABEL = 'pod-template-hash';
export const REVISION = 'deployment.kubernetes.io/revision';
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';
export const ROLLBACK_TO = 'deprecated.deployment.rollback.to';

/** What stands for "no limit". */
const UNLIMITED = 2 ** 31 - 1;

export const wantedReplicas = (object: ApiObject): number => specNumber(object, 'replicas', 1);

export const annotationsOf = (object: ApiObject): JsonObject =>
  objectMember(object.metadata, 'annotations') ?? EMPTY;

export const withAnnotations = (object: ApiObject, annotations: JsonObject): ApiObject =>
  withMetadata(object, editMetadata(object.metadata, { annotations }));

export const templateOf = (object: ApiObject): JsonObject =>
  objectMember(objectMember(object, 'spec'), 'template') ?? EMPTY;

/** Seconds; undefined: there is no deadline. */
export function progressDeadline(deployment: ApiObject): number | undefined {
  const seconds = specNumber(deployment, 'progressDeadlineSeconds', UNLIMITED);
  return seconds === UNLIMITED ? undefined : seconds;
}

/** Old sets that are kept; undefined: all. */
export function historyLimit(deployment: ApiObject): number | undefined {
  const limit = specNumber(deployment, 'revisionHistoryLimit', UNLIMITED);
  return limit === UNLIMITED ? undefined : limit;
}

const strategyOf = (deployment: ApiObject): JsonObject | undefined =>
  objectMember(objectMember(deployment, 'spec'), 'strategy');

export const isRolling = (deployment: ApiObject): boolean =>
  stringMember(strategyOf(deployment), 'type') === 'RollingUpdate';

/** Pods that may be there beyond the wanted ones. */
export function maxSurge(deployment: ApiObject): number {
  if (!isRolling(deployment)) return 0;
  const value = member(objectMember(strategyOf(deployment), 'rollingUpdate'), 'maxSurge');
  return scaled(value, wantedReplicas(deployment), Math.ceil);
}

/** Pods that may be missing. Of a rollout that could neither add nor take away one, one is. */
export function maxUnavailable(deployment: ApiObject): number {
  const replicas = wantedReplicas(deployment);
  if (!isRolling(deployment) || replicas === 0) return 0;
  const value = member(objectMember(strategyOf(deployment), 'rollingUpdate'), 'maxUnavailable');
  const found = scaled(value, replicas, Math.floor);
  return Math.min(found === 0 && maxSurge(deployment) === 0 ? 1 : found, replicas);
}

function scaled(value: JsonValue | undefined, total: number, round: (share: number) => number): number {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? 0 : round((Number(percent) * total) / 100);
}

/** 0 when there is none; NaN for what is no number. */
export function revisionOf(object: ApiObject): number {
  const text = stringMember(annotationsOf(object), REVISION);
  if (text === undefined) return 0;
  return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
}

export const sumOf = (sets: readonly ApiObject[], count: (set: ApiObject) => number): number =>
  sets.reduce((sum, set) => sum + count(set), 0);

export const availableReplicas = (set: ApiObject): number => statusNumber(set, 'availableReplicas');

export const isActiveSet = (set: ApiObject): boolean => wantedReplicas(set) > 0;

const createdMs = (object: ApiObject): number =>
  timeMs(stringMember(object.metadata, 'creationTimestamp') ?? '');

/** Oldest first; of one second, by name. */
export const byAge = (a: ApiObject, b: ApiObject): number =>
  createdMs(a) - createdMs(b) || compareUtf8(nameOf(a), nameOf(b));

/** Whether two pod templates are the same but for the hash that a set's own has. */
export const sameTemplate = (a: JsonObject, b: JsonObject): boolean =>
  jsonEqual(withoutHash(a), withoutHash(b));

export function withoutHash(template: JsonObject): JsonObject {
  const metadata = objectMember(template, 'metadata') ?? EMPTY;
  const labels = without(objectMember(metadata, 'labels') ?? EMPTY, HASH_LABEL);
  const bare = without(without(metadata, 'creationTimestamp'), 'labels');
  return { ...template, metadata: Object.keys(labels).length === 0 ? bare : { ...bare, labels } };
}

/** The object without one of its members. */
export function without(object: JsonObject, name: string): JsonObject {
  const copy = copyObject(object);
  Reflect.deleteProperty(copy, name);
  return copy;
}
