/** The delete verb. */
import { type ApiObject, revisionOf, uidOf } from '../ground/object.js';
import { NO_REVISION, parseResourceVersion } from '../ground/revision.js';
import { conflict, notFound, type Status, success } from '../ground/status.js';
import { StoredObject } from '../ground/stored-object.js';
import { addressOf } from '../store/key.js';
import { admitDelete } from './admission.js';
import { type Call } from './call.js';
import { type DeletionOrder, planDeletion } from './deletion-plan.js';
import { type Preconditions } from './kind-rules.js';
import { atRevision, stamp } from './meta-stamp.js';
import { groupKindOf, groupResourceOf, present } from './resource.js';
import { storeStatus } from './store-status.js';

export interface DeleteRequest extends DeletionOrder {
  readonly preconditions?: Preconditions | undefined;
  readonly dryRun: boolean;
}

export type DeleteResult =
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'object'; readonly object: StoredObject; readonly removed: boolean };

/**
 * Deletes an object, or marks it as terminating when something holds it.
 *
 * Shape: a Status, or for kinds that answer so the last state under the revision of the delete; the terminating object
 * when it stays (unchanged when it was terminating already).
 * Errors: 404; 409 of preconditions; what the kind forbids.
 * Source: apiserver registry/generic/registry/store.go, Delete.
 */
export function remove(call: Call, request: DeleteRequest): DeleteResult {
  const { resource, cluster } = call;
  const { prefix, rules, strategy } = resource.store;
  const of = groupResourceOf(resource);
  warnOfDeletion(call, request);
  const address = addressOf(prefix, resource.namespaced ? call.namespace : '', call.name);
  const stored = cluster.store.get(address.key);
  if (stored === undefined) throw notFound(of, call.name);
  rules?.admitDelete?.(stored.object);
  admitDelete(call, stored.object, request.dryRun);
  checkPreconditions(call, request, stored.object);
  const plan = planDeletion(stored.object, request, strategy, rules, cluster.kindContext);
  if (plan.kind === 'unchanged') return { kind: 'object', object: present(resource, stored), removed: false };
  try {
    if (plan.kind === 'hold') {
      const next = stamp(resource, resource.store.codec.arrange(plan.object), plan.edits);
      if (request.dryRun) {
        const shown = new StoredObject(address.key, stored.revision, next);
        return { kind: 'object', object: present(resource, shown), removed: false };
      }
      const change = cluster.commit(() =>
        cluster.store.update(address, stored.revision, (revision) => atRevision(resource, next, revision)),
      );
      return { kind: 'object', object: present(resource, change.current ?? stored), removed: false };
    }
    const marked = plan.marked === undefined ? undefined : stamp(resource, stored.object, plan.marked);
    if (request.dryRun)
      return gone(call, new StoredObject(address.key, NO_REVISION, marked ?? stored.object));
    const change = cluster.commit(() => {
      let at = stored.revision;
      if (marked !== undefined) {
        at = cluster.store.update(address, at, (revision) => atRevision(resource, marked, revision)).revision;
      }
      return cluster.store.delete(address, at);
    });
    return gone(call, change.departed);
  } catch (error) {
    throw storeStatus(error, of, call.name);
  }
}

/** Also where nothing is there to be deleted. */
export function warnOfDeletion({ resource, warn }: Call, request: DeleteRequest): void {
  const warning = resource.store.rules?.deleteWarning?.({
    ...request,
    gracePeriodSeconds: request.gracePeriodSeconds,
  });
  if (warning !== undefined) warn(warning);
}

function gone(call: Call, last: StoredObject): DeleteResult {
  const { resource } = call;
  if (resource.store.strategy.deleteAnswersObject)
    return { kind: 'object', object: present(resource, last), removed: true };
  return {
    kind: 'status',
    status: success({
      name: call.name,
      group: resource.group,
      kind: resource.resource,
      uid: uidOf(last.object),
    }),
  };
}

/** Errors: 409, naming the Kind where other conflicts name the resource. */
function checkPreconditions(call: Call, request: DeleteRequest, object: ApiObject): void {
  const of = groupKindOf(call.resource);
  const { uid, resourceVersion } = request.preconditions ?? {};
  const own = call.resource.store.rules?.preconditionConflict?.(object, { uid, resourceVersion });
  if (own !== undefined) throw own;
  if (uid !== undefined && uid !== uidOf(object)) {
    throw conflict(
      of,
      call.name,
      `the UID in the precondition (${uid}) does not match the UID in record (${uidOf(object)}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion === undefined) return;
  const parsed = parseResourceVersion(resourceVersion);
  if (!parsed.ok || parsed.value !== revisionOf(object)) {
    throw conflict(
      of,
      call.name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${revisionOf(object)}). The object might have been modified`,
    );
  }
}
