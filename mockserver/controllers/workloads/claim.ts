/** Whose objects are whose: those that match a selector are adopted, those that match no more are released. */
import { type GroupResource } from '../../ground/kind.js';
import { stringMember } from '../../ground/json.js';
import {
  type ApiObject,
  deletionTimestampOf,
  labelsOf,
  nameOf,
  namespaceOf,
  uidOf,
} from '../../ground/object.js';
import { StatusError } from '../../ground/status.js';
import { type LabelSelector } from '../../watch/label-selector.js';
import { type ControllerClient, isRefusal } from '../client.js';
import { controllerOf, controllerReference } from './controller-reference.js';

export interface Claim {
  readonly client: ControllerClient;
  readonly owner: ApiObject;
  readonly ownerOf: GroupResource;
  readonly selector: LabelSelector;
  readonly of: GroupResource;
}

/**
 * Those of the candidates that the owner has, adopting and releasing on the way.
 *
 * Shape: adopted ones as they were before.
 * Errors: those of the patches, but for objects that are gone.
 * Source: kubernetes pkg/controller/controller_ref_manager.go.
 */
export function claimed(claim: Claim, candidates: Iterable<ApiObject>): ApiObject[] {
  const owned: ApiObject[] = [];
  for (const one of candidates) if (isClaimed(claim, one)) owned.push(one);
  return owned;
}

function isClaimed(claim: Claim, candidate: ApiObject): boolean {
  const { owner, selector } = claim;
  const leaving = deletionTimestampOf(owner) !== undefined;
  const matches = selector.matches(labelsOf(candidate));
  const controller = controllerOf(candidate);
  if (controller !== undefined) {
    if (stringMember(controller, 'uid') !== uidOf(owner)) return false;
    if (!matches && !leaving) release(claim, candidate);
    return matches;
  }
  if (leaving || !matches || deletionTimestampOf(candidate) !== undefined) return false;
  return adopt(claim, candidate);
}

/** Shape: whether it could be adopted. */
function adopt({ client, owner, ownerOf, of }: Claim, object: ApiObject): boolean {
  const live = client.get({ of: ownerOf, namespace: namespaceOf(owner), name: nameOf(owner) });
  // An owner that is on its way out, or another one by now, adopts nobody.
  if (live === undefined || uidOf(live) !== uidOf(owner) || deletionTimestampOf(live) !== undefined)
    return false;
  try {
    client.patch({ of, namespace: namespaceOf(object), name: nameOf(object) }, 'strategic', {
      metadata: { uid: uidOf(object), ownerReferences: [controllerReference(owner)] },
    });
    return true;
  } catch (error) {
    if (isRefusal(error, 'NotFound')) return false;
    throw error;
  }
}

function release({ client, owner, of }: Claim, object: ApiObject): void {
  try {
    client.patch({ of, namespace: namespaceOf(object), name: nameOf(object) }, 'strategic', {
      metadata: { uid: uidOf(object), ownerReferences: [{ $patch: 'delete', uid: uidOf(owner) }] },
    });
  } catch (error) {
    // Gone, or another object of that name by now: nothing to release.
    const past = error instanceof StatusError && ['NotFound', 'Invalid'].includes(error.status.reason ?? '');
    if (!past) throw error;
  }
}
