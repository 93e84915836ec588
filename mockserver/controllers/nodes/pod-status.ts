/** The status of a pod on the fake node at each stage, as a kubelet would report it. */
import { arrayMember, isJsonObject, objectMember, stringMember, type JsonObject } from '../../ground/json.js';
import { type ApiObject, uidOf } from '../../ground/object.js';
import { FAKE_RUNTIME } from '../../registry/kinds/pod-log.js';
import { type PodStage } from './pod-stages.js';

export const HOST_IP = '192.0.2.1';

/** @param ip the pod's own */
export function reportedStatus(
  pod: ApiObject,
  stage: Exclude<PodStage, 'scheduled'>,
  ip: string,
  now: string,
): JsonObject {
  const ended = stage === 'succeeded' || stage === 'failed';
  const ready = stage === 'ready';
  const started = stringMember(objectMember(pod, 'status'), 'startTime') ?? now;
  const reason = stage === 'succeeded' ? 'PodCompleted' : stage === 'failed' ? 'PodFailed' : undefined;
  return {
    phase: ended ? (stage === 'succeeded' ? 'Succeeded' : 'Failed') : 'Running',
    conditions: [
      condition(pod, 'PodReadyToStartContainers', !ended, undefined, now),
      condition(pod, 'Initialized', true, stage === 'succeeded' ? reason : undefined, now),
      condition(pod, 'Ready', ready, ready ? undefined : (reason ?? 'ContainersNotReady'), now),
      condition(pod, 'ContainersReady', ready, ready ? undefined : (reason ?? 'ContainersNotReady'), now),
    ],
    hostIP: HOST_IP,
    hostIPs: [{ ip: HOST_IP }],
    podIP: ip,
    podIPs: [{ ip }],
    startTime: started,
    containerStatuses: containers(pod).map((container) =>
      containerStatus(pod, container, stage, started, now),
    ),
  };
}

/** lastTransitionTime moves with the status alone. */
function condition(
  pod: ApiObject,
  type: string,
  holds: boolean,
  reason: string | undefined,
  now: string,
): JsonObject {
  const before = (arrayMember(objectMember(pod, 'status'), 'conditions') ?? [])
    .filter(isJsonObject)
    .find((one) => stringMember(one, 'type') === type);
  const status = holds ? 'True' : 'False';
  const moved = stringMember(before, 'status') !== status;
  return {
    type,
    status,
    lastProbeTime: null,
    lastTransitionTime: moved ? now : (stringMember(before, 'lastTransitionTime') ?? now),
    // Null takes away what an earlier stage said.
    reason: reason ?? null,
  };
}

const containers = (pod: ApiObject): JsonObject[] =>
  (arrayMember(objectMember(pod, 'spec'), 'containers') ?? []).filter(isJsonObject);

function containerStatus(
  pod: ApiObject,
  container: JsonObject,
  stage: PodStage,
  startedAt: string,
  now: string,
): JsonObject {
  const name = stringMember(container, 'name') ?? '';
  const image = stringMember(container, 'image') ?? '';
  const ended = stage === 'succeeded' || stage === 'failed';
  const exitCode = stage === 'failed' ? 1 : 0;
  const containerID = `${FAKE_RUNTIME}${uidOf(pod)}/${name}`;
  return {
    name,
    image,
    imageID: `${FAKE_RUNTIME}${image}`,
    containerID,
    restartCount: 0,
    ready: stage === 'ready',
    started: !ended,
    state: ended
      ? {
          running: null,
          terminated: {
            exitCode,
            reason: exitCode === 0 ? 'Completed' : 'Error',
            startedAt,
            finishedAt: now,
            containerID,
          },
        }
      : { running: { startedAt } },
  };
}
