/** PodSecurity: what pods may do is said by the labels of their namespace. */
import { fieldErrorText } from '../../ground/field-error.js';
import { type JsonObject, booleanMember, jsonEqual } from '../../ground/json.js';
import { type GroupResource, qualifiedName } from '../../ground/kind.js';
import { type ApiObject, nameOf } from '../../ground/object.js';
import { forbiddenObject, invalidObject } from '../../ground/status.js';
import { itemsAt, partAt, partOrEmpty, textAt } from '../../schema/validation/field-values.js';
import { type AdmissionContext, type AdmissionPlugin, type AdmissionRequest } from '../admission-plugin.js';
import { type LevelAt, levelText, violationsOf, violationsText } from './pod-security-level.js';
import { type PodUnderCheck, type Violation } from './pod-security-parts.js';
import {
  type PodSecurityPolicy,
  compareLevels,
  isPrivileged,
  podSecurityPolicy,
} from './pod-security-policy.js';

const PODS = { group: '', resource: 'pods' } as const;
const NAMESPACES = { group: '', resource: 'namespaces' } as const;

/** What makes pods, and where it has their template. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  podtemplates: ['template'],
  replicationcontrollers: ['spec', 'template'],
  'replicasets.apps': ['spec', 'template'],
  'deployments.apps': ['spec', 'template'],
  'daemonsets.apps': ['spec', 'template'],
  'statefulsets.apps': ['spec', 'template'],
  'jobs.batch': ['spec', 'template'],
  'cronjobs.batch': ['spec', 'jobTemplate', 'spec', 'template'],
};

const TEMPLATE_OWNERS: readonly GroupResource[] = Object.keys(TEMPLATES).map((name) => {
  const [resource = '', group = ''] = name.split('.');
  return { group, resource };
});

/**
 * Source: pod-security-admission admission/admission.go, with the defaults of kube-apiserver: everything is allowed
 * where no label says otherwise, nobody is exempt. Deviation: there is no audit to annotate.
 */
export const podSecurity: AdmissionPlugin = {
  name: 'PodSecurity',
  resources: [PODS, NAMESPACES, ...TEMPLATE_OWNERS],
  validate(request, context) {
    if (request.operation === 'delete') return;
    switch (qualifiedName(request.of)) {
      case 'namespaces':
        if (request.subresource === '') namespaceChange(request, context);
        break;
      case 'pods':
        if (request.subresource !== 'status') pod(request, context);
        break;
      default:
        if (request.subresource === '') template(request, context);
    }
  },
};

function policyIn(namespace: string, context: Pick<AdmissionContext, 'find'>): PodSecurityPolicy | undefined {
  const found = context.find(NAMESPACES.group, NAMESPACES.resource, '', namespace);
  return found === undefined ? undefined : podSecurityPolicy(found);
}

function pod(request: AdmissionRequest, context: AdmissionContext): void {
  const { object, previous, name, warn } = request;
  const policy = policyIn(request.namespace, context);
  if (policy === undefined || (policy.errors.length === 0 && isPrivileged(policy))) return;
  if (previous !== undefined && !runsOther(object, previous)) return;
  const checked = podOf(object);
  const violations = violationsOf(checked, policy.enforce);
  if (violations.length > 0)
    throw forbiddenObject(
      PODS,
      name,
      `violates PodSecurity ${JSON.stringify(levelText(policy.enforce))}: ${violationsText(violations)}`,
    );
  warnOf(checked, policy.warn, warn);
}

const podOf = (owner: JsonObject): PodUnderCheck => ({
  metadata: partOrEmpty(owner, 'metadata'),
  spec: partOrEmpty(owner, 'spec'),
});

function warnOf(checked: PodUnderCheck, level: LevelAt, warn: (text: string) => void): void {
  const violations = violationsOf(checked, level);
  if (violations.length > 0)
    warn(`would violate PodSecurity ${JSON.stringify(levelText(level))}: ${violationsText(violations)}`);
}

/** Whether some container is new, gone, or runs another image. */
function runsOther(next: ApiObject, previous: ApiObject): boolean {
  const images = (object: ApiObject, list: string): string[] =>
    itemsAt(partOrEmpty(object, 'spec'), list).map((one) => textAt(one, 'image'));
  return (
    ['containers', 'initContainers'].some((list) => !jsonEqual(images(next, list), images(previous, list))) ||
    itemsAt(partOrEmpty(next, 'spec'), 'ephemeralContainers').some((one) => {
      const known = itemsAt(partOrEmpty(previous, 'spec'), 'ephemeralContainers').find(
        (other) => textAt(other, 'name') === textAt(one, 'name'),
      );
      return known === undefined || textAt(known, 'image') !== textAt(one, 'image');
    })
  );
}

function template(request: AdmissionRequest, context: AdmissionContext): void {
  const policy = policyIn(request.namespace, context);
  if (policy === undefined || policy.warn.level === 'privileged') return;
  const path = TEMPLATES[qualifiedName(request.of)] ?? [];
  const found = path.reduce<JsonObject | undefined>((at, name) => partAt(at, name), request.object);
  if (found !== undefined) warnOf(podOf(found), policy.warn, request.warn);
}

function namespaceChange({ object, previous, warn }: AdmissionRequest, context: AdmissionContext): void {
  const policy = podSecurityPolicy(object);
  const before = previous === undefined ? undefined : podSecurityPolicy(previous);
  const [found, known] = [policy, before].map((one) =>
    (one?.errors ?? []).map((error) => `${error.field}: ${fieldErrorText(error)}`),
  );
  if (policy.errors.length > 0 && !jsonEqual(found, known))
    throw invalidObject({ group: '', resource: 'Namespace' }, nameOf(object), policy.errors);
  if (before === undefined || policy.enforce.level === 'privileged') return;
  const stricter =
    policy.enforce.version !== before.enforce.version ||
    compareLevels(policy.enforce.level, before.enforce.level) > 0;
  if (stricter) for (const text of warningsOfPods(nameOf(object), policy.enforce, context)) warn(text);
}

/** A warning for each way in which pods that are there would not be allowed, with the first of them by name. */
function warningsOfPods(namespace: string, level: LevelAt, context: AdmissionContext): readonly string[] {
  const all = context.list(PODS.group, PODS.resource, namespace);
  const checked = all.slice(0, MOST_PODS);
  const names = new Map<string, string[]>();
  for (const one of [...checked].sort(byOwner)) {
    const violations = violationsOf(podOf(one), level);
    if (violations.length === 0) continue;
    const reasons = reasonsText(violations);
    names.set(reasons, [...(names.get(reasons) ?? []), nameOf(one)].sort());
  }
  const shown = [...names].map(([reasons, [first = '', ...others]]) => {
    const more =
      others.length === 0 ? '' : ` (and ${others.length} other pod${others.length === 1 ? '' : 's'})`;
    return `${first}${more}: ${reasons}`;
  });
  return [
    ...(checked.length < all.length
      ? [
          `new PodSecurity enforce level only checked against the first ${checked.length} of ${all.length} existing pods`,
        ]
      : []),
    ...(shown.length > 0
      ? [
          `existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level ${JSON.stringify(levelText(level))}`,
        ]
      : []),
    ...shown.sort(),
  ];
}

const MOST_PODS = 3000;

const reasonsText = (violations: readonly Violation[]): string =>
  violations.map(({ reason }) => reason).join(', ');

/** Pods that nothing controls come first. */
const byOwner = (a: ApiObject, b: ApiObject): number => Number(isControlled(a)) - Number(isControlled(b));

const isControlled = (one: ApiObject): boolean =>
  itemsAt(one.metadata, 'ownerReferences').some((owner) => booleanMember(owner, 'controller') === true);
