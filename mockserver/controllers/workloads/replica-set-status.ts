/** The status of a ReplicaSet, counted from its pods. */
import {
  arrayMember,
  isJsonObject,
  jsonEqual,
  objectMember,
  stringMember,
  type JsonArray,
  type JsonObject,
} from '../../ground/json.js';
import { type ApiObject, generationOf, labelsOf } from '../../ground/object.js';
import { availableAtMs, isReady } from './pod-state.js';
import { specNumber } from './replicas.js';

const FAILURE = 'ReplicaFailure';

export interface CountedPods {
  readonly active: readonly ApiObject[];
  readonly terminating: readonly ApiObject[];
}

/**
 * Shape: undefined when the status says all this already.
 * @param failure what kept the controller from making or deleting pods
 * Source: kubernetes pkg/controller/replicaset/replica_set_utils.go.
 */
export function replicaSetStatus(
  set: ApiObject,
  { active, terminating }: CountedPods,
  failure: string | undefined,
  nowMs: number,
  now: string,
): JsonObject | undefined {
  const minReadySeconds = specNumber(set, 'minReadySeconds', 0);
  const template = objectMember(objectMember(set, 'spec'), 'template');
  const wanted = Object.entries(objectMember(objectMember(template, 'metadata'), 'labels') ?? {});
  const labeled = active.filter((pod) => wanted.every(([key, value]) => labelsOf(pod)[key] === value));
  const available = active.filter((pod) => (availableAtMs(pod, minReadySeconds) ?? Infinity) <= nowMs);
  const before = objectMember(set, 'status') ?? {};
  const diff = active.length - specNumber(set, 'replicas', 1);
  const next: JsonObject = {
    replicas: active.length,
    ...counted('fullyLabeledReplicas', labeled.length),
    ...counted('readyReplicas', active.filter(isReady).length),
    ...counted('availableReplicas', available.length),
    terminatingReplicas: terminating.length,
    observedGeneration: generationOf(set),
    ...withFailure(arrayMember(before, 'conditions') ?? [], failure, diff, now),
  };
  return jsonEqual(before, next) ? undefined : next;
}

const counted = (name: string, count: number): JsonObject => (count === 0 ? {} : { [name]: count });

/** A failure that stands keeps its first words. */
function withFailure(
  conditions: JsonArray,
  message: string | undefined,
  diff: number,
  now: string,
): JsonObject {
  const isFailure = (one: JsonArray[number]): boolean =>
    isJsonObject(one) && stringMember(one, 'type') === FAILURE;
  const others = conditions.filter((one) => !isFailure(one));
  if (message === undefined) return others.length === 0 ? {} : { conditions: others };
  if (conditions.some(isFailure)) return { conditions };
  const failure = {
    type: FAILURE,
    status: 'True',
    lastTransitionTime: now,
    reason: diff < 0 ? 'FailedCreate' : 'FailedDelete',
    message,
  };
  return { conditions: [...others, failure] };
}
