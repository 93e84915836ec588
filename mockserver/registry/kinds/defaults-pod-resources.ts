/** Resources of a pod as a whole: what is not given follows from its containers and from its limits. */
import { type JsonObject, member, objectMember } from '../../ground/json.js';
import { quantityText } from '../../schema/quantity.js';
import { sortedByName } from './members.js';
import { containerTotals } from './pod-resource-totals.js';

/**
 * The pod spec with `resources` completed.
 *
 * Limits of huge pages are those of the containers together; requests are those of the containers together, else the
 * limits. Only for a spec that has resources of its own. Shape: the spec itself when nothing is missing.
 * Source: kubernetes apis/core/v1/defaults.go, defaultHugePagePodLimits and defaultPodRequests; KEP-2837.
 */
export function withPodResources(spec: JsonObject): JsonObject {
  const resources = objectMember(spec, 'resources');
  if (resources === undefined) return spec;
  const [limits, requests] = [objectMember(resources, 'limits'), objectMember(resources, 'requests')];
  if (isEmpty(limits) && isEmpty(requests)) return spec;
  const nextLimits = { ...limits };
  for (const [name, amount] of containerTotals(spec, 'limits')) {
    if (!isHugePages(name) || member(requests, name) !== undefined) continue;
    if (member(limits, name) === undefined) nextLimits[name] = quantityText(amount);
  }
  const nextRequests = { ...requests };
  if (!isEmpty(nextLimits)) {
    for (const [name, amount] of containerTotals(spec, 'requests')) {
      if ((name === 'cpu' || name === 'memory') && member(requests, name) === undefined) {
        nextRequests[name] = quantityText(amount);
      }
    }
    for (const [name, amount] of Object.entries(nextLimits)) {
      const counts = name === 'cpu' || name === 'memory' || isHugePages(name);
      if (counts && member(nextRequests, name) === undefined) nextRequests[name] = amount;
    }
  }
  if (sizeOf(nextLimits) === sizeOf(limits) && sizeOf(nextRequests) === sizeOf(requests)) return spec;
  const claims = member(resources, 'claims');
  return {
    ...spec,
    resources: {
      ...(isEmpty(nextLimits) ? {} : { limits: sortedByName(nextLimits) }),
      ...(isEmpty(nextRequests) ? {} : { requests: sortedByName(nextRequests) }),
      ...(claims === undefined ? {} : { claims }),
    },
  };
}

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const sizeOf = (list: JsonObject | undefined): number => Object.keys(list ?? {}).length;
const isEmpty = (list: JsonObject | undefined): boolean => sizeOf(list) === 0;
