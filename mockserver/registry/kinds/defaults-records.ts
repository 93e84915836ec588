/** Regular defaults that the recorded facts leave to words, or do not have, in the form of those facts. */
import { type RuleRecord } from '../../schema/defaults/literal-rule.js';

export interface MoreRecord extends RuleRecord {
  /** Full name of the message that the path starts from. */
  readonly message: string;
  /** Ids of the recorded facts that say so in words. */
  readonly rules: readonly string[];
}

const API = 'k8s.io.api';
const MATCH = {
  path: 'matchPolicy, namespaceSelector, objectSelector',
  value: 'Equivalent, {}, {}',
  when: 'each absent',
};

/** Source: the defaults.go and the `+default` tags of each group in kubernetes 1.36. */
export const MORE_RECORDS: readonly MoreRecord[] = [
  { message: `${API}.admissionregistration.v1.MatchResources`, ...MATCH, rules: ['d232', 'd233', 'd234'] },
  {
    message: `${API}.admissionregistration.v1.NamedRuleWithOperations`,
    path: 'scope',
    value: '*',
    when: 'absent',
    rules: ['d233'],
  },
  {
    message: `${API}.admissionregistration.v1.MutatingAdmissionPolicySpec`,
    path: 'failurePolicy',
    value: 'Fail',
    when: 'absent',
    rules: ['d233'],
  },
  {
    message: `${API}.flowcontrol.v1.LimitedPriorityLevelConfiguration`,
    path: 'nominalConcurrencyShares, lendablePercent',
    value: '30, 0',
    when: 'each absent',
    rules: ['d236'],
  },
  {
    message: `${API}.flowcontrol.v1.ExemptPriorityLevelConfiguration`,
    path: 'nominalConcurrencyShares, lendablePercent',
    value: '0, 0',
    when: 'each absent',
    rules: [],
  },
  {
    message: `${API}.flowcontrol.v1.QueuingConfiguration`,
    path: 'queues, handSize, queueLengthLimit',
    value: '64, 8, 50',
    when: 'each absent or 0',
    rules: ['d237'],
  },
  {
    message: `${API}.networking.v1.NetworkPolicyPort`,
    path: 'protocol',
    value: 'TCP',
    when: 'absent',
    rules: ['d212'],
  },
  {
    message: `${API}.core.v1.FileKeySelector`,
    path: 'optional',
    value: false,
    when: 'absent',
    rules: [],
  },
  {
    message: `${API}.authentication.v1.TokenRequestSpec`,
    path: 'expirationSeconds',
    value: 3600,
    when: 'absent',
    rules: [],
  },
  {
    message: 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.ServiceReference',
    path: 'port',
    value: 443,
    when: 'absent',
    rules: [],
  },
];
