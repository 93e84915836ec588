/** Whether and how often the validation of each built-in kind looks at metadata. */
import { qualifiedName, type GroupResource } from '../../ground/kind.js';

/** `strict` wants a domain in finalizers, `lenient` takes any that could be a label's key. */
export type MetadataCheck = 'strict' | 'lenient';

const ONCE: readonly MetadataCheck[] = ['strict'];
const TWICE: readonly MetadataCheck[] = ['strict', 'strict'];
const LENIENT: readonly MetadataCheck[] = ['lenient'];

/**
 * The whole checks of metadata that follow the two for updates which every kind gets; each repeats its errors among the
 * causes. Kinds that are not listed have none.
 *
 * Source: answers of kube-apiserver 1.36.3 to an update with a bad label and a finalizer without a domain.
 */
const CHECKS: Readonly<Record<string, readonly MetadataCheck[]>> = {
  configmaps: TWICE,
  secrets: TWICE,
  serviceaccounts: TWICE,
  pods: TWICE,
  endpoints: TWICE,
  persistentvolumeclaims: TWICE,
  persistentvolumes: TWICE,
  namespaces: TWICE,
  nodes: TWICE,
  services: ONCE,
  limitranges: ONCE,
  resourcequotas: ONCE,
  podtemplates: ONCE,
  replicationcontrollers: ONCE,
  'controllerrevisions.apps': TWICE,
  'deployments.apps': ONCE,
  'replicasets.apps': ONCE,
  'statefulsets.apps': ONCE,
  'daemonsets.apps': ONCE,
  'jobs.batch': TWICE,
  'cronjobs.batch': ONCE,
  'horizontalpodautoscalers.autoscaling': ONCE,
  'leases.coordination.k8s.io': LENIENT,
  'ingresses.networking.k8s.io': TWICE,
  'ingressclasses.networking.k8s.io': TWICE,
  'networkpolicies.networking.k8s.io': ONCE,
  'servicecidrs.networking.k8s.io': ONCE,
  'roles.rbac.authorization.k8s.io': TWICE,
  'clusterroles.rbac.authorization.k8s.io': TWICE,
  'rolebindings.rbac.authorization.k8s.io': TWICE,
  'clusterrolebindings.rbac.authorization.k8s.io': TWICE,
  'priorityclasses.scheduling.k8s.io': ONCE,
  'runtimeclasses.node.k8s.io': ['lenient', 'lenient'],
  'storageclasses.storage.k8s.io': TWICE,
  'csidrivers.storage.k8s.io': ONCE,
  'csinodes.storage.k8s.io': ONCE,
  'csistoragecapacities.storage.k8s.io': TWICE,
  'endpointslices.discovery.k8s.io': ONCE,
  'deviceclasses.resource.k8s.io': TWICE,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': LENIENT,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': LENIENT,
  'validatingadmissionpolicies.admissionregistration.k8s.io': LENIENT,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': LENIENT,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': ONCE,
};

/** Kinds whose own validation does not look at the metadata of a new object. Source: their Validate functions. */
const LEAVE_METADATA: ReadonlySet<string> = new Set(['poddisruptionbudgets.policy']);

/** Whether errors in the metadata of a new object show only where the kind itself has none. */
export const leavesMetadata = (of: GroupResource): boolean => LEAVE_METADATA.has(qualifiedName(of));

/** Of the main resource; a status has none. */
export function metadataChecks(of: GroupResource): readonly MetadataCheck[] {
  const name = qualifiedName(of);
  return (Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined) ?? [];
}
