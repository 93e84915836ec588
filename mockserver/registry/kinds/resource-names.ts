/** Names of resources that can be asked for, limited or counted. Source: kubernetes apis/core/helper/helpers.go. */
import { labelKeyProblems } from '../../ground/name-syntax.js';

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const COUNTED = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const QUOTA: ReadonlySet<string> = new Set([
  ...COMPUTE,
  ...COMPUTE.flatMap((one) => [`requests.${one}`, `limits.${one}`]),
  ...COUNTED,
  'requests.storage',
]);
const STANDARD: ReadonlySet<string> = new Set([...QUOTA, 'storage']);
const whole: ReadonlySet<string> = new Set(COUNTED);

export const isHugePage = (name: string): boolean => name.startsWith('hugepages-');
const isQuotaHugePage = (name: string): boolean => isHugePage(name) || name.startsWith('requests.hugepages-');

export const isStandard = (name: string): boolean => STANDARD.has(name) || isQuotaHugePage(name);
export const isContainerResource = (name: string): boolean => COMPUTE.includes(name) || isHugePage(name);
export const isQuotaResource = (name: string): boolean => QUOTA.has(name) || isQuotaHugePage(name);

/** Whether it is one of Kubernetes' own. */
export const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

export const isExtended = (name: string): boolean =>
  !isNative(name) && !name.startsWith('requests.') && labelKeyProblems(`requests.${name}`).length === 0;

/** Whether amounts of it are whole numbers. */
export const isWhole = (name: string): boolean => whole.has(name) || isExtended(name);

export const mayOvercommit = (name: string): boolean => isNative(name) && !isHugePage(name);

/** Shape: the details of one error each; empty when the name is good. */
export function resourceNameProblems(name: string): readonly string[] {
  const problems = labelKeyProblems(name);
  if (problems.length > 0 || name.includes('/') || isStandard(name)) return problems;
  return ['must be a standard resource type or fully qualified'];
}

export function containerResourceProblems(name: string): readonly string[] {
  const problems = resourceNameProblems(name);
  if (!name.includes('/')) {
    return isContainerResource(name) ? problems : [...problems, 'must be a standard resource for containers'];
  }
  return isNative(name) || isExtended(name)
    ? problems
    : [...problems, "doesn't follow extended resource name standard"];
}

export function quotaResourceProblems(name: string): readonly string[] {
  const problems = resourceNameProblems(name);
  return name.includes('/') || isQuotaResource(name)
    ? problems
    : [...problems, 'must be a standard resource for quota'];
}
