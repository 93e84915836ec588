/** Services: what does not go with the type any more goes when the type changes. */
import {
  type JsonObject,
  type MutableJsonObject,
  arrayMember,
  jsonEqual,
  member,
  objectMember,
} from '../../ground/json.js';
import { type ApiObject, EMPTY } from '../../ground/object.js';
import { type KindRules } from '../kind-rules.js';
import { without } from './members.js';
import { allocateForCreate, allocateForUpdate, poolsOf } from './service-allocation.js';
import { serviceProxy } from './service-proxy.js';
import { checksHealth, nodePortOf, onNodes, portsOf } from './service-ports.js';
import { typeOf } from './service-families.js';

/**
 * Addresses: service-allocation.ts.
 * Source: kubernetes registry/core/service/strategy.go, dropTypeDependentFields; storage/storage.go,
 * defaultOnReadInternalTrafficPolicy.
 */
export const serviceRules: KindRules = {
  group: '',
  resource: 'services',
  subresources: { proxy: serviceProxy },

  allocate(object, previous, context, dryRun) {
    const used = poolsOf(context.listAll('', 'services'));
    const request = { used, random: context.random, dryRun };
    return previous === undefined
      ? allocateForCreate(object, request)
      : allocateForUpdate(object, previous, request);
  },

  // Once given by mistake to services that are names only: it stays stored and owned, and nobody sees it.
  shown(service) {
    const spec = specOf(service);
    if (addressed(spec) || member(spec, 'internalTrafficPolicy') === undefined) return service;
    return { ...service, spec: without(spec, 'internalTrafficPolicy') };
  },

  prepareForUpdate(next, previous, { subresource }) {
    if (subresource !== '') return next;
    const [spec, before] = [specOf(next), specOf(previous)];
    const edited: MutableJsonObject = { ...spec };
    for (const name of outdated(spec, before)) Reflect.deleteProperty(edited, name);
    if (onNodes(before) && !onNodes(spec) && addsNoNodePort(spec, before)) {
      const ports = portsOf(spec).map((port) => without(port, 'nodePort'));
      if (ports.length > 0) edited['ports'] = ports;
    }
    const status = objectMember(next, 'status');
    if (balanced(spec)) return { ...next, spec: edited, ...(status === undefined ? {} : { status }) };
    return { ...next, spec: edited, status: { ...status, loadBalancer: {} } };
  },
};

const specOf = (service: ApiObject): JsonObject => objectMember(service, 'spec') ?? EMPTY;

const reachable = (spec: JsonObject): boolean =>
  onNodes(spec) || (typeOf(spec) === 'ClusterIP' && (arrayMember(spec, 'externalIPs') ?? []).length > 0);

const balanced = (spec: JsonObject): boolean => typeOf(spec) === 'LoadBalancer';
const addressed = (spec: JsonObject): boolean => typeOf(spec) !== 'ExternalName';

/** Members that stopped to mean anything, and that the client did not change as well. */
function outdated(spec: JsonObject, before: JsonObject): readonly string[] {
  const kept = (name: string): boolean => jsonEqual(member(spec, name), member(before, name));
  const names: string[] = [];
  const drop = (ends: (one: JsonObject) => boolean, ...groups: readonly (readonly string[])[]): void => {
    if (!ends(before) || ends(spec)) return;
    for (const group of groups) if (group.every(kept)) names.push(...group);
  };
  drop(addressed, ['clusterIP', 'clusterIPs'], ['ipFamilies'], ['ipFamilyPolicy']);
  drop(checksHealth, ['healthCheckNodePort']);
  drop(balanced, ['allocateLoadBalancerNodePorts'], ['loadBalancerClass']);
  drop(reachable, ['externalTrafficPolicy']);
  return names;
}

function addsNoNodePort(spec: JsonObject, before: JsonObject): boolean {
  const had = new Set(portsOf(before).map(nodePortOf));
  return portsOf(spec).every((port) => nodePortOf(port) === 0 || had.has(nodePortOf(port)));
}
