/** Who depends on whom, as the garbage collector has learned it from the changes it saw. */
import { type ApiObject, deletionTimestampOf, finalizersOf } from '../../ground/object.js';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../../registry/deletion-plan.js';
import { Node, partition } from './node.js';
import {
  type Identity,
  identityBy,
  identityOf,
  names,
  ownerChanges,
  type OwnerReference,
  ownersOf,
  sameIdentity,
} from './owner-reference.js';

/** What follows from a change. */
export interface GraphListener {
  /** The object may have to go, or may have waited long enough. */
  considerDeletion(node: Node): void;
  considerOrphaning(node: Node): void;
  /** A namespaced owner is somewhere else than the dependent. */
  foreignOwner(dependent: Node, reference: OwnerReference): void;
}

/** Source: kubernetes pkg/controller/garbagecollector/graph_builder.go. */
export class Graph {
  readonly #nodes = new Map<string, Node>();
  readonly #listener: GraphListener;

  constructor(listener: GraphListener) {
    this.#listener = listener;
  }

  node(uid: string): Node | undefined {
    return this.#nodes.get(uid);
  }

  /** An object was created or changed. */
  seen(object: ApiObject, previous: ApiObject | undefined): void {
    const identity = identityOf(object);
    const known = this.#nodes.get(identity.uid);
    if (known?.virtual === true) this.#observe(known, identity);
    if (known === undefined) this.#insert(object, identity, previous);
    else this.#change(known, object, previous);
  }

  /** An object is gone. */
  gone(object: ApiObject): void {
    const node = this.#nodes.get(identityOf(object).uid);
    if (node !== undefined) this.#remove(node);
  }

  /** A look has shown that there is no such object. */
  absent(identity: Identity): void {
    const node = this.#nodes.get(identity.uid);
    if (node === undefined) return;
    if (!node.virtual) {
      if (sameIdentity(node.identity, identity)) this.#remove(node);
      else this.#consider(partition(node.dependents, identity).matching);
      return;
    }
    const { matching, others } = partition(node.dependents, identity);
    if (others.length === 0) {
      this.#remove(node);
      return;
    }
    // Some know the owner by another name, under which it may yet be found.
    this.#consider(matching);
    if (!sameIdentity(node.identity, identity)) return;
    const alternate = alternateIdentity(others, identity);
    if (alternate === undefined) return;
    node.identity = alternate;
    this.#listener.considerDeletion(node);
  }

  #consider(nodes: Iterable<Node>): void {
    for (const node of nodes) this.#listener.considerDeletion(node);
  }

  #observe(node: Node, identity: Identity): void {
    node.virtual = false;
    if (sameIdentity(node.identity, identity)) return;
    for (const dependent of partition(node.dependents, identity).others) {
      if (identity.namespace !== '' && dependent.identity.namespace !== identity.namespace)
        this.#reportForeign(dependent, identity.uid);
      this.#listener.considerDeletion(dependent);
    }
    node.identity = identity;
  }

  #insert(object: ApiObject, identity: Identity, previous: ApiObject | undefined): void {
    const node = new Node(identity, ownersOf(object), false);
    node.beingDeleted = deletionTimestampOf(object) !== undefined;
    node.deletingDependents = waits(object, FOREGROUND_FINALIZER);
    this.#nodes.set(identity.uid, node);
    this.#addToOwners(node, node.owners);
    this.#transition(node, object, previous);
  }

  #change(node: Node, object: ApiObject, previous: ApiObject | undefined): void {
    const owners = ownersOf(object);
    const changes = ownerChanges(node.owners, owners);
    if (changes !== undefined) {
      const { added, removed, unblocked } = changes;
      for (const reference of [...removed.filter(({ blocks }) => blocks), ...unblocked]) {
        const owner = this.#nodes.get(reference.uid);
        if (owner !== undefined) this.#listener.considerDeletion(owner);
      }
      node.owners = owners;
      this.#addToOwners(node, added);
      for (const { uid } of removed) this.#nodes.get(uid)?.dependents.delete(node);
    }
    if (deletionTimestampOf(object) !== undefined) node.beingDeleted = true;
    this.#transition(node, object, previous);
  }

  /** Source: graph_builder.go, processTransitions. */
  #transition(node: Node, object: ApiObject, previous: ApiObject | undefined): void {
    if (begins(object, previous, ORPHAN_FINALIZER)) {
      this.#listener.considerOrphaning(node);
      return;
    }
    if (!begins(object, previous, FOREGROUND_FINALIZER)) return;
    node.deletingDependents = true;
    this.#consider(node.dependents);
    this.#listener.considerDeletion(node);
  }

  #remove(node: Node): void {
    this.#nodes.delete(node.identity.uid);
    for (const { uid } of node.owners) this.#nodes.get(uid)?.dependents.delete(node);
    this.#consider(node.dependents);
    for (const { uid } of node.owners) {
      const owner = this.#nodes.get(uid);
      if (owner?.deletingDependents === true) this.#listener.considerDeletion(owner);
    }
  }

  /** Source: graph_builder.go, addDependentToOwners. */
  #addToOwners(node: Node, references: readonly OwnerReference[]): void {
    let doubtful = false;
    for (const reference of references) {
      const owner = this.#nodes.get(reference.uid);
      if (owner !== undefined) {
        owner.dependents.add(node);
        doubtful = doubtful || this.#isDoubtful(node, owner, reference);
        continue;
      }
      const virtual = new Node(identityBy(reference, node.identity.namespace), [], true);
      virtual.dependents.add(node);
      this.#nodes.set(reference.uid, virtual);
      this.#listener.considerDeletion(virtual);
    }
    if (doubtful) this.#listener.considerDeletion(node);
  }

  /** Whether a known owner may be another object than the one that is meant. */
  #isDoubtful(node: Node, owner: Node, reference: OwnerReference): boolean {
    const elsewhere = owner.identity.namespace !== node.identity.namespace;
    if (owner.identity.namespace !== '' && elsewhere) {
      if (!owner.virtual) this.#reportForeign(node, reference.uid);
      return true;
    }
    if (!names(reference, owner.identity)) return true;
    // Seen from here, an owner that nobody has seen is expected in this namespace.
    return elsewhere && owner.virtual;
  }

  #reportForeign(dependent: Node, uid: string): void {
    const reference = dependent.owners.find((one) => one.uid === uid);
    if (reference !== undefined) this.#listener.foreignOwner(dependent, reference);
  }
}

const waits = (object: ApiObject | undefined, finalizer: string): boolean =>
  object !== undefined &&
  deletionTimestampOf(object) !== undefined &&
  finalizersOf(object).includes(finalizer);

const begins = (object: ApiObject, previous: ApiObject | undefined, finalizer: string): boolean =>
  waits(object, finalizer) && !waits(previous, finalizer);

/**
 * Another name under which the dependents look for an owner that is not there under this one: the next in order, so that
 * all get their turn. Source: graph_builder.go, getAlternateOwnerIdentity.
 */
function alternateIdentity(dependents: readonly Node[], absent: Identity): Identity | undefined {
  const found = new Map<string, Identity>();
  for (const { owners, identity } of dependents) {
    for (const reference of owners.filter(({ uid }) => uid === absent.uid)) {
      const clusterScoped =
        absent.namespace === '' &&
        reference.apiVersion === absent.apiVersion &&
        reference.kind === absent.kind;
      const other = identityBy(reference, clusterScoped ? '' : identity.namespace);
      if (!sameIdentity(other, absent)) found.set(orderOf(other), other);
    }
  }
  const orders = [...found.keys()].sort();
  const next = orders.find((order) => order > orderOf(absent)) ?? orders[0];
  return next === undefined ? undefined : found.get(next);
}

const orderOf = ({ kind, apiVersion, namespace, name, uid }: Identity): string =>
  [kind, apiVersion, namespace, name, uid].join('\0');
