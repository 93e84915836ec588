/** Resources of a pod as a whole: what is not given follows from its containers and from its limits. */
import {
  type JsonObject,
  arrayMember,
  isJsonObject,
  member,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type Quantity, parseQuantity, quantityText } from '../../schema/quantity.js';
import { addQuantities, isGreater } from './defaults-quantity-sum.js';
import { sortedByName } from './members.js';

type Amounts = ReadonlyMap<string, Quantity>;

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

/**
 * What the containers need together: the sum of those that run side by side, or what one init container needs beside
 * the restartable ones before it, where that is more.
 *
 * Source: k8s.io/component-helpers resource/helpers.go, AggregateContainerRequests; KEP-753.
 */
function containerTotals(spec: JsonObject, list: 'limits' | 'requests'): Amounts {
  const totals = new Map<string, Quantity>();
  for (const one of arrayMember(spec, 'containers') ?? []) add(totals, amountsOf(one, list));
  const restartable = new Map<string, Quantity>();
  const needed = new Map<string, Quantity>();
  for (const one of arrayMember(spec, 'initContainers') ?? []) {
    const amounts = amountsOf(one, list);
    if (isJsonObject(one) && stringMember(one, 'restartPolicy') === 'Always') {
      add(totals, amounts);
      add(restartable, amounts);
      raise(needed, restartable);
    } else {
      const beside = new Map(amounts);
      add(beside, restartable);
      raise(needed, beside);
    }
  }
  raise(totals, needed);
  return totals;
}

function amountsOf(container: JsonObject[string], list: 'limits' | 'requests'): Amounts {
  const amounts = new Map<string, Quantity>();
  if (!isJsonObject(container)) return amounts;
  for (const [name, text] of Object.entries(objectMember(objectMember(container, 'resources'), list) ?? {})) {
    const reading = typeof text === 'string' ? parseQuantity(text) : undefined;
    if (reading?.ok === true) amounts.set(name, reading.quantity);
  }
  return amounts;
}

function add(totals: Map<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const total = totals.get(name);
    totals.set(name, total === undefined ? amount : addQuantities(total, amount));
  }
}

function raise(totals: Map<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const total = totals.get(name);
    if (total === undefined || isGreater(amount, total)) totals.set(name, amount);
  }
}
