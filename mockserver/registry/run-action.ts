/** The create verb for what is not stored: what an action decides is done here. */
import { type ApiObject, nameOf, namespaceOf, revisionOf } from '../ground/object.js';
import { NO_REVISION } from '../ground/revision.js';
import { type Status } from '../ground/status.js';
import { StoredObject } from '../ground/stored-object.js';
import { ADMIN } from '../access/authentication.js';
import { staticReview } from '../access/token-review.js';
import { addressOf } from '../store/key.js';
import { type Action, type ActionContext, type ActionStep, isStatus } from './action.js';
import { type Call, contextOf, inKindOfSubresource, subresourceOf } from './call.js';
import { checkNamespace } from './create.js';
import { remove } from './delete.js';
import { atRevision, stamp } from './meta-stamp.js';
import { type Resource } from './resource.js';
import { storeStatus } from './store-status.js';
import { update } from './update.js';

/** As managedFields name the server. */
const SERVER = 'kube-apiserver';

export type ActionResult =
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'object'; readonly object: StoredObject };

/** What a create of this resource or subresource does in place of storing an object. */
export function actionOf(call: Call): Action | undefined {
  return call.subresource === '' ? call.resource.store.rules?.action : subresourceOf(call)?.rules?.action;
}

/**
 * Runs an action to its end, within one turn.
 *
 * Errors: 400 for another namespace than that of the path; 403 and 404 of the namespace; those of the action and of the
 * deletes that it makes.
 * Source: apiserver endpoints/handlers/create.go.
 */
export function runAction(call: Call, action: Action, sent: ApiObject, dryRun: boolean): ActionResult {
  checkNamespace(call, sent);
  const body = inKindOfSubresource(call);
  const namespace = call.resource.namespaced ? call.namespace : '';
  if (call.resource.namespaced) call.cluster.admitIntoNamespace(call.resource, namespace, call.name);
  // What a client says of its identity is kept where it is a precondition on the object that the action is about.
  const kept = call.subresource === '' && !(call.resource.store.rules?.keepsIdentity ?? false);
  const object = stamp(body.resource, sent, {
    namespace: namespace === '' ? undefined : namespace,
    selfLink: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    ...(kept ? { uid: undefined, creationTimestamp: undefined } : {}),
  });
  const owned = call.cluster.ownership.tracked(call, {
    live: body.resource.codec.zero(),
    next: object,
    creating: true,
    resets: false,
  });
  const { answer, steps } = action(owned, actionContext(call, namespace, dryRun));
  if (!dryRun) for (const step of steps) run(call, step);
  if (isStatus(answer)) return { kind: 'status', status: answer };
  const arranged = body.resource.codec.arrange(answer);
  return { kind: 'object', object: new StoredObject('', NO_REVISION, arranged) };
}

function actionContext(call: Call, namespace: string, dryRun: boolean): ActionContext {
  const { cluster, name, user = ADMIN } = call;
  return {
    ...contextOf(call),
    namespace,
    name,
    dryRun,
    user,
    tokens: cluster.tokens,
    reviewToken: call.reviewToken ?? ((_token, audiences) => staticReview(undefined, audiences)),
    keyOf: (group, resource, within, of) =>
      addressOf(stored(call, group, resource).store.prefix, within, of).key,
  };
}

function stored({ cluster }: Call, group: string, plural: string): Resource {
  const resource = cluster.resources.findStored(group, plural);
  if (resource === undefined) throw new Error(`an action names ${plural}.${group}, which nobody serves`);
  return resource;
}

function run(call: Call, step: ActionStep): void {
  const { cluster } = call;
  const resource = stored(call, step.of.group, step.of.resource);
  if (step.kind === 'delete') {
    const { namespace, name, order } = step;
    remove({ ...call, resource, subresource: '', namespace, name }, { ...order, dryRun: false });
    return;
  }
  const { object } = step;
  if (step.kind === 'write status') {
    const place = { namespace: namespaceOf(object), name: nameOf(object), subresource: 'status' };
    const own = { ...call, ...place, resource, writer: SERVER };
    update(own, { next: () => ({ object, owners: 'tracked' }), dryRun: false });
    return;
  }
  const address = addressOf(resource.store.prefix, namespaceOf(object), nameOf(object));
  const arranged = resource.store.codec.arrange(object);
  try {
    cluster.commit(() =>
      cluster.store.update(address, revisionOf(object), (revision) =>
        atRevision(resource, arranged, revision),
      ),
    );
  } catch (error) {
    throw storeStatus(error, step.of, nameOf(object));
  }
}
