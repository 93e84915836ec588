/** Statuses that the server itself writes: what a quota has let pass. */
import { type JsonObject } from '../ground/json.js';
import { type GroupResource } from '../ground/kind.js';
import { addressOf } from '../store/key.js';
import { type Call } from './call.js';
import { type Cluster } from './cluster.js';
import { atRevision } from './meta-stamp.js';
import { withMember } from './shape.js';

/** As managedFields name the server. */
const WRITER = 'kube-apiserver';

export interface OwnStatus {
  readonly of: GroupResource;
  /** `''` for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
}

/** Nothing happens where there is no such object. */
export function writeStatus(cluster: Cluster, { of, namespace, name }: OwnStatus, status: JsonObject): void {
  const resource = cluster.resources.findStored(of.group, of.resource);
  if (resource === undefined) return;
  const address = addressOf(resource.store.prefix, namespace, name);
  const stored = cluster.store.get(address.key);
  if (stored === undefined) return;
  const call: Call = {
    cluster,
    resource,
    subresource: 'status',
    namespace,
    name,
    largest: 0,
    writer: WRITER,
    warn: () => undefined,
  };
  const live = stored.object;
  const next = resource.codec.arrange(withMember(resource, live, 'status', status));
  const owned = cluster.ownership.tracked(call, { live, next, creating: false, resets: false });
  cluster.commit(() =>
    cluster.store.update(address, stored.revision, (revision) => atRevision(resource, owned, revision)),
  );
}
