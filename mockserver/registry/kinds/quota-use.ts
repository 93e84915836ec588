/** How much of what a ResourceQuota counts an object takes. Source: kubernetes pkg/quota/v1/evaluator/core. */
import { type Clock, formatTime } from '../../ground/clock.js';
import { type JsonObject, member, numberMember, objectMember, stringMember } from '../../ground/json.js';
import { type GroupResource, qualifiedName } from '../../ground/kind.js';
import { type ApiObject, EMPTY, deletionTimestampOf } from '../../ground/object.js';
import { type Quantity, parseQuantity } from '../../schema/quantity.js';
import { itemsAt, partOrEmpty } from '../../schema/validation/field-values.js';
import { storageClassOf } from './admission-resize.js';
import { type Amounts, addAmounts, podTotals, quantitiesOf } from './pod-resource-totals.js';
import { isHugePage, isNative } from './resource-names.js';

const quantity = (text: string): Quantity => {
  const reading = parseQuantity(text);
  if (!reading.ok) throw new TypeError(`${text} is no quantity`);
  return reading.quantity;
};
const ONE = quantity('1');
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'] as const;
const BY_CLASS = '.storageclass.storage.k8s.io/';
/** Counted under their own names, too. */
const ALIASES: ReadonlySet<string> = new Set([
  'configmaps',
  'resourcequotas',
  'replicationcontrollers',
  'secrets',
]);

const specOf = (object: ApiObject): JsonObject => objectMember(object, 'spec') ?? EMPTY;
const countName = (of: GroupResource): string => `count/${qualifiedName(of)}`;

/** What an object takes. */
export function useOf(of: GroupResource, object: ApiObject, clock: Clock): Amounts {
  const name = qualifiedName(of);
  const count: readonly (readonly [string, Quantity])[] = [[countName(of), ONE]];
  switch (name) {
    case 'pods':
      return new Map([...count, ...(isOver(object, clock) ? [] : podUse(specOf(object)))]);
    case 'services':
      return new Map([...count, ...serviceUse(specOf(object))]);
    case 'persistentvolumeclaims':
      return new Map([...count, ...claimUse(object)]);
    default:
      return new Map([...count, ...(ALIASES.has(name) ? [[name, ONE] as const] : [])]);
  }
}

/** Whether objects of the resource take any of what is named. */
export function counts(of: GroupResource, name: string): boolean {
  if (name === countName(of)) return true;
  switch (qualifiedName(of)) {
    case 'pods':
      return name === 'pods' || isPodResource(name);
    case 'services':
      return ['services', 'services.nodeports', 'services.loadbalancers'].includes(name);
    case 'persistentvolumeclaims':
      return ['persistentvolumeclaims', 'requests.storage'].some(
        (one) => name === one || name.endsWith(`${BY_CLASS}${one}`),
      );
    default:
      return ALIASES.has(qualifiedName(of)) && name === qualifiedName(of);
  }
}

function isPodResource(name: string): boolean {
  if (COMPUTE.some((one) => [one, `requests.${one}`, `limits.${one}`].includes(name))) return true;
  if (isHugePage(name) || name.startsWith('requests.hugepages-')) return true;
  return name.startsWith('requests.') && !isNative(name);
}

/** A pod that has ended, or should have, takes nothing but its place. */
function isOver(pod: ApiObject, clock: Clock): boolean {
  const phase = stringMember(objectMember(pod, 'status'), 'phase');
  if (phase === 'Failed' || phase === 'Succeeded') return true;
  const since = deletionTimestampOf(pod);
  const grace = numberMember(pod.metadata, 'deletionGracePeriodSeconds');
  if (since === undefined || grace === undefined) return false;
  const ended = formatTime(clock.now() - grace * 1000);
  // Texts of times stand in the order of the times.
  return ended > since;
}

/** Of a list of requests and one of limits, under the names of quotas. */
export function computeUse(requests: Amounts, limits: Amounts): readonly (readonly [string, Quantity])[] {
  const use: (readonly [string, Quantity])[] = [['pods', ONE]];
  for (const name of COMPUTE) {
    const [request, limit] = [requests.get(name), limits.get(name)];
    if (request !== undefined) use.push([name, request], [`requests.${name}`, request]);
    if (limit !== undefined) use.push([`limits.${name}`, limit]);
  }
  for (const [name, request] of requests) {
    if (isHugePage(name)) use.push([name, request], [`requests.${name}`, request]);
    else if (!isNative(name)) use.push([`requests.${name}`, request]);
  }
  return use;
}

function podUse(spec: JsonObject): readonly (readonly [string, Quantity])[] {
  const requests = new Map(podTotals(spec, 'requests'));
  const limits = new Map(podTotals(spec, 'limits'));
  const overhead = quantitiesOf(partOrEmpty(spec, 'overhead'));
  addAmounts(requests, overhead);
  addAmounts(limits, new Map([...overhead].filter(([name]) => limits.has(name))));
  return computeUse(requests, limits);
}

function serviceUse(spec: JsonObject): readonly (readonly [string, Quantity])[] {
  const ports = itemsAt(spec, 'ports');
  const type = stringMember(spec, 'type');
  const balanced = type === 'LoadBalancer';
  const chosen =
    balanced && member(spec, 'allocateLoadBalancerNodePorts') === false
      ? ports.filter((port) => (numberMember(port, 'nodePort') ?? 0) !== 0)
      : ports;
  const nodePorts = balanced || type === 'NodePort' ? chosen.length : 0;
  return [
    ['services', ONE],
    ['services.loadbalancers', quantity(balanced ? '1' : '0')],
    ['services.nodeports', quantity(`${nodePorts}`)],
  ];
}

function claimUse(claim: ApiObject): readonly (readonly [string, Quantity])[] {
  const storage = quantitiesOf(partOrEmpty(partOrEmpty(specOf(claim), 'resources'), 'requests')).get(
    'storage',
  );
  const use: (readonly [string, Quantity])[] = [
    ['persistentvolumeclaims', ONE],
    ...(storage === undefined ? [] : [['requests.storage', storage] as const]),
  ];
  const name = storageClassOf(claim);
  return name === ''
    ? use
    : [...use, ...use.map(([one, amount]) => [`${name}${BY_CLASS}${one}`, amount] as const)];
}
