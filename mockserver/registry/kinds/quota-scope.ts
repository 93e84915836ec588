/** Which pods and claims the scopes of a ResourceQuota are about. Source: kubernetes pkg/quota/v1/evaluator/core. */
import { type JsonObject, numberMember, objectMember } from '../../ground/json.js';
import { type GroupResource, qualifiedName } from '../../ground/kind.js';
import { type ApiObject, EMPTY } from '../../ground/object.js';
import {
  isSet,
  itemsAt,
  listAt,
  partOrEmpty,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { qosClassOf } from './pod-quality.js';

/** Whether the quota counts the object, by all of its scopes. */
export function isInScope(quota: ApiObject, of: GroupResource, object: ApiObject): boolean {
  const spec = partOrEmpty(quota, 'spec');
  const scopes: readonly JsonObject[] = [
    ...textsAt(spec, 'scopes').map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...itemsAt(partOrEmpty(spec, 'scopeSelector'), 'matchExpressions'),
  ];
  return scopes.every((scope) => matches(scope, qualifiedName(of), object));
}

function matches(scope: JsonObject, resource: string, object: ApiObject): boolean {
  const spec = objectMember(object, 'spec') ?? EMPTY;
  const name = textAt(scope, 'scopeName');
  if (resource === 'persistentvolumeclaims' && name === 'VolumeAttributesClass')
    return selects(scope, classNamesOf(object));
  if (resource !== 'pods') return false;
  switch (name) {
    case 'Terminating':
      return (numberMember(spec, 'activeDeadlineSeconds') ?? -1) >= 0;
    case 'NotTerminating':
      return (numberMember(spec, 'activeDeadlineSeconds') ?? -1) < 0;
    case 'BestEffort':
      return qosClassOf(spec) === 'BestEffort';
    case 'NotBestEffort':
      return qosClassOf(spec) !== 'BestEffort';
    case 'PriorityClass': {
      const priorityClass = textAt(spec, 'priorityClassName');
      return selects(scope, priorityClass === '' ? [] : [priorityClass]);
    }
    case 'CrossNamespacePodAffinity':
      return reachesElsewhere(partOrEmpty(spec, 'affinity'));
    default:
      return false;
  }
}

/** As a selector of labels matches an object that has one label with each of the values in turn, or none at all. */
function selects(scope: JsonObject, values: readonly string[]): boolean {
  const wanted = textsAt(scope, 'values');
  switch (textAt(scope, 'operator')) {
    case 'Exists':
      return values.length > 0;
    case 'DoesNotExist':
      return values.length === 0;
    case 'In':
      return values.some((value) => wanted.includes(value));
    case 'NotIn':
      return values.length === 0 || values.some((value) => !wanted.includes(value));
    default:
      return false;
  }
}

function classNamesOf(claim: ApiObject): readonly string[] {
  const status = partOrEmpty(claim, 'status');
  return [
    textAt(partOrEmpty(claim, 'spec'), 'volumeAttributesClassName'),
    textAt(status, 'currentVolumeAttributesClassName'),
    textAt(partOrEmpty(status, 'modifyVolumeStatus'), 'targetVolumeAttributesClassName'),
  ].filter((name) => name !== '');
}

function reachesElsewhere(affinity: JsonObject): boolean {
  return ['podAffinity', 'podAntiAffinity'].some((kind) => {
    const terms = partOrEmpty(affinity, kind);
    return [
      ...itemsAt(terms, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...itemsAt(terms, 'preferredDuringSchedulingIgnoredDuringExecution').map((one) =>
        partOrEmpty(one, 'podAffinityTerm'),
      ),
    ].some((term) => listAt(term, 'namespaces').length > 0 || isSet(term, 'namespaceSelector'));
  });
}
