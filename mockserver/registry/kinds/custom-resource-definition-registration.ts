/** The way of a CustomResourceDefinition from its creation to being served, one write at a time. */
import { goQuote } from '../../ground/revision.js';
import { member, objectMember } from '../../ground/json.js';
import { type ApiObject, nameOf } from '../../ground/object.js';
import { approvalOf, isProtectedGroup } from './custom-resource-definition-approval.js';
import {
  type Condition,
  type ResourceNames,
  acceptedNames,
  conditionOf,
  groupOf,
  isConditionTrue,
  requestedNames,
  statusOf,
  withCondition,
  writeNames,
} from './custom-resource-definition-spec.js';

const INSTALLING: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'Installing',
  message: 'the initial names have been accepted',
};

const ESTABLISHED: Condition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};

/**
 * The next status write that the server itself makes of a definition.
 *
 * Shape: the definition with another status; undefined when there is nothing to do. Called again with what was written
 * it comes to an end after two writes (names, then Established), three for a protected group. A definition that gives
 * names free, or goes, is a reason to ask again for all of its group.
 * @param others all definitions of the cluster; this one may be among them
 * @param time of conditions that change (`2026-01-01T00:00:00Z`)
 */
export function registrationStep(
  crd: ApiObject,
  others: Iterable<ApiObject>,
  time: string,
): ApiObject | undefined {
  return acceptNames(crd, others, time) ?? establish(crd, time) ?? judgeApproval(crd, time);
}

/**
 * The first write: the names that nobody else of the group has, and whether these are all.
 *
 * Names in use are those accepted so far, the definition's own included: a short name equal to its own accepted singular
 * conflicts. Source: apiextensions controller/status/naming_controller.go.
 */
export function acceptNames(
  crd: ApiObject,
  others: Iterable<ApiObject>,
  time: string,
): ApiObject | undefined {
  const requested = requestedNames(crd);
  const accepted = acceptedNames(crd);
  if (sameNames(requested, accepted)) return undefined;
  const { names, conflict } = negotiate(requested, accepted, usedNames(crd, others));
  const naming: Condition =
    conflict === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...conflict };
  if (sameNames(names, accepted) && sameCondition(crd, naming)) return undefined;
  const renamed: ApiObject = { ...crd, status: { ...statusOf(crd), acceptedNames: writeNames(names) } };
  return withEstablishing(withCondition(renamed, naming, time), naming, time);
}

/** The second write. Source: controller/establish/establishing_controller.go. */
export function establish(crd: ApiObject, time: string): ApiObject | undefined {
  if (!isConditionTrue(crd, 'NamesAccepted') || isConditionTrue(crd, 'Established')) return undefined;
  return withCondition(crd, ESTABLISHED, time);
}

/** For groups of the Kubernetes community: how the approval annotation reads. */
function judgeApproval(crd: ApiObject, time: string): ApiObject | undefined {
  if (!isProtectedGroup(groupOf(crd))) return undefined;
  const { conforms, reason, message } = approvalOf(objectMember(crd.metadata, 'annotations'));
  const condition: Condition = {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: conforms ? 'True' : 'False',
    reason,
    message,
  };
  return sameCondition(crd, condition) ? undefined : withCondition(crd, condition, time);
}

function withEstablishing(crd: ApiObject, naming: Condition, time: string): ApiObject {
  if (isConditionTrue(crd, 'Established')) return crd;
  if (naming.status === 'True') return withCondition(crd, INSTALLING, time);
  if (conditionOf(crd, 'Established') !== undefined) return crd;
  const message = 'not all names are accepted';
  return withCondition(crd, { type: 'Established', status: 'False', reason: 'NotAccepted', message }, time);
}

interface UsedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function usedNames(crd: ApiObject, others: Iterable<ApiObject>): UsedNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  const rest = [...others].filter((one) => nameOf(one) !== nameOf(crd));
  for (const one of [crd, ...rest]) {
    if (groupOf(one) !== groupOf(crd)) continue;
    const names = acceptedNames(one);
    for (const name of [names.plural, names.singular, ...names.shortNames]) resources.add(name);
    kinds.add(names.kind).add(names.listKind);
  }
  return { resources, kinds };
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/** Of several conflicts the last one is told, in the order plural, singular, short names, kind, list kind. */
function negotiate(
  requested: ResourceNames,
  accepted: ResourceNames,
  used: UsedNames,
): { names: ResourceNames; conflict: Conflict | undefined } {
  let conflict: Conflict | undefined;
  const choose = (name: 'plural' | 'singular' | 'kind' | 'listKind', taken: ReadonlySet<string>): string => {
    const wanted = requested[name];
    if (wanted === accepted[name] || !taken.has(wanted)) return wanted;
    const reason = `${name.charAt(0).toUpperCase()}${name.slice(1)}Conflict`;
    conflict = { reason, message: inUse(wanted) };
    return accepted[name];
  };
  const plural = choose('plural', used.resources);
  const singular = choose('singular', used.resources);
  let shortNames = requested.shortNames;
  const clashing = shortNames.filter(
    (name) => name !== '' && !accepted.shortNames.includes(name) && used.resources.has(name),
  );
  if (clashing.length > 0) {
    conflict = { reason: 'ShortNamesConflict', message: aggregate(clashing.map(inUse)) };
    shortNames = accepted.shortNames;
  }
  const kind = choose('kind', used.kinds);
  const listKind = choose('listKind', used.kinds);
  return {
    names: { plural, singular, shortNames, kind, listKind, categories: requested.categories },
    conflict,
  };
}

const inUse = (name: string): string => `${goQuote(name)} is already in use`;

/** As Go shows several errors: each once, in brackets. */
function aggregate(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}

function sameNames(a: ResourceNames, b: ResourceNames): boolean {
  return JSON.stringify(writeNames(a)) === JSON.stringify(writeNames(b));
}

function sameCondition(crd: ApiObject, condition: Condition): boolean {
  const before = conditionOf(crd, condition.type);
  return (
    before !== undefined &&
    member(before, 'status') === condition.status &&
    member(before, 'reason') === condition.reason &&
    member(before, 'message') === condition.message
  );
}
