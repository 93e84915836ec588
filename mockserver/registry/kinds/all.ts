/** All kinds that need code: the only file that knows them all. */
import { type KindRules } from '../kind-rules.js';
import {
  localSubjectAccessReviewRules,
  selfSubjectAccessReviewRules,
  selfSubjectRulesReviewRules,
  subjectAccessReviewRules,
} from './access-review.js';
import { apiServiceRules } from './api-service.js';
import { selfSubjectReviewRules, tokenReviewRules } from './authentication-review.js';
import { bindingRules } from './binding.js';
import { certificateSigningRequestRules } from './certificate-signing-request.js';
import { componentStatusRules } from './component-status.js';
import { customResourceDefinitionRules } from './custom-resource-definition.js';
import { daemonSetRules } from './daemon-set.js';
import { endpointSliceRules } from './endpoint-slice.js';
import { endpointsRules } from './endpoints.js';
import { eventRules } from './event.js';
import { horizontalPodAutoscalerRules } from './horizontal-pod-autoscaler.js';
import { jobRules } from './job.js';
import { namespaceRules } from './namespace.js';
import { nodeRules } from './node.js';
import { persistentVolumeClaimRules } from './persistent-volume-claim.js';
import { persistentVolumeRules } from './persistent-volume.js';
import { podRules } from './pod.js';
import { priorityClassRules } from './priority-class.js';
import { replicationControllerRules } from './replication-controller.js';
import { serviceAccountRules } from './service-account.js';
import { serviceRules } from './service.js';
import { deploymentRules, replicaSetRules, statefulSetRules } from './workload-scale.js';

/** At most one entry for each group and resource. */
export const ALL_KIND_RULES: readonly KindRules[] = [
  apiServiceRules,
  bindingRules,
  certificateSigningRequestRules,
  componentStatusRules,
  customResourceDefinitionRules,
  daemonSetRules,
  endpointSliceRules,
  deploymentRules,
  endpointsRules,
  eventRules,
  horizontalPodAutoscalerRules,
  jobRules,
  localSubjectAccessReviewRules,
  namespaceRules,
  nodeRules,
  persistentVolumeClaimRules,
  persistentVolumeRules,
  podRules,
  priorityClassRules,
  replicaSetRules,
  replicationControllerRules,
  serviceAccountRules,
  serviceRules,
  selfSubjectAccessReviewRules,
  selfSubjectReviewRules,
  selfSubjectRulesReviewRules,
  statefulSetRules,
  subjectAccessReviewRules,
  tokenReviewRules,
];
