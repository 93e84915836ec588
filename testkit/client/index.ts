/** `kube-mockserver/client`: a cluster of a running server as tests use it. Loads nothing of the server. */
export * as build from './builders.js';
export { ClusterClient, type InNamespace, type ListWish } from './cluster-client.js';
export { type DefinitionWish, type Built } from './builders.js';
export { eventually, type Patience } from './eventually.js';
export {
  type KindName,
  type KubeObject,
  type Manifest,
  type ObjectMeta,
  type OwnerReference,
} from './kube-object.js';
export { type ActAs, type Place } from './place.js';
export { ApiError } from './requests.js';
export { HostClient, type ClusterWish } from './host-client.js';
