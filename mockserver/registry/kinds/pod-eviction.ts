/** Evictions: a pod is deleted if its disruption budget lets it go. */
import { formatTime } from '../../ground/clock.js';
import { invalid } from '../../ground/field-error.js';
import {
  arrayMember,
  booleanMember,
  numberMember,
  objectMember,
  stringMember,
  type JsonObject,
} from '../../ground/json.js';
import { type ApiObject, deletionTimestampOf, nameOf, uidOf } from '../../ground/object.js';
import { badRequest, bareError, conflict, invalidObject, notFound } from '../../ground/status.js';
import { type Action, type ActionContext, type ActionStep, DONE } from '../action.js';
import { type DeleteOptions, deleteOptionsFromBody } from '../delete-options.js';
import { conditionOf, withPodCondition } from './conditions.js';
import { disruptedBudget, matchingBudgets, refuseDisruption } from './pod-disruption-budget.js';

const PODS = { group: '', resource: 'pods' } as const;
const BUDGETS = { group: 'policy', resource: 'poddisruptionbudgets' } as const;

/**
 * Source: kubernetes registry/core/pod/storage/eviction.go. A real server retries conflicts for ten seconds; here
 * everything happens in one turn, so a conflict that there is stays.
 */
export const evictPod: Action = (eviction, context) => {
  const { namespace, name } = context;
  if (name !== nameOf(eviction)) throw badRequest('name in URL does not match name in Eviction object');
  const sent = objectMember(eviction, 'deleteOptions') ?? {};
  refuseUnsafeDelete(sent, name);
  const dryRun = dryRunOf(sent, context);

  const pod = context.find(PODS.group, PODS.resource, namespace, name);
  if (pod === undefined) throw notFound(PODS, name);
  const steps: ActionStep[] = [];
  if (!ignoresBudgets(pod)) steps.push(...budgetSteps(pod, context));
  const options = deleteOptionsFromBody({ ok: true, value: { ...sent, dryRun } });
  checkPreconditions(pod, options);
  steps.push({ kind: 'write', of: PODS, object: targeted(pod, formatTime(context.clock.now())) });
  // What was asked of the pod holds; its version has moved since, with the condition.
  const { uid } = options.preconditions;
  const order = { ...options, preconditions: uid === undefined ? {} : { uid } };
  steps.push({ kind: 'delete', of: PODS, namespace, name, order });
  return { answer: DONE, steps: options.dryRun ? [] : steps };
};

function refuseUnsafeDelete(options: JsonObject, name: string): void {
  const member = 'ignoreStoreReadErrorWithClusterBreakingPotential';
  if (booleanMember(options, member) !== true) return;
  throw invalidObject({ group: 'policy', resource: 'Eviction' }, name, [
    invalid(
      `deleteOptions.${member}`,
      true,
      'can not be set for pod eviction, try after removing the option',
    ),
  ]);
}

/** dryRun of the query and of the body as one. Errors: 500 when the two differ. */
function dryRunOf(options: JsonObject, { dryRun }: ActionContext): readonly string[] {
  const own = (arrayMember(options, 'dryRun') ?? []).filter((one) => typeof one === 'string');
  if (!dryRun) return own;
  if (own.length === 0 || own.join(' ') === 'All') return ['All'];
  throw bareError(500, `Non-matching dry-run options in request and content: [All] and [${own.join(' ')}]`);
}

/** Such a pod does not count for any budget. */
function ignoresBudgets(pod: ApiObject): boolean {
  const phase = stringMember(objectMember(pod, 'status'), 'phase') ?? '';
  return ['Pending', 'Succeeded', 'Failed'].includes(phase) || deletionTimestampOf(pod) !== undefined;
}

function budgetSteps(pod: ApiObject, context: ActionContext): readonly ActionStep[] {
  const budgets = matchingBudgets(pod, context.list(BUDGETS.group, BUDGETS.resource, context.namespace));
  if (budgets.length > 1) {
    throw bareError(
      500,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const [budget] = budgets;
  if (budget === undefined || leavesUnready(pod, budget)) return [];
  refuseDisruption(budget);
  const object = disruptedBudget(budget, nameOf(pod), formatTime(context.clock.now()));
  return [{ kind: 'write status', of: BUDGETS, object }];
}

/** Whether a pod that is not ready may go without being counted. */
function leavesUnready(pod: ApiObject, budget: ApiObject): boolean {
  if (stringMember(conditionOf(objectMember(pod, 'status'), 'Ready'), 'status') === 'True') return false;
  if (stringMember(objectMember(budget, 'spec'), 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const status = objectMember(budget, 'status');
  const desired = numberMember(status, 'desiredHealthy') ?? 0;
  return desired > 0 && (numberMember(status, 'currentHealthy') ?? 0) >= desired;
}

/** Errors: 409, as a delete of the pod has them. */
function checkPreconditions(pod: ApiObject, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions;
  const kind = { group: '', resource: 'Pod' };
  if (uid !== undefined && uid !== '' && uid !== uidOf(pod)) {
    throw conflict(
      kind,
      nameOf(pod),
      `the UID in the precondition (${uid}) does not match the UID in record (${uidOf(pod)}). The object might have been deleted and then recreated`,
    );
  }
  const version = stringMember(pod.metadata, 'resourceVersion') ?? '';
  if (resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== version) {
    throw conflict(
      kind,
      nameOf(pod),
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${version}). The object might have been modified`,
    );
  }
}

/** The pod with the condition that says why it goes. */
function targeted(pod: ApiObject, now: string): ApiObject {
  const status = objectMember(pod, 'status');
  const conditions = withPodCondition(
    status,
    {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    },
    now,
  );
  return { ...pod, status: { ...status, conditions } };
}
