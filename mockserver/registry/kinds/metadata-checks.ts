/** In which order the validation of each built-in kind looks at metadata and at the rest of an updated object. */
import { qualifiedName, type GroupResource } from '../../ground/kind.js';

/**
 * One part of the validation of an update. `update` is what an update may not do to metadata, `whole` all that metadata must
 * be, `own` what the kind validates beside. `domains`: finalizers need one, else any that could be a label's key will do.
 */
export type UpdateCheck = 'update' | 'update-domains' | 'whole' | 'whole-domains' | 'own';
type Checks = readonly UpdateCheck[];

const OWN: Checks = ['own'];
const UPDATE: Checks = ['update-domains', 'own'];
const WHOLE: Checks = ['whole-domains', 'own'];
const LENIENT: Checks = ['whole', 'own'];
const UPDATE_WHOLE: Checks = ['update-domains', 'whole-domains', 'own'];
const OWN_BETWEEN: Checks = ['update-domains', 'own', 'whole-domains'];
const WHOLE_UPDATE: Checks = ['whole-domains', 'own', 'update-domains'];

/**
 * What a kind adds to the checks that every kind has, each with the errors of metadata once more among the causes. Kinds that are not listed have UPDATE,
 * as most of those that are.
 *
 * Source: answers of kube-apiserver 1.36.3 to updates with a bad label, a finalizer without a domain, an owner without a uid,
 * a changed deletionTimestamp and an error of the kind.
 */
const CHECKS: Readonly<Record<string, Checks>> = {
  configmaps: UPDATE_WHOLE,
  secrets: OWN_BETWEEN,
  serviceaccounts: UPDATE_WHOLE,
  pods: UPDATE_WHOLE,
  endpoints: UPDATE_WHOLE,
  events: OWN,
  persistentvolumeclaims: UPDATE_WHOLE,
  persistentvolumes: ['whole-domains', 'own', 'whole-domains'],
  namespaces: WHOLE_UPDATE,
  nodes: WHOLE_UPDATE,
  limitranges: WHOLE,
  'controllerrevisions.apps': UPDATE_WHOLE,
  'jobs.batch': WHOLE_UPDATE,
  'leases.coordination.k8s.io': ['update', 'own'],
  'ingresses.networking.k8s.io': UPDATE_WHOLE,
  'ingressclasses.networking.k8s.io': OWN_BETWEEN,
  'ipaddresses.networking.k8s.io': WHOLE_UPDATE,
  'roles.rbac.authorization.k8s.io': WHOLE_UPDATE,
  'clusterroles.rbac.authorization.k8s.io': WHOLE_UPDATE,
  'rolebindings.rbac.authorization.k8s.io': WHOLE_UPDATE,
  'clusterrolebindings.rbac.authorization.k8s.io': WHOLE_UPDATE,
  'runtimeclasses.node.k8s.io': ['whole', 'own', 'update'],
  'storageclasses.storage.k8s.io': WHOLE_UPDATE,
  'csinodes.storage.k8s.io': WHOLE,
  'csistoragecapacities.storage.k8s.io': WHOLE_UPDATE,
  'volumeattachments.storage.k8s.io': WHOLE,
  'volumeattributesclasses.storage.k8s.io': UPDATE_WHOLE,
  'endpointslices.discovery.k8s.io': WHOLE,
  'events.events.k8s.io': OWN,
  'certificatesigningrequests.certificates.k8s.io': WHOLE_UPDATE,
  'poddisruptionbudgets.policy': OWN,
  'deviceclasses.resource.k8s.io': WHOLE_UPDATE,
  'resourceclaims.resource.k8s.io': WHOLE_UPDATE,
  'resourceclaimtemplates.resource.k8s.io': WHOLE_UPDATE,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': LENIENT,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': LENIENT,
  'validatingadmissionpolicies.admissionregistration.k8s.io': LENIENT,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': LENIENT,
  'mutatingadmissionpolicies.admissionregistration.k8s.io': LENIENT,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': LENIENT,
  'flowschemas.flowcontrol.apiserver.k8s.io': WHOLE,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': WHOLE,
  'customresourcedefinitions.apiextensions.k8s.io': ['update', 'own'],
  'apiservices.apiregistration.k8s.io': ['update', 'whole', 'own'],
};

/** Of updates of a status, where it is not UPDATE. */
const STATUS_CHECKS: Readonly<Record<string, Checks>> = {
  'poddisruptionbudgets.policy': OWN,
  'statefulsets.apps': ['own', 'update-domains'],
  'customresourcedefinitions.apiextensions.k8s.io': ['update', 'own'],
};

/** Of a custom resource; the metadata of its status is what is stored. */
export const CUSTOM_CHECKS: Checks = ['update', 'own'];

/** Kinds whose own validation does not look at the metadata of a new object. Source: their Validate functions. */
const LEAVE_METADATA: ReadonlySet<string> = new Set(['poddisruptionbudgets.policy']);

/** Kinds of which a new object may have finalizers without a domain. Source: answers of kube-apiserver 1.36.3 to creates. */
const ANY_FINALIZER: ReadonlySet<string> = new Set([
  'events',
  'leases.coordination.k8s.io',
  'poddisruptionbudgets.policy',
  'runtimeclasses.node.k8s.io',
  'apiservices.apiregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
]);

/** Whether the finalizers of a new object of a built-in kind need a domain. */
export const wantsDomains = (of: GroupResource): boolean => !ANY_FINALIZER.has(qualifiedName(of));

/** Whether errors in the metadata of a new object show only where the kind itself has none. */
export const leavesMetadata = (of: GroupResource): boolean => LEAVE_METADATA.has(qualifiedName(of));

/** What follows the checks that every kind has; `own` is among them once. */
export function updateChecks(of: GroupResource, subresource: string): Checks {
  const name = qualifiedName(of);
  const special = subresource === '' ? CHECKS : STATUS_CHECKS;
  return (Object.hasOwn(special, name) ? special[name] : undefined) ?? UPDATE;
}
