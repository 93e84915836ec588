/** ResourceQuota: a namespace takes no more than it may, and its quotas say what it takes. */
import { type JsonObject, objectMember } from '../../ground/json.js';
import { qualifiedName } from '../../ground/kind.js';
import { type ApiObject, EMPTY, nameOf } from '../../ground/object.js';
import { forbiddenObject } from '../../ground/status.js';
import { type Quantity, quantityText } from '../../schema/quantity.js';
import { isSet, itemsAt, partOrEmpty, textAt } from '../../schema/validation/field-values.js';
import { amountOf } from '../../schema/validation/quantities.js';
import { type AdmissionContext, type AdmissionPlugin, type AdmissionRequest } from '../admission-plugin.js';
import { sortedByName } from './members.js';
import { type Amounts, addAmounts, quantitiesOf } from './pod-resource-totals.js';
import { isInScope } from './quota-scope.js';
import { computeUse, counts, useOf } from './quota-use.js';

const QUOTAS = { group: '', resource: 'resourcequotas' } as const;

/** Nobody counts events. Source: kubernetes pkg/quota/v1/install/registry.go, ignoredResources. */
const IGNORED: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io']);

/** What each container must name where a quota counts it. */
const MUST_NAME = ['cpu', 'limits.cpu', 'limits.memory', 'memory', 'requests.cpu', 'requests.memory'];

/**
 * Quotas are enforced as their status has them, which a controller keeps; what passes is added to it.
 *
 * Source: apiserver admission/plugin/resourcequota/controller.go.
 */
export const resourceQuota: AdmissionPlugin = {
  name: 'ResourceQuota',
  validate(request, context) {
    if (request.namespace === '' || IGNORED.has(qualifiedName(request.of)) || !isCounted(request)) return;
    const quotas = context.list(QUOTAS.group, QUOTAS.resource, request.namespace);
    if (quotas.length === 0) return;
    const use = useOf(request.of, request.object, context.clock);
    const grown = quotas.flatMap((quota) => checked(request, quota, use, context));
    if (request.dryRun) return;
    for (const { quota, used } of grown) {
      const status = { ...objectMember(quota, 'status'), used };
      context.writeStatus(QUOTAS, request.namespace, nameOf(quota), status);
    }
  },
};

function isCounted({ operation, of, subresource, object, previous }: AdmissionRequest): boolean {
  if (operation === 'delete') return false;
  switch (qualifiedName(of)) {
    case 'pods':
      if (operation === 'create') return subresource === '';
      if (subresource === 'resize') return true;
      return subresource === '' && previous !== undefined && ends(previous) !== ends(object);
    case 'services':
    case 'persistentvolumeclaims':
      return subresource === '';
    default:
      return operation === 'create' && subresource === '';
  }
}

const ends = (pod: ApiObject): boolean => isSet(objectMember(pod, 'spec'), 'activeDeadlineSeconds');

interface GrownQuota {
  readonly quota: ApiObject;
  readonly used: JsonObject;
}

/** Shape: one quota, or none when it does not grow. Errors: 403. */
function checked(
  request: AdmissionRequest,
  quota: ApiObject,
  use: Amounts,
  { clock }: AdmissionContext,
): readonly GrownQuota[] {
  const { of, object, previous } = request;
  const status = objectMember(quota, 'status') ?? EMPTY;
  const hard = partOrEmpty(status, 'hard');
  const used = partOrEmpty(status, 'used');
  const counted = Object.keys(hard).filter((name) => counts(of, name));
  if (counted.length === 0 || !isInScope(quota, of, object)) return [];
  const refuse = (why: string): Error => forbiddenObject(of, request.name, why);
  const unnamed = of.resource === 'pods' && of.group === '' ? unnamedResources(object, counted) : '';
  if (unnamed !== '') throw refuse(`failed quota: ${nameOf(quota)}: must specify ${unnamed}`);
  if (counted.some((name) => !isSet(used, name)))
    throw refuse(`status unknown for quota: ${nameOf(quota)}, resources: ${[...counted].sort().join(',')}`);

  const before =
    previous !== undefined && isInScope(quota, of, previous) ? useOf(of, previous, clock) : undefined;
  const asked = new Map([...growth(use, before)].filter(([name]) => counted.includes(name)));
  if (asked.size === 0) return [];
  const next = new Map(quantitiesOf(used));
  addAmounts(next, asked);
  const exceeded = [...asked.keys()].filter((name) => amount(next.get(name)) > amountOf(hard[name])).sort();
  if (exceeded.length > 0) {
    const shown = (amounts: Amounts): string =>
      exceeded.map((name) => `${name}=${text(amounts.get(name))}`).join(',');
    throw refuse(
      `exceeded quota: ${nameOf(quota)}, requested: ${shown(asked)}, used: ${shown(quantitiesOf(used))}, limited: ${shown(quantitiesOf(hard))}`,
    );
  }
  const shown = Object.fromEntries([...next].map(([name, quantity]) => [name, quantityText(quantity)]));
  return [{ quota, used: sortedByName(shown) }];
}

const text = (quantity: Quantity | undefined): string =>
  quantity === undefined ? '0' : quantityText(quantity);
const amount = (quantity: Quantity | undefined): bigint => amountOf(text(quantity));

/** What more is taken than before; nothing that is not more. */
function growth(use: Amounts, before: Amounts | undefined): Amounts {
  const grown = new Map<string, Quantity>();
  for (const [name, quantity] of use) {
    const known = before?.get(name);
    if (amount(quantity) <= amount(known)) continue;
    grown.set(name, known === undefined ? quantity : difference(quantity, known));
  }
  return grown;
}

function difference(a: Quantity, b: Quantity): Quantity {
  const total = new Map([['', a]]);
  const { unscaled, scale } = b.amount;
  addAmounts(total, new Map([['', { format: b.format, amount: { unscaled: -unscaled, scale } }]]));
  return total.get('') ?? a;
}

/** `<resource>: for <container>,…` for each that a quota counts and a container leaves open; `''` when there is none. */
function unnamedResources(pod: ApiObject, counted: readonly string[]): string {
  const spec = objectMember(pod, 'spec') ?? EMPTY;
  const own = partOrEmpty(spec, 'resources');
  if (Object.keys(partOrEmpty(own, 'requests')).length + Object.keys(partOrEmpty(own, 'limits')).length > 0)
    return '';
  const containers = [...itemsAt(spec, 'containers'), ...itemsAt(spec, 'initContainers')].map((container) => {
    const resources = partOrEmpty(container, 'resources');
    const [requests, limits] = [
      quantitiesOf(partOrEmpty(resources, 'requests')),
      quantitiesOf(partOrEmpty(resources, 'limits')),
    ];
    return { name: textAt(container, 'name'), named: new Map(computeUse(requests, limits)) };
  });
  return MUST_NAME.filter((name) => counted.includes(name))
    .flatMap((name) => {
      const missing = containers.filter(({ named }) => !named.has(name)).map((one) => one.name);
      return missing.length === 0 ? [] : [`${name} for: ${[...new Set(missing)].sort().join(',')}`];
    })
    .join('; ');
}
