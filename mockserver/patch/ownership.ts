/** What the verbs ask about ownership: one object per cluster, which holds the sets that its objects share. */
import { type JsonArray, isJsonArray, jsonEqual } from '../ground/json.js';
import { type ApiObject, withMetadata } from '../ground/object.js';
import { bareError } from '../ground/status.js';
import { type MemberOrder } from '../ground/object-meta.js';
import { type SchemaNode } from '../schema/schema-node.js';
import { type ApplyRequest, type ApplyResult, applyObject } from './apply.js';
import { type FieldSet } from './field-set.js';
import { FieldSetTable } from './fields-v1.js';
import { type Owner, type Owners, ManagedFields, sameButForTimes } from './managed-fields.js';
import { type OwnershipScope, ConversionError } from './ownership-scope.js';
import { type UpdateToTrack, managedFieldsAfterUpdate } from './ownership-update.js';
import { type ReplicasPaths, ownersAfterScale, ownersOfScale } from './scale-ownership.js';

export interface Ownership {
  /**
   * The managedFields of an object that is being created or updated (by all patches too but apply).
   *
   * Shape: frozen and shared; undefined for none; the live object's own list when nothing changed hands.
   */
  track(scope: OwnershipScope, update: UpdateToTrack): JsonArray | undefined;
  /**
   * Applies a partial object: what comes out, not yet decoded, and its managedFields.
   *
   * Errors: those of `applyObject`.
   */
  apply(scope: OwnershipScope, request: ApplyRequest): ApplyResult;
  /** The managedFields of a resource's scale, for the object that the scale's writers see. */
  ofScale(parent: ApiObject, paths: ReplicasPaths): JsonArray | undefined;
  /**
   * The managedFields of a resource whose scale has been written.
   *
   * @param scale the managedFields of the scale after the write.
   * @param apiVersion of the resource, in the request's path.
   */
  afterScale(
    parent: ApiObject,
    scale: JsonArray | undefined,
    paths: ReplicasPaths,
    apiVersion: string,
    order: MemberOrder,
  ): JsonArray | undefined;
}

export function createOwnership(): Ownership {
  const fields = new ManagedFields(new FieldSetTable());
  const memo = new WeakMap<SchemaNode, WeakMap<FieldSet, FieldSet>>();
  const ownersIn = (list: ApiObject[string] | undefined): Owners => {
    const reading = fields.read(list);
    return reading.ok ? reading.owners : new Map<string, Owner>();
  };
  return {
    track: (scope, update) => managedFieldsAfterUpdate(fields, scope, update, memo),
    apply: (scope, request) => {
      try {
        return applyObject(fields, scope, request, memo);
      } catch (error) {
        if (error instanceof ConversionError) throw bareError(500, error.message);
        throw error;
      }
    },
    ofScale: (parent, paths) =>
      fields.write(ownersOfScale(ownersIn(parent.metadata['managedFields']), paths), 'typed'),
    afterScale: (parent, scale, paths, apiVersion, order) =>
      fields.writeFromScale(
        ownersAfterScale(ownersIn(parent.metadata['managedFields']), ownersIn(scale), paths, apiVersion),
        order,
      ),
  };
}

/**
 * The object with the times of its owners as they were, when nothing but times is new: so it is not written.
 * Source: apiserver endpoints/handlers/fieldmanager/equality.go.
 */
export function withOldTimes(next: ApiObject, current: ApiObject): ApiObject {
  const before = current.metadata['managedFields'];
  const after = next.metadata['managedFields'];
  if (before === after || !isJsonArray(before) || !isJsonArray(after)) return next;
  if (!sameButForTimes(before, after)) return next;
  const old = withMetadata(next, { ...next.metadata, managedFields: before });
  return jsonEqual(old, current) ? old : next;
}
