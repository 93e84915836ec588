/** Reading and writing an object through a subresource that shows it in another kind. */
import { type ApiObject, uidOf } from '../ground/object.js';
import type { StoredObject } from '../ground/stored-object.js';
import { type Call, inKindOfSubresource, subresourceOf } from './call.js';
import { checkNamespace, type WriteResult } from './create.js';
import { get } from './get.js';
import { type GetOptions } from './get-options.js';
import { type SubresourceView } from './kind-rules.js';
import { patchedObject, type PatchRequest } from './patch.js';
import { checkName, update } from './update.js';

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
export function updateView(call: Call, view: SubresourceView, sent: ApiObject, dryRun: boolean): WriteResult {
  const body = inKindOfSubresource(call);
  checkName(body, sent);
  checkNamespace(body, sent);
  const result = update(call, { dryRun, uid: uidOf(sent), next: (object) => view.put(object, sent) });
  return { object: shown(call, view, result.object), created: false };
}

/** As updateView, for a patch of what the view shows. */
export function patchView(call: Call, view: SubresourceView, request: PatchRequest): WriteResult {
  const body = inKindOfSubresource(call);
  const result = update(call, {
    dryRun: request.dryRun,
    next(object) {
      const sent = patchedObject(body, request, (view.patchBase ?? view.show)(object));
      checkName(body, sent);
      checkNamespace(body, sent);
      return view.put(object, sent);
    },
  });
  return { object: shown(call, view, result.object), created: false };
}

/** Made once for an object and then shared: the forms of other subresources and versions have other names. */
function shown(call: Call, view: SubresourceView, object: StoredObject): StoredObject {
  const { group, version } = call.resource;
  return object.form(`${call.subresource} of ${group}/${version}`, view.show);
}
