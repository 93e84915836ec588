/** NetworkPolicies: which directions they are about. */
import { type JsonObject, arrayMember } from '../../ground/json.js';
import { type WrittenDefault } from './written-default.js';

/** Source: kubernetes apis/networking/v1/defaults.go, SetDefaults_NetworkPolicy. */
export const networkPolicyDefaults: readonly WrittenDefault[] = [
  { message: 'k8s.io.api.networking.v1.NetworkPolicySpec', fill: withPolicyTypes, rules: ['d211'] },
];

function withPolicyTypes(spec: JsonObject): JsonObject {
  if ((arrayMember(spec, 'policyTypes') ?? []).length > 0) return spec;
  const egress = (arrayMember(spec, 'egress') ?? []).length > 0;
  return { ...spec, policyTypes: egress ? ['Ingress', 'Egress'] : ['Ingress'] };
}
