/** What a change of an object does to those who own its fields. */
import { type ApiObject } from '../ground/object.js';
import { type SchemaNode } from '../schema/schema-node.js';
import { type ChangedFields, changedFields } from './changed-fields.js';
import { type FieldSet, difference, intersection, union } from './field-set.js';
import { type Owner, type Owners } from './managed-fields.js';
import { type OwnershipScope, inVersion } from './ownership-scope.js';
import { reconciled } from './set-schema.js';

/** `added` and `modified` together: what is somebody else's no longer. */
const written = (changed: ChangedFields): FieldSet => union(changed.modified, changed.added);

const nothing = (changed: ChangedFields): boolean =>
  changed.added.empty && changed.modified.empty && changed.removed.empty;

/** Sets that have been brought up to a schema, each as it came out. */
export type ReconciledSets = WeakMap<SchemaNode, WeakMap<FieldSet, FieldSet>>;

/**
 * The owners with sets as the schemas have them now; those by a version that is gone are left out.
 *
 * Shape: the very owners when nothing is new.
 */
export function broughtUp(
  scope: OwnershipScope,
  live: ApiObject,
  owners: Owners,
  memo: ReconciledSets,
): Owners {
  let next: Map<string, Owner> | undefined;
  for (const [id, owner] of owners) {
    const schema =
      owner.apiVersion === scope.apiVersion ? scope.schema : inVersion(scope, live, owner.apiVersion)?.schema;
    if (schema === undefined) {
      (next ??= new Map(owners)).delete(id);
      continue;
    }
    let sets = memo.get(schema);
    if (sets === undefined) memo.set(schema, (sets = new WeakMap()));
    let set = sets.get(owner.set);
    if (set === undefined) sets.set(owner.set, (set = reconciled(owner.set, schema)));
    if (set !== owner.set) (next ??= new Map(owners)).set(id, { ...owner, set });
  }
  return next ?? owners;
}

export interface Settled {
  readonly owners: Owners;
  /** In the scope's version, without what the endpoint ignores. */
  readonly changed: ChangedFields;
  /** Per owner what somebody else writes now; in `owners` it is taken from them. */
  readonly conflicts: ReadonlyMap<string, FieldSet>;
}

/**
 * Takes from everybody but `except` what a change writes or removes. Who owns nothing then is left out.
 *
 * Source: structured-merge-diff merge/update.go update.
 */
export function settleOwners(
  scope: OwnershipScope,
  live: ApiObject,
  next: ApiObject,
  owners: Owners,
  except?: string,
): Settled {
  const changes = new Map<string, ChangedFields | undefined>();
  const inVersion = (apiVersion: string): ChangedFields | undefined => {
    const filter = scope.filterOf(apiVersion);
    const raw = changedIn(scope, live, next, apiVersion);
    return raw === undefined || filter === undefined || nothing(raw)
      ? raw
      : { added: filter(raw.added), removed: filter(raw.removed), modified: filter(raw.modified) };
  };
  const changedOf = (apiVersion: string): ChangedFields | undefined => {
    if (!changes.has(apiVersion)) changes.set(apiVersion, inVersion(apiVersion));
    return changes.get(apiVersion);
  };
  const changed = changedOf(scope.apiVersion);
  if (changed === undefined) throw new Error(`no schema of the path's own version ${scope.apiVersion}`);

  let left: Map<string, Owner> | undefined;
  const conflicts = new Map<string, FieldSet>();
  for (const [id, owner] of owners) {
    const theirs = id === except ? undefined : changedOf(owner.apiVersion);
    if (id !== except && theirs === undefined) {
      (left ??= new Map(owners)).delete(id);
      continue;
    }
    let { set } = owner;
    if (theirs !== undefined && !nothing(theirs)) {
      const taken = intersection(set, written(theirs));
      if (!taken.empty) conflicts.set(id, taken);
      set = difference(difference(set, taken), theirs.removed);
    }
    if (set.empty) (left ??= new Map(owners)).delete(id);
    else if (set !== owner.set) (left ??= new Map(owners)).set(id, { ...owner, set });
  }
  return { owners: left ?? owners, changed, conflicts };
}

function changedIn(
  scope: OwnershipScope,
  live: ApiObject,
  next: ApiObject,
  apiVersion: string,
): ChangedFields | undefined {
  if (apiVersion === scope.apiVersion) return changedFields(scope.schema, live, next);
  const before = inVersion(scope, live, apiVersion, 'failed to convert old object');
  const after = inVersion(scope, next, apiVersion, 'failed to convert new object');
  return before === undefined || after === undefined
    ? undefined
    : changedFields(before.schema, before.object, after.object);
}
