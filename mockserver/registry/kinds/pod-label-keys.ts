/** matchLabelKeys and mismatchLabelKeys of a pod, written into the label selectors beside them. */
import {
  type JsonArray,
  type JsonObject,
  type MutableJsonObject,
  arrayMember,
  copyObject,
  isJsonObject,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type ApiObject, labelsOf } from '../../ground/object.js';

/**
 * The pod with each key that it has a label for added to the selector as a requirement on its value.
 *
 * Shape: the pod itself when nothing is to be added. A term without a selector matches nothing and stays so.
 * Source: kubernetes registry/core/pod/strategy.go, mutatePodAffinity and mutateTopologySpreadConstraints.
 */
export function withLabelKeys(pod: ApiObject): ApiObject {
  const spec = objectMember(pod, 'spec');
  if (spec === undefined) return pod;
  const labels = labelsOf(pod);
  const edited = copyObject(spec);
  const constraints = arrayMember(spec, 'topologySpreadConstraints');
  if (constraints !== undefined) {
    edited['topologySpreadConstraints'] = each(constraints, (one) => withKeys(one, labels));
  }
  const affinity = objectMember(spec, 'affinity');
  if (affinity !== undefined) edited['affinity'] = affinityWithKeys(affinity, labels);
  return { ...pod, spec: edited };
}

function affinityWithKeys(affinity: JsonObject, labels: JsonObject): JsonObject {
  const edited = copyObject(affinity);
  for (const side of ['podAffinity', 'podAntiAffinity']) {
    const terms = objectMember(affinity, side);
    if (terms === undefined) continue;
    const editedTerms: MutableJsonObject = copyObject(terms);
    const required = arrayMember(terms, 'requiredDuringSchedulingIgnoredDuringExecution');
    if (required !== undefined) {
      editedTerms['requiredDuringSchedulingIgnoredDuringExecution'] = each(required, (one) =>
        withKeys(one, labels),
      );
    }
    const preferred = arrayMember(terms, 'preferredDuringSchedulingIgnoredDuringExecution');
    if (preferred !== undefined) {
      editedTerms['preferredDuringSchedulingIgnoredDuringExecution'] = each(preferred, (weighted) => {
        const term = objectMember(weighted, 'podAffinityTerm');
        return term === undefined ? weighted : { ...weighted, podAffinityTerm: withKeys(term, labels) };
      });
    }
    edited[side] = editedTerms;
  }
  return edited;
}

const each = (list: JsonArray, edit: (one: JsonObject) => JsonObject): JsonArray =>
  list.map((one) => (isJsonObject(one) ? edit(one) : one));

function withKeys(term: JsonObject, labels: JsonObject): JsonObject {
  const selector = objectMember(term, 'labelSelector');
  if (selector === undefined) return term;
  const added = [
    ...requirements(arrayMember(term, 'matchLabelKeys'), 'In', labels),
    ...requirements(arrayMember(term, 'mismatchLabelKeys'), 'NotIn', labels),
  ];
  if (added.length === 0) return term;
  const expressions = [...(arrayMember(selector, 'matchExpressions') ?? []), ...added];
  return { ...term, labelSelector: { ...selector, matchExpressions: expressions } };
}

function requirements(keys: JsonArray | undefined, operator: string, labels: JsonObject): JsonObject[] {
  return (keys ?? []).flatMap((key) => {
    const value = typeof key === 'string' ? stringMember(labels, key) : undefined;
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
}
