/** What a fresh cluster holds, kept once for all clusters of a server that begin fresh. */
import { type Clock, formatTime } from '../ground/clock.js';
import { editMetadata, withMetadata } from '../ground/object.js';
import { type Random } from '../ground/random.js';
import { StoredObject } from '../ground/stored-object.js';
import { scopeRange } from '../store/key.js';
import { type Cluster } from './cluster.js';
import { type ClusterImage } from './cluster-image.js';
import { namespaceRules } from './kinds/namespace.js';

export interface FreshImage {
  readonly image: ClusterImage;
  /** What clusters are told apart by, by clients that compare uids: each gets its own. */
  readonly namespaces: readonly StoredObject[];
}

/** @param cluster that has been seeded and not been changed since */
export function freshImageOf(cluster: Cluster): FreshImage {
  const { group, resource } = namespaceRules;
  const prefix = cluster.resources.findStored(group, resource)?.store.prefix;
  const namespaces = prefix === undefined ? [] : cluster.store.range(scopeRange(prefix, undefined)).items;
  return { image: cluster.image(prefix === undefined ? [] : [prefix]), namespaces };
}

/** The namespaces as a further cluster has them: the same at the same revisions, with uids and times of their own. */
export function renewed(
  namespaces: readonly StoredObject[],
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): readonly StoredObject[] {
  const creationTimestamp = formatTime(clock.now());
  return namespaces.map(({ key, revision, object, plain }) => {
    const metadata = editMetadata(object.metadata, { uid: random.uuid(), creationTimestamp });
    return new StoredObject(
      key,
      revision,
      Object.freeze(withMetadata(object, Object.freeze(metadata))),
      plain,
    );
  });
}
