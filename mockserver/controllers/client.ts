/** A controller's client: the verbs that everybody uses, in the name of the controllers. */
import { type User } from '../access/user.js';
import { type JsonObject } from '../ground/json.js';
import { type GroupResource, qualifiedName } from '../ground/kind.js';
import { type ApiObject, nameOf, namespaceOf } from '../ground/object.js';
import { StatusError } from '../ground/status.js';
import { writerName } from '../patch/writer-name.js';
import { type Call, inKindOfSubresource } from '../registry/call.js';
import { type Cluster } from '../registry/cluster.js';
import { create } from '../registry/create.js';
import { deleteCollection } from '../registry/delete-collection.js';
import { type DeleteRequest, remove } from '../registry/delete.js';
import { decodeListOptions } from '../registry/list-options.js';
import { patch, type PatchType } from '../registry/patch.js';
import { NO_QUERY } from '../registry/query.js';
import { type Resource } from '../registry/resource.js';
import { actionOf, runAction } from '../registry/run-action.js';
import { selectableFieldsOf } from '../registry/selection-of.js';
import { update } from '../registry/update.js';

/** Source: cmd/kube-controller-manager, whose controllers share one identity unless they are told otherwise. */
const CONTROLLER_USER: User = Object.freeze({
  name: 'system:kube-controller-manager',
  uid: '',
  groups: Object.freeze(['system:authenticated']),
});

/** Where an object is; `''` as the namespace of cluster-scoped ones. */
export interface ObjectPlace {
  readonly of: GroupResource;
  readonly namespace: string;
  readonly name: string;
}

export interface ClientIdentity {
  /** Its part before the first `/` is what managedFields name. */
  readonly userAgent: string;
  /** @default system:kube-controller-manager */
  readonly user?: User;
}

/** How an order of a delete is worded when nothing more is said. */
export type DeleteWish = Omit<DeleteRequest, 'dryRun'>;

export class ControllerClient {
  readonly #cluster: Cluster;
  readonly #writer: string;
  readonly #user: User;
  readonly #ended: () => boolean;

  /** @param ended whether its controller has ended: then it writes no more */
  constructor(cluster: Cluster, { userAgent, user = CONTROLLER_USER }: ClientIdentity, ended: () => boolean) {
    this.#cluster = cluster;
    this.#ended = ended;
    this.#writer = writerName('', userAgent);
    this.#user = user;
  }

  /** The object as it is now. */
  get({ of, namespace, name }: ObjectPlace): ApiObject | undefined {
    return this.#cluster.find(of.group, of.resource, namespace, name);
  }

  /** Shape: the object as stored. Errors: those of create. */
  create(of: GroupResource, object: ApiObject): ApiObject {
    const call = this.#call({ of, namespace: namespaceOf(object), name: '' });
    return create(call, decoded(call, object), false).object.object;
  }

  /** Creates below an object what is not stored: a binding, an eviction. Errors: those of its action. */
  act(place: ObjectPlace, subresource: string, sent: ApiObject): void {
    const call = this.#call(place, subresource);
    const action = actionOf(call);
    if (action === undefined) throw new Error(`${qualifiedName(place.of)}/${subresource} has no action`);
    runAction(call, action, decoded(call, sent), false);
  }

  /** Replaces the object, or with `subresource` one part of it. Errors: those of update. */
  update(of: GroupResource, object: ApiObject, subresource = ''): ApiObject {
    const call = this.#call({ of, namespace: namespaceOf(object), name: nameOf(object) }, subresource);
    const sent = { object: decoded(call, object), owners: 'tracked' } as const;
    return update(call, { sent, next: () => sent, dryRun: false }).object.object;
  }

  /** Errors: those of patch. */
  patch(place: ObjectPlace, type: PatchType, body: JsonObject, subresource = ''): ApiObject {
    const call = this.#call(place, subresource);
    const reading = { ok: true, value: body, duplicates: [] } as const;
    const request = { type, body: reading, text: '', fieldValidation: 'Ignore', dryRun: false } as const;
    return patch(call, request).object.object;
  }

  /** Whether the resource takes strategic merge patches: custom ones answer 415. */
  takesStrategicPatches = (of: GroupResource): boolean => this.#resource(of).valueType !== undefined;

  /** Errors: those of delete. */
  delete(place: ObjectPlace, wish: DeleteWish = {}): void {
    remove(this.#call(place), { ...wish, dryRun: false });
  }

  /** Errors: those of deletecollection. */
  async deleteCollection(of: GroupResource, namespace: string, wish: DeleteWish): Promise<void> {
    const call = this.#call({ of, namespace, name: '' });
    const { features } = this.#cluster.options;
    const selectable = selectableFieldsOf(call.resource);
    const options = decodeListOptions({ query: NO_QUERY, selectable, features });
    await deleteCollection(call, options, { ...wish, dryRun: false });
  }

  #resource({ group, resource }: GroupResource): Resource {
    const found = this.#cluster.resources.findStored(group, resource);
    if (found === undefined) throw new Error(`nobody serves ${qualifiedName({ group, resource })}`);
    return found;
  }

  #call({ of, namespace, name }: ObjectPlace, subresource = ''): Call {
    if (this.#ended()) throw new Error('the controller has ended');
    return {
      cluster: this.#cluster,
      resource: this.#resource(of),
      subresource,
      namespace,
      name,
      largest: 0,
      user: this.#user,
      writer: this.#writer,
      warn: () => undefined,
    };
  }
}

/** As the verbs take it: canonical, with its defaults. */
function decoded(call: Call, object: ApiObject): ApiObject {
  const { resource } = inKindOfSubresource(call);
  const decoding = resource.codec.decode(object);
  if (!decoding.ok) throw new Error(`a controller writes no ${resource.kind}: ${decoding.error}`);
  return resource.fill(decoding.object, call.cluster.clock.now());
}

/** Whether an error is a Status of this reason. */
export const isRefusal = (error: unknown, reason: 'NotFound' | 'Conflict' | 'AlreadyExists'): boolean =>
  error instanceof StatusError && error.status.reason === reason;

/** Whether a namespace that ends was the reason of a refusal. */
export const isOfEndingNamespace = (error: unknown): boolean =>
  error instanceof StatusError &&
  (error.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
