/** The one owner reference that says who manages an object. */
import {
  arrayMember,
  booleanMember,
  isJsonObject,
  stringMember,
  type JsonObject,
} from '../../ground/json.js';
import { type ApiObject, nameOf, uidOf } from '../../ground/object.js';

/** Shape: undefined when nobody does. */
export const controllerOf = (object: ApiObject): JsonObject | undefined =>
  (arrayMember(object.metadata, 'ownerReferences') ?? [])
    .filter(isJsonObject)
    .find((one) => booleanMember(one, 'controller') === true);

export const isControlledBy = (object: ApiObject, owner: ApiObject): boolean =>
  stringMember(controllerOf(object), 'uid') === uidOf(owner);

export const controllerReference = (owner: ApiObject): JsonObject => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: nameOf(owner),
  uid: uidOf(owner),
  controller: true,
  blockOwnerDeletion: true,
});
