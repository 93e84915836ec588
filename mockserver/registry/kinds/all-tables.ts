/** The kinds whose tables need more than the words of the facts. */
import { type KindTable } from '../tables/kind-table.js';
import { admissionRegistrationTables } from './table-admission-registration.js';
import { apiServiceTable } from './table-api-service.js';
import { certificateSigningRequestTable } from './table-certificate-signing-request.js';
import { componentStatusTable } from './table-component-status.js';
import { configMapTable, secretTable } from './table-config.js';
import { controllerRevisionTable } from './table-controller-revision.js';
import { endpointsTable, endpointSliceTable } from './table-endpoints.js';
import { eventTable, newEventTable } from './table-event.js';
import { flowSchemaTable, priorityLevelTable } from './table-flow-control.js';
import { horizontalPodAutoscalerTable } from './table-horizontal-pod-autoscaler.js';
import { ingressTable, ingressClassTable } from './table-ingress.js';
import { jobTable, cronJobTable } from './table-job.js';
import { networkPolicyTable } from './table-network-policy.js';
import { nodeTable } from './table-node.js';
import { podTemplateTable } from './table-pod-template.js';
import { podTable } from './table-pod.js';
import { replicationControllerTable } from './table-replication-controller.js';
import { resourceClaimTable } from './table-resource-claim.js';
import { resourceQuotaTable } from './table-resource-quota.js';
import { roleBindingTable, clusterRoleBindingTable } from './table-role-binding.js';
import { serviceCidrTable, ipAddressTable } from './table-service-addresses.js';
import { serviceTable } from './table-service.js';
import { storageClassTable, csiDriverTable, csiNodeTable } from './table-storage.js';
import { persistentVolumeTable, persistentVolumeClaimTable } from './table-volume.js';
import { deploymentTable, replicaSetTable, statefulSetTable, daemonSetTable } from './table-workloads.js';

/** At most one entry for each group and kind. */
export const ALL_KIND_TABLES: readonly KindTable[] = [
  ...admissionRegistrationTables,
  apiServiceTable,
  certificateSigningRequestTable,
  componentStatusTable,
  configMapTable,
  secretTable,
  controllerRevisionTable,
  endpointsTable,
  endpointSliceTable,
  eventTable,
  newEventTable,
  flowSchemaTable,
  priorityLevelTable,
  horizontalPodAutoscalerTable,
  ingressTable,
  ingressClassTable,
  jobTable,
  cronJobTable,
  networkPolicyTable,
  nodeTable,
  podTemplateTable,
  podTable,
  replicationControllerTable,
  resourceClaimTable,
  resourceQuotaTable,
  roleBindingTable,
  clusterRoleBindingTable,
  serviceCidrTable,
  ipAddressTable,
  serviceTable,
  storageClassTable,
  csiDriverTable,
  csiNodeTable,
  persistentVolumeTable,
  persistentVolumeClaimTable,
  deploymentTable,
  replicaSetTable,
  statefulSetTable,
  daemonSetTable,
];
