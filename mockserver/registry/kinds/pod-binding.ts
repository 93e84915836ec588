/** Bindings: a pod gets its node. */
import { formatTime } from '../../ground/clock.js';
import { type FieldError, fieldErrorText, notSupported, required } from '../../ground/field-error.js';
import { arrayMember, copyObject, objectMember, stringMember, type JsonObject } from '../../ground/json.js';
import {
  type ApiObject,
  deletionTimestampOf,
  editMetadata,
  labelsOf,
  nameOf,
  uidOf,
  withMetadata,
} from '../../ground/object.js';
import { badRequest, bareError, conflict, notFound } from '../../ground/status.js';
import { type Action, type ActionContext, DONE } from '../action.js';
import { withPodCondition } from './conditions.js';

const PODS = { group: '', resource: 'pods' } as const;
const BINDINGS = { group: '', resource: 'pods/binding' } as const;

/** Source: kubernetes registry/core/pod/storage/storage.go, BindingREST. */
export const bindPod: Action = (binding, context) => {
  if (context.name !== nameOf(binding)) throw badRequest('name in URL does not match name in Binding object');
  return bind(binding, context);
};

/** The older way, which names the pod in the body alone. */
export const bindNamedPod: Action = (binding, context) =>
  bind(binding, { ...context, name: nameOf(binding) });

function bind(binding: ApiObject, context: ActionContext): ReturnType<Action> {
  const { namespace, name, clock } = context;
  const target = objectMember(binding, 'target');
  refuseTarget(target);
  if (name === '') throw badRequest('Name parameter required.');
  const pod = context.find(PODS.group, PODS.resource, namespace, name);
  if (pod === undefined) throw notFound(PODS, name);
  checkIdentity(binding, pod, context);
  const why = reasonAgainst(pod);
  if (why !== undefined) throw conflict(BINDINGS, name, why);
  const bound = boundPod(pod, binding, stringMember(target, 'name') ?? '', formatTime(clock.now()));
  return { answer: DONE, steps: [{ kind: 'write', of: PODS, object: bound }] };
}

/** Errors: 500 without a reason. Source: kubernetes apis/core/validation, ValidatePodBinding. */
function refuseTarget(target: JsonObject | undefined): void {
  const errors: FieldError[] = [];
  const kind = stringMember(target, 'kind') ?? '';
  if (kind !== '' && kind !== 'Node') errors.push(notSupported('target.kind', kind, ['Node', '<empty>']));
  if ((stringMember(target, 'name') ?? '') === '') errors.push(required('target.name'));
  const texts = errors.map((error) => `${error.field}: ${fieldErrorText(error)}`);
  if (texts.length > 0) throw bareError(500, texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
}

/** Errors: 409 in the words of the storage. */
function checkIdentity(binding: ApiObject, pod: ApiObject, context: ActionContext): void {
  const checks = [
    ['UID', uidOf(binding), uidOf(pod)],
    [
      'ResourceVersion',
      stringMember(binding.metadata, 'resourceVersion') ?? '',
      stringMember(pod.metadata, 'resourceVersion') ?? '',
    ],
  ] as const;
  for (const [what, wanted, found] of checks) {
    if (wanted === '' || wanted === found) continue;
    const key = context.keyOf(PODS.group, PODS.resource, context.namespace, context.name);
    throw conflict(
      PODS,
      context.name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`,
    );
  }
}

function reasonAgainst(pod: ApiObject): string | undefined {
  const spec = objectMember(pod, 'spec');
  const node = stringMember(spec, 'nodeName') ?? '';
  if (deletionTimestampOf(pod) !== undefined)
    return `pod ${nameOf(pod)} is being deleted, cannot be assigned to a host`;
  if (node !== '') return `pod ${nameOf(pod)} is already assigned to node "${node}"`;
  return (arrayMember(spec, 'schedulingGates') ?? []).length > 0
    ? `pod ${nameOf(pod)} has non-empty .spec.schedulingGates`
    : undefined;
}

/** The pod on its node, with the labels and annotations of the binding laid over its own. */
function boundPod(pod: ApiObject, binding: ApiObject, nodeName: string, now: string): ApiObject {
  const annotations = {
    ...objectMember(pod.metadata, 'annotations'),
    ...objectMember(binding.metadata, 'annotations'),
  };
  const labels = { ...labelsOf(pod), ...labelsOf(binding) };
  const status = copyObject(objectMember(pod, 'status') ?? {});
  delete status['nominatedNodeName'];
  const conditions = withPodCondition(status, { type: 'PodScheduled', status: 'True' }, now);
  return {
    ...withMetadata(pod, editMetadata(pod.metadata, { annotations, labels })),
    spec: { ...objectMember(pod, 'spec'), nodeName },
    status: { ...status, conditions },
  };
}
