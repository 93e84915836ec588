/** Where a write happens, as far as ownership goes: one version of a resource, or a subresource of it. */
import { type MemberOrder } from '../ground/object-meta.js';
import { type ApiObject } from '../ground/object.js';
import { type SchemaNode } from '../schema/schema-node.js';
import { type FieldFilter } from './field-filter.js';
import { showTypedErrors, typedErrors } from './typed-errors.js';

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

/**
 * An object in a version, seen to fit that version's schema; in the scope's own version as it is.
 *
 * Errors: ConversionError, its message after `doing`. Source: apimachinery managedfields/internal/versionconverter.go.
 */
export function inVersion(
  scope: OwnershipScope,
  object: ApiObject,
  apiVersion: string,
  doing = '',
): VersionedObject | undefined {
  if (object.apiVersion === apiVersion && apiVersion === scope.apiVersion)
    return { object, schema: scope.schema };
  const prefix = doing === '' ? '' : `${doing}: `;
  const found = converted(scope, object, apiVersion, prefix);
  if (found === undefined || object.apiVersion === apiVersion) return found;
  const errors = typedErrors(found.schema, found.object, 'once');
  if (errors.length > 0) throw new ConversionError(prefix + showTypedErrors(errors));
  return found;
}

function converted(
  scope: OwnershipScope,
  object: ApiObject,
  apiVersion: string,
  prefix: string,
): VersionedObject | undefined {
  try {
    return scope.convert(object, apiVersion);
  } catch (error) {
    if (error instanceof ConversionError) throw new ConversionError(prefix + error.message);
    throw error;
  }
}

/** An object cannot be had in a version that somebody owns fields in. The message is what an apply answers. */
export class ConversionError extends Error {}
