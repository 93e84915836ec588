/** Validation of kinds that have a rule or two: leases, revisions, classes of priority and runtime, disruption budgets. */
import { type JsonObject, jsonEqual, member } from '../../ground/json.js';
import { type ApiObject, nameOf } from '../../ground/object.js';
import { dns1123LabelProblems, labelKeyProblems } from '../../ground/name-syntax.js';
import {
  flagAt,
  integerAt,
  isSet,
  itemsAt,
  partAt,
  partOrEmpty,
  textAt,
} from '../../schema/validation/field-values.js';
import { type Findings, IMMUTABLE } from '../../schema/validation/findings.js';
import { atMostHundredPercent, countOrPercent } from '../../schema/validation/int-or-string.js';
import { labelSelector } from '../../schema/validation/label-selectors.js';
import { resourceAmount } from './resource-amount.js';
import { containerResourceProblems } from './resource-names.js';
import { type KindValidation } from '../kind-validation.js';
import { conditions } from './validate-conditions.js';
import { tolerations } from './validate-pod-scheduling.js';

const specOf = (object: ApiObject): JsonObject => partOrEmpty(object, 'spec');

function lease(found: Findings, object: ApiObject): void {
  const spec = specOf(object);
  found.positive(spec, 'spec', 'leaseDurationSeconds');
  found.nonNegative(spec, 'spec', 'leaseTransitions');
  const strategy = textAt(spec, 'strategy');
  if (isSet(spec, 'strategy')) leaseStrategy(found, strategy);
  if (textAt(spec, 'preferredHolder') !== '' && strategy === '')
    found.forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined');
}

/** The path names the strategy twice, as a server does. */
function leaseStrategy(found: Findings, strategy: string): void {
  const field = 'spec.strategy.strategy';
  if (strategy.includes('/')) found.problems(field, strategy, labelKeyProblems);
  else if (strategy !== 'OldestEmulationVersion')
    found.notSupported(field, strategy, ['OldestEmulationVersion']);
}

/** Source: kubernetes apis/coordination/validation/validation.go. */
export const leaseValidation: KindValidation = {
  group: 'coordination.k8s.io',
  resource: 'leases',
  create: lease,
  update(found, next) {
    lease(found, next);
  },
};

/** Source: kubernetes apis/apps/validation/validation.go, ValidateControllerRevisionCreate. */
export const controllerRevisionValidation: KindValidation = {
  group: 'apps',
  resource: 'controllerrevisions',
  create(found, object) {
    found.nonNegative(object, '', 'revision');
    if (!isSet(object, 'data')) found.required('data', 'data is mandatory');
  },
  update(found, next, previous) {
    found.nonNegative(next, '', 'revision');
    const [now, before] = [member(next, 'data') ?? null, member(previous, 'data') ?? null];
    if (!jsonEqual(now, before)) found.invalid('data', now, IMMUTABLE);
  },
};

const SYSTEM = 'system-';
const SYSTEM_CLASSES: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};
const HIGHEST_OF_USERS = 1_000_000_000;

function priorityClass(found: Findings, object: ApiObject): void {
  const name = nameOf(object);
  const value = integerAt(object, 'value');
  if (name.startsWith(SYSTEM)) {
    const problem = systemClassProblem(object, name, value);
    if (problem !== undefined)
      found.forbidden(
        'metadata.name',
        `priority class names with '${SYSTEM}' prefix are reserved for system use only. error: ${problem}`,
      );
  } else if (value > HIGHEST_OF_USERS)
    found.forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST_OF_USERS}`);
  if (isSet(object, 'preemptionPolicy'))
    found.among(object, '', 'preemptionPolicy', ['PreemptLowerPriority', 'Never'], 'missing');
}

function systemClassProblem(object: ApiObject, name: string, value: number): string | undefined {
  const known = Object.hasOwn(SYSTEM_CLASSES, name) ? SYSTEM_CLASSES[name] : undefined;
  if (known === undefined) return `${name} is not a known system priority class`;
  if (value !== known) return `value of ${name} PriorityClass must be ${known}`;
  return flagAt(object, 'globalDefault') ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

/** Source: kubernetes apis/scheduling/validation/validation.go. */
export const priorityClassValidation: KindValidation = {
  group: 'scheduling.k8s.io',
  resource: 'priorityclasses',
  create: priorityClass,
  update(found, next, previous) {
    if (integerAt(next, 'value') !== integerAt(previous, 'value'))
      found.forbidden('value', 'may not be changed in an update.');
    const policy = member(next, 'preemptionPolicy') ?? null;
    if (policy !== (member(previous, 'preemptionPolicy') ?? null))
      found.invalid('preemptionPolicy', policy, IMMUTABLE);
  },
};

function runtimeClass(found: Findings, object: ApiObject): void {
  found.needsForm(object, '', 'handler', dns1123LabelProblems);
  for (const [resource, value] of Object.entries(partOrEmpty(partAt(object, 'overhead'), 'podFixed'))) {
    const field = `overhead.limits[${resource}]`;
    found.problems(field, resource, containerResourceProblems);
    resourceAmount(found, resource, value, field);
  }
  const scheduling = partAt(object, 'scheduling');
  found.labels(partAt(scheduling, 'nodeSelector'), 'scheduling.nodeSelector');
  tolerations(found, itemsAt(scheduling, 'tolerations'), 'scheduling.tolerations');
}

/** Source: kubernetes apis/node/validation/validation.go. */
export const runtimeClassValidation: KindValidation = {
  group: 'node.k8s.io',
  resource: 'runtimeclasses',
  create: runtimeClass,
  update(found, next, previous) {
    runtimeClass(found, next);
    const handler = textAt(next, 'handler');
    if (handler !== textAt(previous, 'handler')) found.invalid('handler', handler, IMMUTABLE);
  },
};

function disruptionBudget(found: Findings, object: ApiObject): void {
  const spec = specOf(object);
  if (isSet(spec, 'minAvailable') && isSet(spec, 'maxUnavailable'))
    found.invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set');
  for (const name of ['minAvailable', 'maxUnavailable']) {
    countOrPercent(found, spec, 'spec', name);
    atMostHundredPercent(found, spec, 'spec', name);
  }
  labelSelector(found, partAt(spec, 'selector'), 'spec.selector');
  found.among(spec, 'spec', 'unhealthyPodEvictionPolicy', ['AlwaysAllow', 'IfHealthyBudget']);
}

/** Source: kubernetes apis/policy/validation/validation.go. */
export const podDisruptionBudgetValidation: KindValidation = {
  group: 'policy',
  resource: 'poddisruptionbudgets',
  create: disruptionBudget,
  update(found, next) {
    disruptionBudget(found, next);
  },
  status(found, next) {
    const status = partOrEmpty(next, 'status');
    conditions(found, status, 'status.conditions');
    found.nonNegative(
      status,
      'status',
      'disruptionsAllowed',
      'currentHealthy',
      'desiredHealthy',
      'expectedPods',
    );
  },
};
