/** Where a write happens, as far as ownership goes: one version of a resource, or a subresource of it. */
import { type MemberOrder } from '../ground/object-meta.js';
import { type ApiObject } from '../ground/object.js';
import { type SchemaNode } from '../schema/schema-node.js';
import { type FieldFilter } from './field-filter.js';

/** An object in a version, with what that version's schema says of it. */
export interface VersionedObject {
  readonly object: ApiObject;
  readonly schema: SchemaNode;
}

export interface OwnershipScope {
  /** `apps/v1`: of the path, and of the objects that are written there. */
  readonly apiVersion: string;
  readonly kind: string;
  /** `''` for the main resource. */
  readonly subresource: string;
  readonly schema: SchemaNode;
  /** How the resource's objects are written. */
  readonly order: MemberOrder;
  /** What the endpoint ignores of a version's fields; undefined: nothing. */
  readonly filterOf: (apiVersion: string) => FieldFilter | undefined;
  /**
   * An object of the scope's version (or of any other of the resource) in another version; undefined when there is no
   * such version (any more): owners by it are forgotten.
   *
   * Errors: ConversionError where a real server's conversion fails.
   */
  readonly convert: (object: ApiObject, apiVersion: string) => VersionedObject | undefined;
  /** Why a real server cannot take an apply that changes something here (the scale of custom resources); absent elsewhere. */
  readonly refusesApplied?: string;
}

/** An object cannot be had in a version that somebody owns fields in. The message is what an apply answers. */
export class ConversionError extends Error {}
