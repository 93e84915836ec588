/** The conditions of a status: one object for each type. */
import {
  arrayMember,
  isJsonObject,
  member,
  stringMember,
  type JsonArray,
  type JsonObject,
} from '../../ground/json.js';

export const conditionOf = (status: JsonObject | undefined, type: string): JsonObject | undefined =>
  (arrayMember(status, 'conditions') ?? [])
    .filter(isJsonObject)
    .find((one) => stringMember(one, 'type') === type);

/**
 * The conditions of a pod with one set. lastTransitionTime moves only when the status of the condition changes.
 *
 * Source: kubernetes api/pod/util.go, UpdatePodCondition.
 */
export function withPodCondition(
  status: JsonObject | undefined,
  condition: { readonly type: string; readonly status: string; readonly [name: string]: string },
  now: string,
): JsonArray {
  const before = arrayMember(status, 'conditions') ?? [];
  const known = conditionOf(status, condition.type);
  const unmoved = known !== undefined && stringMember(known, 'status') === condition.status;
  const next = {
    ...condition,
    lastProbeTime: null,
    lastTransitionTime: (unmoved ? member(known, 'lastTransitionTime') : undefined) ?? now,
  };
  return known === undefined ? [...before, next] : before.map((one) => (one === known ? next : one));
}
