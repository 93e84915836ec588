/** Pods: what the server sets on create and keeps on status writes, the fields they are selected by, their grace. */
import { formatTime } from '../../ground/clock.js';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  arrayMember,
  booleanMember,
  isJsonObject,
  member,
  numberMember,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type ApiObject, EMPTY } from '../../ground/object.js';
import { type DeletionWish, type KindRules } from '../kind-rules.js';
import { bindPod } from './pod-binding.js';
import { podLog, podPortForward, podProxy, podStream } from './pod-connections.js';
import { ephemeralContainerErrors, withEphemeralContainers } from './pod-ephemeral-containers.js';
import { evictPod } from './pod-eviction.js';
import { withLabelKeys } from './pod-label-keys.js';
import { qosClassOf } from './pod-quality.js';
import { resizeErrors, resizedPod } from './pod-resize.js';

const specOf = (pod: ApiObject): JsonObject => objectMember(pod, 'spec') ?? EMPTY;
const statusOf = (pod: ApiObject): JsonObject => objectMember(pod, 'status') ?? EMPTY;

/** Source: kubernetes registry/core/pod/strategy.go; apis/core/v1/conversion.go for the two forms of the IP. */
export const podRules: KindRules = {
  group: '',
  resource: 'pods',

  fields: {
    'spec.host': (pod) => stringMember(specOf(pod), 'nodeName') ?? '',
    'spec.hostNetwork': (pod) => String(booleanMember(specOf(pod), 'hostNetwork') ?? false),
    'status.podIP': (pod) => stringMember(statusOf(pod), 'podIP') ?? firstIp(statusOf(pod)),
    // May be named, but no pod has it.
    'status.podIPs': () => '',
  },

  prepareForCreate(object, { clock }) {
    const pod = withLabelKeys(object);
    const gated = (arrayMember(specOf(pod), 'schedulingGates') ?? []).length > 0;
    return {
      ...pod,
      status: {
        phase: 'Pending',
        ...(gated ? { conditions: [gatedCondition(formatTime(clock.now()))] } : {}),
        qosClass: qosClassOf(specOf(pod)),
      },
    };
  },

  prepareForUpdate(next, previous, { subresource }) {
    if (subresource === 'ephemeralcontainers') return withEphemeralContainers(next, previous);
    if (subresource === 'resize') return resizedPod(next, previous);
    if (subresource !== 'status') return next;
    const [status, before] = [withOneIp(statusOf(next)), statusOf(previous)];
    const kept: Record<string, JsonValue> = {};
    for (const name of ['qosClass', 'observedGeneration']) {
      const value = member(before, name);
      if (!member(status, name) && value !== undefined) kept[name] = value;
    }
    const conditions = arrayMember(status, 'conditions');
    if (conditions !== undefined) {
      kept['conditions'] = withObservedGenerations(conditions, arrayMember(before, 'conditions') ?? []);
    }
    return { ...next, status: { ...status, ...kept } };
  },

  validateUpdate(next, previous, { subresource }) {
    if (subresource === 'ephemeralcontainers') return ephemeralContainerErrors(next, previous);
    return subresource === 'resize' ? resizeErrors(next, previous) : [];
  },

  graceSeconds: podGraceSeconds,

  subresources: {
    attach: { connection: podStream },
    binding: { action: bindPod },
    eviction: { action: evictPod, alsoTakes: ['policy/v1beta1'] },
    exec: { connection: podStream },
    log: { connection: podLog },
    portforward: { connection: podPortForward },
    proxy: { connection: podProxy },
  },
};

/**
 * Seconds between the delete of a pod and its deletionTimestamp. 0 for a pod that no kubelet runs: it goes at once.
 *
 * Source: strategy.go, CheckGracefulDelete. A negative wish is one second.
 */
function podGraceSeconds(pod: ApiObject, wish: DeletionWish): number {
  const phase = stringMember(statusOf(pod), 'phase');
  if (!stringMember(specOf(pod), 'nodeName') || phase === 'Failed' || phase === 'Succeeded') return 0;
  const period = wish.gracePeriodSeconds ?? numberMember(specOf(pod), 'terminationGracePeriodSeconds') ?? 0;
  return period < 0 ? 1 : period;
}

const gatedCondition = (lastTransitionTime: string): JsonObject => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});

function firstIp(status: JsonObject): string {
  const first = arrayMember(status, 'podIPs')?.[0];
  return (isJsonObject(first) ? stringMember(first, 'ip') : undefined) ?? '';
}

/** podIP is the first of podIPs; when the two differ, podIP stands, alone. */
function withOneIp(status: JsonObject): JsonObject {
  const ip = stringMember(status, 'podIP') ?? '';
  const first = firstIp(status);
  if (ip !== '' && ip !== first) return { ...status, podIPs: [{ ip }] };
  return ip === '' && first !== '' ? { ...status, podIP: first } : status;
}

/** Conditions that come without observedGeneration keep what the condition of their type had. */
function withObservedGenerations(conditions: JsonArray, previous: JsonArray): JsonArray {
  const known = new Map<JsonValue, JsonValue[]>();
  for (const condition of previous.filter(isJsonObject)) {
    const type = member(condition, 'type') ?? '';
    known.set(type, [...(known.get(type) ?? []), member(condition, 'observedGeneration') ?? 0]);
  }
  return conditions.map((condition) => {
    if (!isJsonObject(condition)) return condition;
    const before = known.get(member(condition, 'type') ?? '')?.shift();
    return member(condition, 'observedGeneration') || !before
      ? condition
      : { ...condition, observedGeneration: before };
  });
}
