/** One object in the garbage collector's graph. */
import { type Identity, names, type OwnerReference } from './owner-reference.js';

export class Node {
  identity: Identity;
  owners: readonly OwnerReference[];
  readonly dependents = new Set<Node>();
  /** Known from references alone: nobody has seen the object itself yet. */
  virtual: boolean;
  beingDeleted = false;
  /** Terminating, until those that depend on it are gone. */
  deletingDependents = false;

  constructor(identity: Identity, owners: readonly OwnerReference[], virtual: boolean) {
    this.identity = identity;
    this.owners = owners;
    this.virtual = virtual;
  }

  /** The dependents that the owner waits for. */
  blockingDependents(): Node[] {
    const { uid } = this.identity;
    return [...this.dependents].filter(({ owners }) => owners.some((one) => one.uid === uid && one.blocks));
  }
}

/**
 * The dependents that call their owner by this identity, and those that call it otherwise. One whose references say both
 * is among both.
 */
export function partition(
  dependents: Iterable<Node>,
  owner: Identity,
): { readonly matching: readonly Node[]; readonly others: readonly Node[] } {
  const matching: Node[] = [];
  const others: Node[] = [];
  for (const dependent of dependents) {
    if (owner.namespace !== '' && owner.namespace !== dependent.identity.namespace) {
      others.push(dependent);
      continue;
    }
    const references = dependent.owners.filter(({ uid }) => uid === owner.uid);
    if (references.some((one) => names(one, owner))) matching.push(dependent);
    if (references.some((one) => !names(one, owner))) others.push(dependent);
  }
  return { matching, others };
}
