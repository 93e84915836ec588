/** Reading and writing an object through a subresource that shows it in another kind. */
import { isJsonArray } from '../ground/json.js';
import { type ApiObject, uidOf } from '../ground/object.js';
import type { StoredObject } from '../ground/stored-object.js';
import { type ApplyOrder, appliedTo } from './apply.js';
import { type Call, inKindOfSubresource, subresourceOf } from './call.js';
import { withManagedFields } from './cluster-ownership.js';
import { type WriteResult } from './create.js';
import { get } from './get.js';
import { type GetOptions } from './get-options.js';
import { type SubresourceView } from './kind-rules.js';
import { patchedObject, type PatchRequest } from './patch.js';
import { checkPlace, update, type Wanted } from './update.js';

/** Undefined when the call is about the object itself or about a part of it. */
export const viewOf = (call: Call): SubresourceView | undefined => subresourceOf(call)?.rules?.view;

/** Errors: those of get and of the view. */
export async function getView(call: Call, view: SubresourceView, options: GetOptions): Promise<StoredObject> {
  return shown(call, view, await get(call, options));
}

/**
 * Replaces what the view shows.
 *
 * Shape: the view of the stored object.
 * Errors: those of update; what the view says of what was sent.
 * Source: kubernetes registry/apps/deployment/storage/storage.go, ScaleREST.
 */
export function updateView(call: Call, view: SubresourceView, sent: Wanted, dryRun: boolean): WriteResult {
  const body = inKindOfSubresource(call);
  checkPlace(body, sent.object);
  const result = update(call, {
    dryRun,
    uid: uidOf(sent.object),
    next: (object) => put(call, view, object, view.show, () => sent),
  });
  return { object: shown(call, view, result.object), created: false };
}

/** As updateView, for a patch of what the view shows. */
export function patchView(call: Call, view: SubresourceView, request: PatchRequest): WriteResult {
  const body = inKindOfSubresource(call);
  return rewritten(call, view, request.dryRun, (live) => patchedObject(body, request, live));
}

/** As updateView, for an apply of what the view shows. */
export function applyToView(call: Call, view: SubresourceView, order: ApplyOrder): WriteResult {
  return rewritten(call, view, order.dryRun, (live) => ({
    object: appliedTo(call, order, live),
    owners: 'settled',
  }));
}

function rewritten(
  call: Call,
  view: SubresourceView,
  dryRun: boolean,
  write: (live: ApiObject) => Wanted,
): WriteResult {
  const body = inKindOfSubresource(call);
  const result = update(call, {
    dryRun,
    next: (object) =>
      put(call, view, object, view.patchBase ?? view.show, (live) => {
        const sent = write(live);
        checkPlace(body, sent.object);
        return sent;
      }),
  });
  return { object: shown(call, view, result.object), created: false };
}

/** Who owns the number that both have is said on the view, and then taken over to the object. */
function put(
  call: Call,
  view: SubresourceView,
  object: ApiObject,
  show: (object: ApiObject) => ApiObject,
  write: (live: ApiObject) => Wanted,
): Wanted {
  const { resource, cluster } = call;
  const { ownership } = cluster;
  const body = inKindOfSubresource(call).resource;
  const before = ownership.ofScale(object, view.replicasPaths);
  const live = withManagedFields(body, show(object), before);
  const { object: next, owners } = write(live);
  const list =
    owners === 'settled'
      ? next.metadata['managedFields']
      : ownership.trackedList(call, { live, next, creating: false, resets: owners === 'reset' });
  const after = ownership.afterScale(call, object, isJsonArray(list) ? list : undefined, view.replicasPaths);
  return { object: withManagedFields(resource, view.put(object, next), after), owners: 'settled' };
}

/** Made once for an object and then shared: the forms of other subresources and versions have other names. */
function shown(call: Call, view: SubresourceView, object: StoredObject): StoredObject {
  const { group, version } = call.resource;
  return object.form(`${call.subresource} of ${group}/${version}`, view.show);
}
