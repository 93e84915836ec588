/** PodDisruptionBudgets: which pods they are about, and whether they let one go. */
import {
  arrayMember,
  isJsonObject,
  numberMember,
  objectMember,
  stringMember,
  type JsonObject,
} from '../../ground/json.js';
import { type ApiObject, generationOf, labelsOf, nameOf } from '../../ground/object.js';
import { failure, forbiddenObject, StatusError } from '../../ground/status.js';
import { labelSelectorOf } from '../label-selector.js';
import { conditionOf } from './conditions.js';

/** As a refusal names it. */
const OF = { group: 'policy', resource: 'poddisruptionbudget' } as const;
const ALLOWED = 'DisruptionAllowed';
const MOST_DISRUPTED_PODS = 2000;
const RETRY_SECONDS = 10;

/** The budgets whose selector takes the pod. */
export const matchingBudgets = (pod: ApiObject, budgets: readonly ApiObject[]): readonly ApiObject[] =>
  budgets.filter((budget) =>
    labelSelectorOf(objectMember(objectMember(budget, 'spec'), 'selector'))?.matches(labelsOf(pod)),
  );

/**
 * Errors: 429 of a budget that allows no disruption now, or that its controller has not seen yet; 403 of one that makes
 * no sense.
 * Source: kubernetes registry/core/pod/storage/eviction.go, checkAndDecrement.
 */
export function refuseDisruption(budget: ApiObject): void {
  const status = objectMember(budget, 'status');
  const name = nameOf(budget);
  const allowed = count(status, 'disruptionsAllowed');
  if (count(status, 'observedGeneration') < generationOf(budget)) {
    throw blocked(`The disruption budget ${name} is still being processed by the server.`, RETRY_SECONDS);
  }
  if (allowed < 0) throw forbiddenObject(OF, name, 'pdb disruptions allowed is negative');
  if (Object.keys(objectMember(status, 'disruptedPods') ?? {}).length > MOST_DISRUPTED_PODS) {
    throw forbiddenObject(
      OF,
      name,
      'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    );
  }
  if (allowed === 0) throw blocked(whyNone(name, status));
}

/** The budget with one disruption less, and the pod named as on its way out. */
export function disruptedBudget(budget: ApiObject, pod: string, now: string): ApiObject {
  const status = objectMember(budget, 'status') ?? {};
  const allowed = count(status, 'disruptionsAllowed') - 1;
  const next = {
    ...status,
    disruptionsAllowed: allowed,
    disruptedPods: { ...objectMember(status, 'disruptedPods'), [pod]: now },
  };
  if (allowed > 0) return { ...budget, status: next };
  return { ...budget, status: { ...next, conditions: exhausted(status, now) } };
}

/** The conditions when nothing more is allowed. Source: kubernetes component-helpers apps/poddisruptionbudget. */
function exhausted(status: JsonObject, now: string): readonly JsonObject[] {
  const before = (arrayMember(status, 'conditions') ?? []).filter(isJsonObject);
  const known = conditionOf(status, ALLOWED);
  const moved = stringMember(known, 'status') !== 'False';
  const next: JsonObject = {
    type: ALLOWED,
    status: 'False',
    observedGeneration: count(status, 'observedGeneration'),
    lastTransitionTime: moved ? now : (stringMember(known, 'lastTransitionTime') ?? now),
    reason: 'InsufficientPods',
    message: '',
  };
  return known === undefined ? [...before, next] : before.map((one) => (one === known ? next : one));
}

function whyNone(name: string, status: JsonObject | undefined): string {
  const condition = conditionOf(status, ALLOWED);
  const message = stringMember(condition, 'message') ?? '';
  const reason = stringMember(condition, 'reason') ?? '';
  const explained = stringMember(condition, 'status') === 'False' && message !== '';
  if (explained && reason === 'SyncFailed') {
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${message}`;
  }
  const current = count(status, 'currentHealthy');
  const desired = count(status, 'desiredHealthy');
  if (current <= desired) {
    return `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`;
  }
  return `The disruption budget ${name} does not allow evicting pods currently${explained ? ` (${reason}): ${message}` : ''}`;
}

const count = (status: JsonObject | undefined, name: string): number => numberMember(status, name) ?? 0;

const blocked = (why: string, retryAfterSeconds = 0): StatusError =>
  new StatusError(
    failure({
      code: 429,
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: { causes: [{ reason: 'DisruptionBudget', message: why }], retryAfterSeconds },
    }),
  );
