/** All that is known of defaults beside the recorded facts: the only file that knows every part of it. */
import { type DefaultFunction } from '../../schema/defaults/default-rules.js';
import { withMilliAmounts } from '../../schema/defaults/resource-list.js';
import { customResourceDefinitionDefaults } from './defaults-custom-resource-definition.js';
import { deploymentDefaults } from './defaults-deployment.js';
import { horizontalPodAutoscalerDefaults } from './defaults-horizontal-pod-autoscaler.js';
import { jobDefaults } from './defaults-job.js';
import { limitRangeDefaults } from './defaults-limit-range.js';
import { namespaceDefaults } from './defaults-namespace.js';
import { networkPolicyDefaults } from './defaults-network-policy.js';
import { nodeDefaults } from './defaults-node.js';
import { persistentVolumeDefaults } from './defaults-persistent-volume.js';
import { podDefaults } from './defaults-pod.js';
import { replicationControllerDefaults } from './defaults-replication-controller.js';
import { resourceClaimDefaults } from './defaults-resource-claim.js';
import { roleBindingDefaults } from './defaults-role-binding.js';
import { secretDefaults } from './defaults-secret.js';
import { serviceDefaults } from './defaults-service.js';
import { statefulSetDefaults } from './defaults-stateful-set.js';
import { type WrittenDefault } from './written-default.js';

const CORE = 'k8s.io.api.core.v1';

export const WRITTEN_DEFAULTS: readonly WrittenDefault[] = [
  ...customResourceDefinitionDefaults,
  ...deploymentDefaults,
  ...horizontalPodAutoscalerDefaults,
  ...jobDefaults,
  ...limitRangeDefaults,
  ...namespaceDefaults,
  ...networkPolicyDefaults,
  ...nodeDefaults,
  ...persistentVolumeDefaults,
  ...podDefaults,
  ...replicationControllerDefaults,
  ...resourceClaimDefaults,
  ...roleBindingDefaults,
  ...secretDefaults,
  ...serviceDefaults,
  ...statefulSetDefaults,
];

/** What the facts call a part that many kinds have. */
export const PARTS: Readonly<Record<string, string>> = { PodSpec: `${CORE}.PodSpec` };

/** Facts that hold for the message in which the last member stands, wherever that is, not only for the kind. */
export const HOLD_FOR_MESSAGE: ReadonlySet<string> = new Set(['PodSpec', 'resource.k8s.io/v1/ResourceClaim']);

/** Messages with the same defaults as another one. */
export const SAME_DEFAULTS: readonly (readonly [message: string, like: string])[] = [
  [`${CORE}.EphemeralContainer`, `${CORE}.Container`],
  [`${CORE}.ISCSIPersistentVolumeSource`, `${CORE}.ISCSIVolumeSource`],
  [`${CORE}.RBDPersistentVolumeSource`, `${CORE}.RBDVolumeSource`],
  [`${CORE}.ScaleIOPersistentVolumeSource`, `${CORE}.ScaleIOVolumeSource`],
];

/** Facts that look regular, but hold under conditions that functions know. */
export const NOT_REGULAR: ReadonlySet<string> = new Set(['d210', 'd249']);

/** By the Go type of a map. */
export const MAP_DEFAULTS: ReadonlyMap<string, DefaultFunction> = new Map([
  ['v1.ResourceList', withMilliAmounts],
]);

/** The group of this one has no defaults at all: its lists of resources are not rounded. */
export const WITHOUT_DEFAULTS: ReadonlySet<string> = new Set(['k8s.io.api.node.v1.Overhead']);
