/** What the containers of a pod need together. */
import {
  type JsonObject,
  type JsonValue,
  arrayMember,
  isJsonObject,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { type Quantity, parseQuantity } from '../../schema/quantity.js';
import { addQuantities, isGreater } from './defaults-quantity-sum.js';

export type Amounts = ReadonlyMap<string, Quantity>;

/** What a pod needs: its own amounts of cpu, memory and huge pages stand for those of its containers. */
export function podTotals(spec: JsonObject, list: 'limits' | 'requests'): Amounts {
  const totals = new Map(containerTotals(spec, list));
  for (const [name, amount] of amountsOf(spec, list))
    if (name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')) totals.set(name, amount);
  return totals;
}

/**
 * What the containers need together: the sum of those that run side by side, or what one init container needs beside
 * the restartable ones before it, where that is more.
 *
 * Source: k8s.io/component-helpers resource/helpers.go, AggregateContainerRequests; KEP-753.
 */
export function containerTotals(spec: JsonObject, list: 'limits' | 'requests'): Amounts {
  const totals = new Map<string, Quantity>();
  for (const one of arrayMember(spec, 'containers') ?? []) addAmounts(totals, amountsOf(one, list));
  const restartable = new Map<string, Quantity>();
  const needed = new Map<string, Quantity>();
  for (const one of arrayMember(spec, 'initContainers') ?? []) {
    const amounts = amountsOf(one, list);
    if (isJsonObject(one) && stringMember(one, 'restartPolicy') === 'Always') {
      addAmounts(totals, amounts);
      addAmounts(restartable, amounts);
      raise(needed, restartable);
    } else {
      const beside = new Map(amounts);
      addAmounts(beside, restartable);
      raise(needed, beside);
    }
  }
  raise(totals, needed);
  return totals;
}

const amountsOf = (owner: JsonValue | undefined, list: 'limits' | 'requests'): Amounts =>
  quantitiesOf(isJsonObject(owner) ? objectMember(objectMember(owner, 'resources'), list) : undefined);

/** The amounts of a list of resources. */
export function quantitiesOf(list: JsonObject | undefined): Amounts {
  const amounts = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(list ?? {})) {
    const reading = typeof text === 'string' ? parseQuantity(text) : undefined;
    if (reading?.ok === true) amounts.set(name, reading.quantity);
  }
  return amounts;
}

export function addAmounts(totals: Map<string, Quantity>, amounts: Amounts): void {
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
