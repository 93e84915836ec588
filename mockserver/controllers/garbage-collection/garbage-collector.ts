/** The garbage collector: what nobody owns any more goes, owners wait for their dependents or let them stay. */
import { type JsonObject } from '../../ground/json.js';
import { type GroupResource, parseApiVersion, qualifiedName } from '../../ground/kind.js';
import { type ApiObject, deletionTimestampOf, finalizersOf, uidOf } from '../../ground/object.js';
import {
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
  type PropagationPolicy,
} from '../../registry/deletion-plan.js';
import { groupResourceOf, type Resource } from '../../registry/resource.js';
import { isRefusal, type ObjectPlace } from '../client.js';
import { type Controller, type ControllerFrame, type Pieces } from '../controller.js';
import { type EventRecorder } from '../event-recorder.js';
import { type WorkQueue } from '../work-queue.js';
import { Graph } from './graph.js';
import { type Node } from './node.js';
import { type Identity, type OwnerReference, ownersOf } from './owner-reference.js';

const NAME = 'garbage-collector-controller';
const DEFINITIONS = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' } as const;
/** Events own nothing and are owned by nobody. Source: graph_builder.go, ignoredResources. */
const IGNORED: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io']);

export const garbageCollector: Controller = {
  name: NAME,
  start: (frame) => new GarbageCollector(frame),
};

/** A reference whose owner cannot be looked for: its kind is unknown, or it cannot own what refers to it. */
type Lookup =
  | { readonly kind: 'found'; readonly owner: ApiObject }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown kind' }
  | { readonly kind: 'out of reach' };

interface Classified {
  readonly solid: readonly OwnerReference[];
  readonly dangling: readonly OwnerReference[];
  /** Their owners are terminating and wait for this dependent. */
  readonly waiting: readonly OwnerReference[];
}

/** Source: kubernetes pkg/controller/garbagecollector/garbagecollector.go. */
class GarbageCollector {
  readonly #frame: ControllerFrame;
  readonly #graph: Graph;
  readonly #deletions: WorkQueue<Node>;
  readonly #orphanings: WorkQueue<Node>;
  readonly #events: EventRecorder;
  /** What ends following a resource, by its name. */
  readonly #followed = new Map<string, () => void>();
  readonly #resources = new Map<string, Resource | undefined>();
  #generation = -1;
  /** Looked at again when kinds have come. */
  readonly #ofUnknownKind = new Set<Node>();

  constructor(frame: ControllerFrame) {
    this.#frame = frame;
    this.#events = frame.events(NAME);
    this.#deletions = frame.queue((node) => this.#attemptToDelete(node));
    this.#orphanings = frame.queue((node) => this.#orphanDependents(node));
    this.#graph = new Graph({
      considerDeletion: (node) => this.#deletions.add(node),
      considerOrphaning: (node) => this.#orphanings.add(node),
      foreignOwner: (dependent, reference) => this.#reportForeign(dependent.identity, reference),
    });
    frame.follow(DEFINITIONS, () => this.#followAll());
    this.#followAll();
  }

  /** Follows the resources that there are now. */
  #followAll(): void {
    const { resources } = this.#frame.cluster;
    const present = new Map<string, GroupResource>();
    for (const resource of resources) {
      const of = groupResourceOf(resource);
      const deletable = ['delete', 'list', 'watch'].every((verb) => resource.verbs.includes(verb));
      if (deletable && resource.conversion === undefined && !IGNORED.has(qualifiedName(of)))
        present.set(`${resource.store.prefix} ${qualifiedName(of)}`, of);
    }
    for (const [name, end] of this.#followed) {
      if (present.has(name)) continue;
      end();
      this.#followed.delete(name);
    }
    for (const [name, of] of present)
      if (!this.#followed.has(name)) this.#followed.set(name, this.#follow(of));
    for (const node of this.#ofUnknownKind) this.#deletions.add(node);
    this.#ofUnknownKind.clear();
  }

  #follow(of: GroupResource): () => void {
    return this.#frame.follow(of, (next, previous) => {
      if (next !== undefined) this.#graph.seen(next, previous);
      else if (previous !== undefined) this.#graph.gone(previous);
    });
  }

  #attemptToDelete(node: Node): void {
    if (node.virtual && this.#graph.node(node.identity.uid) !== node) return;
    if (node.beingDeleted && !node.deletingDependents) return;
    const { identity } = node;
    const latest = this.#look(identity, identity.namespace);
    switch (latest.kind) {
      case 'absent':
        this.#graph.absent(identity);
        return;
      case 'unknown kind':
        this.#ofUnknownKind.add(node);
        return;
      case 'out of reach':
        return;
      case 'found':
        if (node.deletingDependents) this.#awaitDependents(node);
        else this.#deleteUnowned(node, latest.owner);
        // It is there, but its creation is still to be taken in.
        if (node.virtual) this.#deletions.retry(node);
        else this.#deletions.forget(node);
    }
  }

  /** Lets a waiting owner go when nothing blocks it any more. */
  #awaitDependents(node: Node): void {
    const blocking = node.blockingDependents();
    if (blocking.length === 0) this.#removeFinalizer(node.identity, FOREGROUND_FINALIZER);
    for (const dependent of blocking) if (!dependent.deletingDependents) this.#deletions.add(dependent);
  }

  #deleteUnowned(node: Node, latest: ApiObject): void {
    const references = ownersOf(latest);
    if (references.length === 0) return;
    const classified = this.#classified(node, references);
    if (classified === undefined) return;
    const { solid, dangling, waiting } = classified;
    if (solid.length > 0) {
      const lost = [...dangling, ...waiting].map(({ uid }) => uid);
      if (lost.length > 0) this.#removeOwners(node.identity, lost);
    } else if (waiting.length > 0 && node.dependents.size > 0) {
      // A dependent that waits as well is waited for in turn: the circle is cut here.
      if ([...node.dependents].some(({ deletingDependents }) => deletingDependents))
        this.#unblockOwners(node);
      this.#delete(node.identity, latest, 'Foreground');
    } else {
      this.#delete(node.identity, latest, policyOf(latest));
    }
  }

  /** Undefined when nothing can be said yet, or ever. */
  #classified(node: Node, references: readonly OwnerReference[]): Classified | undefined {
    const solid: OwnerReference[] = [];
    const dangling: OwnerReference[] = [];
    const waiting: OwnerReference[] = [];
    for (const reference of references) {
      const found = this.#look(reference, node.identity.namespace);
      if (found.kind === 'unknown kind') {
        this.#ofUnknownKind.add(node);
        return undefined;
      }
      if (found.kind === 'out of reach') return undefined;
      if (found.kind === 'absent') dangling.push(reference);
      else if (isWaiting(found.owner)) waiting.push(reference);
      else solid.push(reference);
    }
    return { solid, dangling, waiting };
  }

  /** The object of that name and uid, in the namespace of whoever refers to it if its kind lives in namespaces. */
  #look(wanted: Pick<Identity, 'apiVersion' | 'kind' | 'name' | 'uid'>, namespace: string): Lookup {
    const resource = this.#resourceOf(wanted);
    if (resource === undefined) return { kind: 'unknown kind' };
    if (resource.namespaced && namespace === '') return { kind: 'out of reach' };
    const owner = this.#frame.client.get(placeOf(resource, namespace, wanted.name));
    return owner === undefined || uidOf(owner) !== wanted.uid ? { kind: 'absent' } : { kind: 'found', owner };
  }

  *#orphanDependents(node: Node): Pieces {
    const { uid } = node.identity;
    for (const dependent of node.dependents) {
      try {
        this.#removeOwners(dependent.identity, [uid]);
      } catch (error) {
        if (!isRefusal(error, 'NotFound')) throw error;
      }
      yield;
    }
    this.#removeFinalizer(node.identity, ORPHAN_FINALIZER);
    this.#orphanings.forget(node);
  }

  /** Errors: 409 when somebody else was faster, after which the object is looked at again. */
  #delete(identity: Identity, latest: ApiObject, propagationPolicy: PropagationPolicy): void {
    const place = this.#placeOf(identity);
    if (place === undefined) return;
    const { uid } = identity;
    const version = latest.metadata['resourceVersion'];
    const resourceVersion = typeof version === 'string' ? { resourceVersion: version } : {};
    try {
      this.#frame.client.delete(place, { preconditions: { uid, ...resourceVersion }, propagationPolicy });
    } catch (error) {
      if (!isRefusal(error, 'NotFound')) throw error;
      this.#graph.absent(identity);
    }
  }

  #removeOwners(identity: Identity, uids: readonly string[]): void {
    const strategic = { uid: identity.uid, ownerReferences: uids.map((uid) => ({ $patch: 'delete', uid })) };
    this.#patchOwners(identity, strategic, (live) =>
      ownersOf(live)
        .filter(({ uid }) => !uids.includes(uid))
        .map(({ json }) => json),
    );
  }

  #unblockOwners({ identity, owners }: Node): void {
    const unblocked = ({ json }: OwnerReference): JsonObject => ({ ...json, blockOwnerDeletion: false });
    const strategic = {
      uid: identity.uid,
      ownerReferences: owners.filter(({ blocks }) => blocks).map(unblocked),
    };
    this.#patchOwners(identity, strategic, () => owners.map(unblocked));
  }

  /** Custom resources take no strategic merge patch: theirs names all references that stay. */
  #patchOwners(
    identity: Identity,
    strategic: JsonObject,
    left: (live: ApiObject) => readonly JsonObject[],
  ): void {
    const place = this.#placeOf(identity);
    if (place === undefined) return;
    const { client } = this.#frame;
    if (client.takesStrategicPatches(place.of)) {
      client.patch(place, 'strategic', { metadata: strategic });
      return;
    }
    const live = client.get(place);
    if (live === undefined) return;
    const ownerReferences = left(live);
    const { resourceVersion } = live.metadata;
    client.patch(place, 'merge', {
      metadata: {
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
        ownerReferences: ownerReferences.length === 0 ? null : ownerReferences,
      },
    });
  }

  #removeFinalizer(identity: Identity, finalizer: string): void {
    const place = this.#placeOf(identity);
    const live = place && this.#frame.client.get(place);
    if (place === undefined || live === undefined || !finalizersOf(live).includes(finalizer)) return;
    const left = finalizersOf(live).filter((one) => one !== finalizer);
    const { resourceVersion } = live.metadata;
    this.#frame.client.patch(place, 'merge', {
      metadata: {
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
        finalizers: left.length === 0 ? null : left,
      },
    });
  }

  #reportForeign(dependent: Identity, { apiVersion, kind, name, uid }: OwnerReference): void {
    const { namespace } = dependent;
    this.#events.record(
      {
        apiVersion: dependent.apiVersion,
        kind: dependent.kind,
        metadata: {
          name: dependent.name,
          uid: dependent.uid,
          ...(namespace === '' ? {} : { namespace }),
        },
      },
      {
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: `ownerRef [${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}] does not exist in namespace ${JSON.stringify(namespace)}`,
      },
    );
  }

  #placeOf(identity: Identity): ObjectPlace | undefined {
    const resource = this.#resourceOf(identity);
    return resource && placeOf(resource, identity.namespace, identity.name);
  }

  /** Kinds are looked up often and change seldom. */
  #resourceOf({ apiVersion, kind }: Pick<Identity, 'apiVersion' | 'kind'>): Resource | undefined {
    const { resources } = this.#frame.cluster;
    if (this.#generation !== resources.generation) {
      this.#generation = resources.generation;
      this.#resources.clear();
    }
    const key = `${apiVersion} ${kind}`;
    if (!this.#resources.has(key)) {
      const version = parseApiVersion(apiVersion);
      this.#resources.set(key, version && resources.findKind({ ...version, kind }));
    }
    return this.#resources.get(key);
  }
}

const placeOf = (resource: Resource, namespace: string, name: string): ObjectPlace => ({
  of: resource.store.groupResource,
  namespace: resource.namespaced ? namespace : '',
  name,
});

const isWaiting = (owner: ApiObject): boolean =>
  deletionTimestampOf(owner) !== undefined && finalizersOf(owner).includes(FOREGROUND_FINALIZER);

/** An object that has a finalizer of the collector already is deleted as that says. */
function policyOf(object: ApiObject): PropagationPolicy {
  const finalizers = finalizersOf(object);
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan';
  return finalizers.includes(FOREGROUND_FINALIZER) ? 'Foreground' : 'Background';
}
