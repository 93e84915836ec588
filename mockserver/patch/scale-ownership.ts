/** Ownership between a resource and its scale: they share one field, which has a path of its own in each. */
import { type FieldSet, EMPTY_SET, difference, setOfPath } from './field-set.js';
import { type Owner, type Owners, ownerOf } from './managed-fields.js';
import { type PathElement, fieldElement } from './path-element.js';

const SCALE_VERSION = 'autoscaling/v1';
const IN_SCALE: readonly PathElement[] = [fieldElement('spec'), fieldElement('replicas')];
const REPLICAS: FieldSet = setOfPath(IN_SCALE);

/**
 * Where a resource's versions have their replicas: `spec.replicas`; null where a version has no scale; a version that is
 * not in it is unknown.
 */
export type ReplicasPaths = ReadonlyMap<string, string | null>;

const pathIn = (paths: ReplicasPaths, apiVersion: string): readonly PathElement[] | undefined => {
  const path = paths.get(apiVersion);
  return path === undefined || path === null ? undefined : path.split('.').map(fieldElement);
};

/**
 * The owners of the scale: those who own the resource's replicas.
 * Source: apimachinery managedfields/scalehandler.go ToSubresource.
 */
export function ownersOfScale(owners: Owners, paths: ReplicasPaths): Owners {
  const scale = new Map<string, Owner>();
  for (const owner of owners.values()) {
    const path = pathIn(paths, owner.apiVersion);
    if (path === undefined || !owner.set.has(path)) continue;
    const own = ownerOf({ ...owner, apiVersion: SCALE_VERSION, set: REPLICAS });
    scale.set(own.id, own);
  }
  return scale;
}

/**
 * The owners of the resource after its scale has been written: who is no owner of the scale any more has lost its
 * replicas, and who has become one owns them, without a time.
 *
 * Shape: a list, in which one name may stand twice, as on a real server: updaters of the resource are not known again in
 * its scale, whose version is another one, so their replicas become an entry of its own. Whoever reads the list next
 * keeps the last of the two.
 *
 * @param apiVersion of the resource, in the request's path.
 * Source: apimachinery managedfields/scalehandler.go ToParent.
 */
export function ownersAfterScale(
  owners: Owners,
  scale: Owners,
  paths: ReplicasPaths,
  apiVersion: string,
): readonly Owner[] {
  const next: Owner[] = [];
  const left = new Map(scale);
  for (const [id, owner] of owners) {
    if (!paths.has(owner.apiVersion)) continue;
    const path = pathIn(paths, owner.apiVersion);
    if (path === undefined || !owner.set.has(path) || left.delete(id)) {
      next.push(owner);
      continue;
    }
    const set = difference(owner.set, setOfPath(path));
    if (!set.empty) next.push({ ...owner, set });
  }
  const path = pathIn(paths, apiVersion);
  const set = path === undefined ? EMPTY_SET : setOfPath(path);
  for (const { id, name, operation, subresource, set: theirs } of left.values()) {
    if (!theirs.has(IN_SCALE)) continue;
    next.push(ownerOf({ name, operation, apiVersion, subresource, time: owners.get(id)?.time, set }));
  }
  return next;
}
