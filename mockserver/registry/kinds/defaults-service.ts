/** Services: what follows from the type, and from how clients are kept together. */
import {
  type JsonArray,
  type JsonObject,
  type MutableJsonObject,
  arrayMember,
  isJsonObject,
  member,
  numberMember,
  objectMember,
  stringMember,
} from '../../ground/json.js';
import { mapShared } from '../../schema/member-order.js';
import { without } from './members.js';
import { type WrittenDefault } from './written-default.js';

const CORE = 'k8s.io.api.core.v1';

/** Source: kubernetes apis/core/v1/defaults.go, SetDefaults_Service. */
export const serviceDefaults: readonly WrittenDefault[] = [
  {
    message: `${CORE}.Service`,
    fill: withAddressMode,
    rules: [],
  },
  {
    message: `${CORE}.ServiceSpec`,
    fill: serviceSpec,
    rules: ['d128', 'd129', 'd131', 'd132', 'd133', 'd134'],
  },
];

const SECONDS_OF_AFFINITY = 10_800;

function serviceSpec(spec: JsonObject): JsonObject {
  const next: MutableJsonObject = {};
  const type = stringMember(spec, 'type') ?? 'ClusterIP';
  const external = (arrayMember(spec, 'externalIPs') ?? []).length > 0;
  const balanced = type === 'LoadBalancer';
  const onNodes = balanced || type === 'NodePort';
  if (
    member(spec, 'externalTrafficPolicy') === undefined &&
    (onNodes || (type === 'ClusterIP' && external))
  ) {
    next['externalTrafficPolicy'] = 'Cluster';
  }
  if (member(spec, 'internalTrafficPolicy') === undefined && (onNodes || type === 'ClusterIP')) {
    next['internalTrafficPolicy'] = 'Cluster';
  }
  if (balanced && member(spec, 'allocateLoadBalancerNodePorts') === undefined) {
    next['allocateLoadBalancerNodePorts'] = true;
  }
  const ports = arrayMember(spec, 'ports');
  const filled = ports === undefined ? undefined : mapShared(ports, withTargetPort);
  if (filled !== undefined && filled !== ports) next['ports'] = filled;
  const affinity = stringMember(spec, 'sessionAffinity') ?? 'None';
  const config = objectMember(spec, 'sessionAffinityConfig');
  if (
    affinity === 'ClientIP' &&
    numberMember(objectMember(config, 'clientIP'), 'timeoutSeconds') === undefined
  ) {
    next['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: SECONDS_OF_AFFINITY } };
  }
  if (affinity === 'None' && config !== undefined)
    return without({ ...spec, ...next }, 'sessionAffinityConfig');
  return Object.keys(next).length === 0 ? spec : { ...spec, ...next };
}

/** protocol, port and targetPort stand side by side, so that one copy settles the order. */
function withTargetPort(port: JsonArray[number]): JsonArray[number] {
  if (!isJsonObject(port)) return port;
  const target = member(port, 'targetPort');
  if (target !== undefined && target !== 0 && target !== '') return port;
  const { nodePort, ...rest } = port;
  return {
    ...rest,
    targetPort: member(port, 'port') ?? 0,
    ...(nodePort === undefined ? {} : { nodePort }),
  };
}

/** How traffic reaches an address of a load balancer. */
function withAddressMode(service: JsonObject): JsonObject {
  if (stringMember(objectMember(service, 'spec'), 'type') !== 'LoadBalancer') return service;
  const status = objectMember(service, 'status');
  const balancer = objectMember(status, 'loadBalancer');
  const ingress = arrayMember(balancer, 'ingress');
  if (ingress === undefined) return service;
  const next = mapShared(ingress, (one) => {
    if (!isJsonObject(one) || !stringMember(one, 'ip') || member(one, 'ipMode') !== undefined) return one;
    const { ports, ...rest } = one;
    return { ...rest, ipMode: 'VIP', ...(ports === undefined ? {} : { ports }) };
  });
  if (next === ingress) return service;
  return { ...service, status: { ...status, loadBalancer: { ...balancer, ingress: next } } };
}
