/** Validation of all kinds: the only file that knows them all. */
import { type KindValidation } from '../kind-validation.js';
import { configMapValidation, secretValidation } from './validate-config.js';
import { jobValidation } from './validate-job.js';
import { podValidation } from './validate-pod.js';
import { serviceValidation } from './validate-service.js';
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
  configMapValidation,
  daemonSetValidation,
  deploymentValidation,
  jobValidation,
  persistentVolumeClaimValidation,
  persistentVolumeValidation,
  podTemplateValidation,
  podValidation,
  replicaSetValidation,
  replicationControllerValidation,
  secretValidation,
  serviceValidation,
  statefulSetValidation,
];
