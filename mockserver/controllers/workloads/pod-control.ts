/** Makes and deletes the pods of a controller, and says so in Events of their owner. */
import { objectMember } from '../../ground/json.js';
import { type ApiObject, editMetadata, nameOf, namespaceOf } from '../../ground/object.js';
import { StatusError } from '../../ground/status.js';
import { type ControllerClient, isOfEndingNamespace, isRefusal } from '../client.js';
import { type EventRecorder } from '../event-recorder.js';
import { controllerReference } from './controller-reference.js';

const PODS = { group: '', resource: 'pods' } as const;

export interface PodControl {
  readonly client: ControllerClient;
  readonly events: EventRecorder;
}

/** Errors: those of create. Source: kubernetes pkg/controller/controller_utils.go, RealPodControl. */
export function createPod({ client, events }: PodControl, owner: ApiObject): void {
  try {
    const pod = client.create(PODS, podOf(owner));
    events.record(owner, {
      type: 'Normal',
      reason: 'SuccessfulCreate',
      message: `Created pod: ${nameOf(pod)}`,
    });
  } catch (error) {
    // In a namespace that ends there is nobody to tell.
    if (error instanceof StatusError && !isOfEndingNamespace(error)) {
      events.record(owner, {
        type: 'Warning',
        reason: 'FailedCreate',
        message: `Error creating: ${error.message}`,
      });
    }
    throw error;
  }
}

/** Errors: those of delete, but for a pod that is gone. */
export function deletePod({ client, events }: PodControl, owner: ApiObject, pod: ApiObject): void {
  try {
    client.delete({ of: PODS, namespace: namespaceOf(pod), name: nameOf(pod) });
    events.record(owner, {
      type: 'Normal',
      reason: 'SuccessfulDelete',
      message: `Deleted pod: ${nameOf(pod)}`,
    });
  } catch (error) {
    if (isRefusal(error, 'NotFound')) return;
    if (error instanceof StatusError) {
      events.record(owner, {
        type: 'Warning',
        reason: 'FailedDelete',
        message: `Error deleting: ${error.message}`,
      });
    }
    throw error;
  }
}

/** A new pod from its owner's template. */
function podOf(owner: ApiObject): ApiObject {
  const template = objectMember(objectMember(owner, 'spec'), 'template');
  const { labels, annotations, finalizers } = objectMember(template, 'metadata') ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: editMetadata(
      {
        generateName: `${nameOf(owner)}-`,
        namespace: namespaceOf(owner),
        ownerReferences: [controllerReference(owner)],
      },
      { labels, annotations, finalizers },
    ),
    spec: objectMember(template, 'spec') ?? {},
  };
}
