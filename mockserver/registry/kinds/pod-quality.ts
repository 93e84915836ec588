/** The quality of service class of a pod, from the resources that it asks for. */
import { type JsonObject, arrayMember, isJsonObject, objectMember } from '../../ground/json.js';
import { amountOf } from '../../schema/validation/quantities.js';

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/** The resources that count. */
const COUNTED = ['cpu', 'memory'] as const;
/** In billionths. */
type Amounts = Map<string, bigint>;

/**
 * Guaranteed: every container has limits of cpu and memory, equal to its requests in sum. BestEffort: no container has
 * any of either. Burstable: else. Resources of the pod itself, when it has any, stand for those of its containers.
 *
 * Source: kubernetes apis/core/helper/qos/qos.go, ComputePodQOS.
 */
export function qosClassOf(spec: JsonObject): QosClass {
  const podLevel = objectMember(spec, 'resources');
  const owners = podLevel === undefined ? containersOf(spec) : [podLevel];
  const requests: Amounts = new Map();
  const limits: Amounts = new Map();
  let guaranteed = true;
  for (const resources of owners) {
    addTo(requests, amountsOf(objectMember(resources, 'requests')));
    const limited = amountsOf(objectMember(resources, 'limits'));
    addTo(limits, limited);
    const complete = COUNTED.every((name) => limited.has(name));
    const asked = podLevel === undefined || Object.keys(objectMember(resources, 'limits') ?? {}).length > 0;
    if (asked && !complete) guaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  for (const [name, request] of requests) {
    if (limits.get(name) !== request) guaranteed = false;
  }
  return guaranteed && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

/** The `resources` of each container. */
function containersOf(spec: JsonObject): readonly JsonObject[] {
  return [...(arrayMember(spec, 'containers') ?? []), ...(arrayMember(spec, 'initContainers') ?? [])]
    .filter(isJsonObject)
    .map((container) => objectMember(container, 'resources') ?? {});
}

function amountsOf(list: JsonObject | undefined): Amounts {
  const amounts: Amounts = new Map();
  for (const name of COUNTED) {
    const amount = amountOf(list?.[name]);
    if (amount > 0n) amounts.set(name, amount);
  }
  return amounts;
}

function addTo(sums: Amounts, amounts: Amounts): void {
  for (const [name, amount] of amounts) sums.set(name, (sums.get(name) ?? 0n) + amount);
}
