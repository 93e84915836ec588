/** The form that the names of each built-in resource have. */
import { qualifiedName, type GroupResource } from '../../ground/kind.js';
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  pathSegmentProblems,
} from '../../ground/name-syntax.js';
import { ipProblems, maskTrailingDash } from './name-syntax.js';

/** `path`: anything that fits into a path; nothing else is checked. */
export type NameForm = 'subdomain' | 'label' | 'path' | 'ip';

/**
 * Resources whose names are not DNS-1123 subdomains.
 *
 * Source: the validation of each kind in kubernetes/pkg/apis, and its answers. Services are labels since 1.36
 * (RelaxedServiceNameValidation); before, they were DNS-1035 labels. Core Events, PodDisruptionBudgets and
 * CertificateSigningRequests are not checked by their kinds at all.
 */
const FORMS: Readonly<Record<string, NameForm>> = {
  namespaces: 'label',
  services: 'label',
  'statefulsets.apps': 'label',
  events: 'path',
  'poddisruptionbudgets.policy': 'path',
  'certificatesigningrequests.certificates.k8s.io': 'path',
  'apiservices.apiregistration.k8s.io': 'path',
  'roles.rbac.authorization.k8s.io': 'path',
  'rolebindings.rbac.authorization.k8s.io': 'path',
  'clusterroles.rbac.authorization.k8s.io': 'path',
  'clusterrolebindings.rbac.authorization.k8s.io': 'path',
  'ipaddresses.networking.k8s.io': 'ip',
};

/** What may not own anything. Source: apimachinery api/validation/objectmeta.go, BannedOwners. */
export const BANNED_OWNER = Object.freeze({ apiVersion: 'v1', kind: 'Event' });

/** The group is that of the path: an Event written through events.k8s.io has another form than through core. */
export function nameFormOf(of: GroupResource): NameForm {
  const name = qualifiedName(of);
  return (Object.hasOwn(FORMS, name) ? FORMS[name] : undefined) ?? 'subdomain';
}

/**
 * What is wrong with a name.
 *
 * Shape: the details of one error each (`metadata.name: Invalid value: "…": <detail>`); empty when it is good.
 * @param isPrefix for generateName, to which something is appended
 */
export function nameProblems(of: GroupResource, name: string, isPrefix: boolean): readonly string[] {
  const text = isPrefix ? maskTrailingDash(name) : name;
  switch (nameFormOf(of)) {
    case 'subdomain':
      return dns1123SubdomainProblems(text);
    case 'label':
      return dns1123LabelProblems(text);
    case 'path':
      return pathSegmentProblems(name);
    case 'ip':
      return ipProblems(name);
  }
}
