/** All plugins of admission: the only file that knows them all. */
import { type AdmissionPlugin } from '../admission-plugin.js';
import { certificateSubjectRestriction } from './admission-certificates.js';
import { defaultIngressClass, defaultStorageClass } from './admission-default-class.js';
import { defaultTolerationSeconds } from './admission-default-tolerations.js';
import { limitRanger } from './admission-limit-ranger.js';
import { namespaceLifecycle } from './admission-namespace.js';
import { podSecurity } from './admission-pod-security.js';
import { priority } from './admission-priority.js';
import { persistentVolumeClaimResize } from './admission-resize.js';
import { resourceQuota } from './admission-resource-quota.js';
import { runtimeClass } from './admission-runtime-class.js';
import { serviceAccount } from './admission-service-account.js';
import { storageObjectInUseProtection } from './admission-storage-protection.js';
import { taintNodesByCondition } from './admission-node-taint.js';

/** In the order in which a server asks them. Source: kubernetes pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins. */
export const ADMISSION_PLUGINS: readonly AdmissionPlugin[] = [
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  taintNodesByCondition,
  podSecurity,
  priority,
  defaultTolerationSeconds,
  defaultStorageClass,
  storageObjectInUseProtection,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateSubjectRestriction,
  defaultIngressClass,
  resourceQuota,
];

/** Of those that are there. A real server has ServiceAccount on; without its controller no namespace has an account to use. */
export const OFF_BY_DEFAULT: readonly string[] = ['ServiceAccount'];

/** All that kube-apiserver 1.36 knows by name, whether it is there or not. */
export const PLUGIN_NAMES: readonly string[] = [
  'AlwaysAdmit',
  'AlwaysDeny',
  'AlwaysPullImages',
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
  'ClusterTrustBundleAttest',
  'DefaultIngressClass',
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'DenyServiceExternalIPs',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'ImagePolicyWebhook',
  'JobValidation',
  'LimitPodHardAntiAffinityTopology',
  'LimitRanger',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'NamespaceAutoProvision',
  'NamespaceExists',
  'NamespaceLifecycle',
  'NodeDeclaredFeatureValidator',
  'NodeRestriction',
  'OwnerReferencesPermissionEnforcement',
  'PersistentVolumeClaimResize',
  'PodGroupProtection',
  'PodGroupWorkloadExists',
  'PodNodeSelector',
  'PodResizeValidator',
  'PodSecurity',
  'PodTolerationRestriction',
  'PodTopologyLabels',
  'Priority',
  'ResourceQuota',
  'RuntimeClass',
  'ServiceAccount',
  'StorageObjectInUseProtection',
  'TaintNodesByCondition',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
];
