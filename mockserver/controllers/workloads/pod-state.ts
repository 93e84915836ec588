/** What the status of a pod says to those who count pods. */
import { timeMs } from '../../ground/clock.js';
import {
  arrayMember,
  isJsonObject,
  numberMember,
  objectMember,
  stringMember,
  type JsonObject,
} from '../../ground/json.js';
import { type ApiObject, deletionTimestampOf } from '../../ground/object.js';

export const phaseOf = (pod: ApiObject): string => stringMember(objectMember(pod, 'status'), 'phase') ?? '';

export const isFinished = (pod: ApiObject): boolean => ['Succeeded', 'Failed'].includes(phaseOf(pod));

/** It counts as a replica: it is neither finished nor on its way out. */
export const isActive = (pod: ApiObject): boolean =>
  !isFinished(pod) && deletionTimestampOf(pod) === undefined;

export const isTerminating = (pod: ApiObject): boolean =>
  !isFinished(pod) && deletionTimestampOf(pod) !== undefined;

const readyCondition = (pod: ApiObject): JsonObject | undefined =>
  (arrayMember(objectMember(pod, 'status'), 'conditions') ?? [])
    .filter(isJsonObject)
    .find((one) => stringMember(one, 'type') === 'Ready');

export const isReady = (pod: ApiObject): boolean => stringMember(readyCondition(pod), 'status') === 'True';

/** Milliseconds since 1970; undefined when it is not ready or does not say since when. */
export function readySinceMs(pod: ApiObject): number | undefined {
  const text = isReady(pod) ? stringMember(readyCondition(pod), 'lastTransitionTime') : undefined;
  return text === undefined ? undefined : timeMs(text);
}

/** When a ready pod counts as available; undefined when it is not ready. */
export function availableAtMs(pod: ApiObject, minReadySeconds: number): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = readySinceMs(pod);
  return since === undefined ? undefined : since + minReadySeconds * 1000;
}

export const restartsOf = (pod: ApiObject): number =>
  (arrayMember(objectMember(pod, 'status'), 'containerStatuses') ?? [])
    .filter(isJsonObject)
    .reduce((most, one) => Math.max(most, numberMember(one, 'restartCount') ?? 0), 0);
