/** Where a real server keeps each resource: the key prefixes that show in a few error messages. */

/** Source: pkg/kubeapiserver/default_storage_factory_builder.go, SpecialDefaultResourcePrefixes. */
const SPECIAL: Readonly<Record<string, string>> = {
  replicationcontrollers: 'controllers',
  endpoints: 'services/endpoints',
  services: 'services/specs',
  nodes: 'minions',
  'ingresses.networking.k8s.io': 'ingress',
};

/** Groups of the servers behind kube-apiserver, which keep the group in the key, as custom resources do. */
const OWN_FOLDER: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** `/registry/pods/`, with the closing slash. */
export function storagePrefix(group: string, resource: string): string {
  const special = SPECIAL[group === '' ? resource : `${resource}.${group}`];
  if (special !== undefined) return `/registry/${special}/`;
  return OWN_FOLDER.has(group) ? `/registry/${group}/${resource}/` : `/registry/${resource}/`;
}

/** Custom resources: `/registry/<group>/<plural>/`. */
export const customPrefix = (group: string, plural: string): string => `/registry/${group}/${plural}/`;
