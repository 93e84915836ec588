/** Puts whole objects into a cluster's store, past the checks of the verbs: what a server holds when it starts. */
import { parseApiVersion } from '../ground/kind.js';
import { type ApiObject, nameOf, namespaceOf } from '../ground/object.js';
import { addressOf } from '../store/key.js';
import { type Cluster } from './cluster.js';
import { atRevision } from './meta-stamp.js';

/**
 * Stores objects that are complete but for their resourceVersion, in their order.
 *
 * Errors: an Error that names the object when its kind is not stored here.
 */
export function seed(cluster: Cluster, objects: readonly ApiObject[]): void {
  for (const object of objects) {
    const resource = cluster.resources.findKind({ ...parsedVersion(object), kind: object.kind });
    if (resource === undefined)
      throw new Error(`cannot store ${object.apiVersion} ${object.kind} ${nameOf(object)}`);
    const arranged = resource.codec.arrange(object);
    const address = addressOf(resource.store.prefix, namespaceOf(object), nameOf(object));
    cluster.commit(() =>
      cluster.store.create(address, (revision) => atRevision(resource, arranged, revision)),
    );
  }
}

function parsedVersion(object: ApiObject): { group: string; version: string } {
  return parseApiVersion(object.apiVersion) ?? { group: '', version: '' };
}
