/** Owner references as the garbage collector reads them. */
import {
  arrayMember,
  booleanMember,
  isJsonObject,
  jsonEqual,
  stringMember,
  type JsonObject,
} from '../../ground/json.js';
import { type ApiObject, nameOf, namespaceOf, uidOf } from '../../ground/object.js';

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blocks: boolean;
  /** As it stands in the object. */
  readonly json: JsonObject;
}

/** What an object is called: by its own metadata, or by those who refer to it. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

const NONE: readonly OwnerReference[] = Object.freeze([]);

export function ownersOf(object: ApiObject): readonly OwnerReference[] {
  const list = arrayMember(object.metadata, 'ownerReferences');
  if (list === undefined) return NONE;
  return list.filter(isJsonObject).map((json) => ({
    apiVersion: stringMember(json, 'apiVersion') ?? '',
    kind: stringMember(json, 'kind') ?? '',
    name: stringMember(json, 'name') ?? '',
    uid: stringMember(json, 'uid') ?? '',
    blocks: booleanMember(json, 'blockOwnerDeletion') === true,
    json,
  }));
}

export const identityOf = (object: ApiObject): Identity => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  namespace: namespaceOf(object),
  name: nameOf(object),
  uid: uidOf(object),
});

/** The identity that a reference gives its owner, seen from a namespace. */
export const identityBy = ({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): Identity => ({
  apiVersion,
  kind,
  namespace,
  name,
  uid,
});

/** Whether a reference calls the owner what it is called, its namespace left aside. */
export const names = (reference: OwnerReference, identity: Identity): boolean =>
  reference.uid === identity.uid &&
  reference.name === identity.name &&
  reference.kind === identity.kind &&
  reference.apiVersion === identity.apiVersion;

export const sameIdentity = (a: Identity, b: Identity): boolean =>
  a.namespace === b.namespace &&
  a.uid === b.uid &&
  a.name === b.name &&
  a.kind === b.kind &&
  a.apiVersion === b.apiVersion;

export interface OwnerChanges {
  readonly added: readonly OwnerReference[];
  readonly removed: readonly OwnerReference[];
  /** Those that blocked their owner and do so no more, though they stay. */
  readonly unblocked: readonly OwnerReference[];
}

/** Shape: undefined when the references are the same. */
export function ownerChanges(
  before: readonly OwnerReference[],
  after: readonly OwnerReference[],
): OwnerChanges | undefined {
  if (before.length === 0 && after.length === 0) return undefined;
  const known = new Map(before.map((one) => [one.uid, one]));
  const kept = new Set(after.map(({ uid }) => uid));
  const added = after.filter(({ uid }) => !known.has(uid));
  const removed = before.filter(({ uid }) => !kept.has(uid));
  const changed = after.filter((one) => {
    const old = known.get(one.uid);
    return old !== undefined && !jsonEqual(old.json, one.json);
  });
  if (added.length + removed.length + changed.length === 0) return undefined;
  const unblocked = changed.filter((one) => !one.blocks && known.get(one.uid)?.blocks === true);
  return { added, removed, unblocked };
}
