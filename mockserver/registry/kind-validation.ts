/** Validation of one kind beyond its schema and metadata: small functions, one file per kind under kinds/. */
import { type FieldError } from '../ground/field-error.js';
import { type ApiObject } from '../ground/object.js';
import { Findings } from '../schema/validation/findings.js';
import { type KindContext } from './kind-context.js';
import { type WriteRequest } from './kind-rules.js';

/**
 * What is found stands in the order in which a real server finds it. Objects are complete: decoded, with defaults, and
 * in the stored version.
 */
export interface KindValidation {
  readonly group: string;
  readonly resource: string;
  /** Of a create, what stands before the errors of metadata: it asks for more than the object. */
  readonly refuse?: (found: Findings, object: ApiObject, context: KindContext) => void;
  readonly create?: (found: Findings, object: ApiObject, request: WriteRequest) => void;
  /** Of the main resource. */
  readonly update?: (found: Findings, next: ApiObject, previous: ApiObject, request: WriteRequest) => void;
  readonly status?: (found: Findings, next: ApiObject, previous: ApiObject) => void;
  /**
   * Texts of `Warning` headers of a write that is valid.
   * @param previous undefined on a create
   */
  readonly warnings?: (next: ApiObject, previous: ApiObject | undefined) => readonly string[];
}

const NOTHING: readonly FieldError[] = Object.freeze([]);

/** Shape: as createErrors. */
export function refusalErrors(
  validation: KindValidation | undefined,
  object: ApiObject,
  context: KindContext,
): readonly FieldError[] {
  if (validation?.refuse === undefined) return NOTHING;
  const found = new Findings();
  validation.refuse(found, object, context);
  return found.errors;
}

/** Shape: empty when the object is good, or when nobody validates it. */
export function createErrors(
  validation: KindValidation | undefined,
  object: ApiObject,
  request: WriteRequest,
): readonly FieldError[] {
  if (validation?.create === undefined || request.subresource !== '') return NOTHING;
  const found = new Findings();
  validation.create(found, object, request);
  return found.errors;
}

/** As createErrors, for the main resource and the status. */
export function updateErrors(
  validation: KindValidation | undefined,
  next: ApiObject,
  previous: ApiObject,
  request: WriteRequest,
): readonly FieldError[] {
  if (validation === undefined) return NOTHING;
  const found = new Findings();
  if (request.subresource === '') validation.update?.(found, next, previous, request);
  else if (request.subresource === 'status') validation.status?.(found, next, previous);
  return found.errors;
}
