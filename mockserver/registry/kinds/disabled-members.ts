/** Members that a server knows, but drops: the features that they belong to are off by default. */
import { type JsonObject, member, objectMember } from '../../ground/json.js';
import { type DefaultFunction } from '../../schema/defaults/default-rules.js';
import { without } from './members.js';

const CORE = 'k8s.io.api.core.v1';
const RESOURCE = 'k8s.io.api.resource.v1';

/** Message → members. Source: kubernetes features/kube_features.go; the dropDisabled… functions of the strategies. */
const DISABLED: Readonly<Record<string, readonly string[]>> = {
  [`${CORE}.VolumeProjection`]: ['clusterTrustBundle', 'podCertificate'],
  [`${CORE}.PodSpec`]: ['schedulingGroup'],
  'k8s.io.api.apps.v1.RollingUpdateStatefulSetStrategy': ['maxUnavailable'],
  'k8s.io.api.coordination.v1.LeaseSpec': ['strategy', 'preferredHolder'],
  'k8s.io.api.storage.v1.CSIDriverSpec': ['preventPodSchedulingIfMissing'],
  [`${RESOURCE}.Device`]: ['nodeAllocatableResourceMappings'],
  [`${RESOURCE}.DeviceAttribute`]: ['bools', 'ints', 'strings', 'versions'],
};

/**
 * By full name of the message: takes such members away, wherever the message stands. They are dropped when a kind's
 * strategy prepares a write, so that who wrote them owns them nevertheless.
 */
export const DISABLED_MEMBERS: ReadonlyMap<string, readonly DefaultFunction[]> = new Map<
  string,
  readonly DefaultFunction[]
>([
  ...Object.entries(DISABLED).map(([message, names]): [string, readonly DefaultFunction[]] => [
    message,
    [(object) => (names.some((name) => Object.hasOwn(object, name)) ? without(object, ...names) : object)],
  ]),
  [`${CORE}.Container`, [withoutStopSignal]],
  [`${CORE}.EphemeralContainer`, [withoutStopSignal]],
]);

/** A lifecycle that says nothing else goes with it. */
function withoutStopSignal(container: JsonObject): JsonObject {
  const lifecycle = objectMember(container, 'lifecycle');
  if (lifecycle === undefined || member(lifecycle, 'stopSignal') === undefined) return container;
  const rest = without(lifecycle, 'stopSignal');
  if (Object.keys(rest).length === 0) return without(container, 'lifecycle');
  return { ...container, lifecycle: rest };
}
