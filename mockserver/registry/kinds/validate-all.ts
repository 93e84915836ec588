/** Validation of all kinds: the only file that knows them all. */
import { type KindValidation } from '../kind-validation.js';
import {
  mutatingAdmissionPolicyBindingValidation,
  mutatingAdmissionPolicyValidation,
  validatingAdmissionPolicyBindingValidation,
  validatingAdmissionPolicyValidation,
} from './validate-admission-policy.js';
import { mutatingWebhookValidation, validatingWebhookValidation } from './validate-admission-registration.js';
import { apiServiceValidation } from './validate-api-service.js';
import { certificateSigningRequestValidation } from './validate-certificate-signing-request.js';
import { configMapValidation, secretValidation } from './validate-config.js';
import { cronJobValidation } from './validate-cron-job.js';
import {
  deviceClassValidation,
  resourceClaimTemplateValidation,
  resourceClaimValidation,
} from './validate-device-claim.js';
import { endpointSliceValidation, endpointsValidation } from './validate-endpoints.js';
import { flowSchemaValidation, priorityLevelConfigurationValidation } from './validate-flow-control.js';
import { horizontalPodAutoscalerValidation } from './validate-horizontal-pod-autoscaler.js';
import { jobValidation } from './validate-job.js';
import { limitRangeValidation, resourceQuotaValidation } from './validate-limits.js';
import {
  ingressClassValidation,
  ingressValidation,
  ipAddressValidation,
  networkPolicyValidation,
  serviceCidrValidation,
} from './validate-networking.js';
import { nodeValidation } from './validate-node.js';
import { podValidation } from './validate-pod.js';
import {
  clusterRoleBindingValidation,
  clusterRoleValidation,
  roleBindingValidation,
  roleValidation,
} from './validate-rbac.js';
import { resourceSliceValidation } from './validate-resource-slice.js';
import { serviceValidation } from './validate-service.js';
import {
  controllerRevisionValidation,
  leaseValidation,
  podDisruptionBudgetValidation,
  priorityClassValidation,
  runtimeClassValidation,
} from './validate-small-kinds.js';
import {
  csiDriverValidation,
  csiNodeValidation,
  csiStorageCapacityValidation,
  storageClassValidation,
  volumeAttachmentValidation,
  volumeAttributesClassValidation,
} from './validate-storage.js';
import { persistentVolumeClaimValidation, persistentVolumeValidation } from './validate-volumes.js';
import {
  daemonSetValidation,
  deploymentValidation,
  podTemplateValidation,
  replicaSetValidation,
  replicationControllerValidation,
  statefulSetValidation,
} from './validate-workloads.js';

/** At most one entry for each group and resource. */
export const ALL_KIND_VALIDATIONS: readonly KindValidation[] = [
  apiServiceValidation,
  certificateSigningRequestValidation,
  clusterRoleBindingValidation,
  clusterRoleValidation,
  configMapValidation,
  controllerRevisionValidation,
  cronJobValidation,
  csiDriverValidation,
  csiNodeValidation,
  csiStorageCapacityValidation,
  daemonSetValidation,
  deploymentValidation,
  deviceClassValidation,
  endpointSliceValidation,
  endpointsValidation,
  flowSchemaValidation,
  horizontalPodAutoscalerValidation,
  ingressClassValidation,
  ingressValidation,
  ipAddressValidation,
  jobValidation,
  leaseValidation,
  limitRangeValidation,
  mutatingAdmissionPolicyBindingValidation,
  mutatingAdmissionPolicyValidation,
  mutatingWebhookValidation,
  networkPolicyValidation,
  nodeValidation,
  persistentVolumeClaimValidation,
  persistentVolumeValidation,
  podDisruptionBudgetValidation,
  podTemplateValidation,
  podValidation,
  priorityClassValidation,
  priorityLevelConfigurationValidation,
  replicaSetValidation,
  replicationControllerValidation,
  resourceClaimTemplateValidation,
  resourceClaimValidation,
  resourceQuotaValidation,
  resourceSliceValidation,
  roleBindingValidation,
  roleValidation,
  runtimeClassValidation,
  secretValidation,
  serviceCidrValidation,
  serviceValidation,
  statefulSetValidation,
  storageClassValidation,
  validatingAdmissionPolicyBindingValidation,
  validatingAdmissionPolicyValidation,
  validatingWebhookValidation,
  volumeAttachmentValidation,
  volumeAttributesClassValidation,
];
