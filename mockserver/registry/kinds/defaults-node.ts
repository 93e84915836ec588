/** Nodes: all of their capacity is to be had, and their pod addresses stand under two names. */
import { type JsonObject, arrayMember, member, objectMember, stringMember } from '../../ground/json.js';
import { type WrittenDefault } from './written-default.js';

/** Source: kubernetes apis/core/v1/defaults.go, SetDefaults_NodeStatus; conversion.go for the two names. */
export const nodeDefaults: readonly WrittenDefault[] = [
  { message: 'k8s.io.api.core.v1.NodeStatus', fill: withAllocatable, rules: ['d152'] },
  { message: 'k8s.io.api.core.v1.NodeSpec', fill: withPodCidrs, rules: ['d153'] },
];

function withAllocatable(status: JsonObject): JsonObject {
  const capacity = objectMember(status, 'capacity');
  if (capacity === undefined || member(status, 'allocatable') !== undefined) return status;
  return { ...status, allocatable: capacity };
}

/** podCIDR is the first of podCIDRs; when the two differ, podCIDR stands, alone. */
function withPodCidrs(spec: JsonObject): JsonObject {
  const one = stringMember(spec, 'podCIDR') ?? '';
  const first = arrayMember(spec, 'podCIDRs')?.[0];
  if (one !== '') return one === first ? spec : { ...spec, podCIDRs: [one] };
  return typeof first === 'string' && first !== '' ? { ...spec, podCIDR: first } : spec;
}
