/** The API's errors. Low floors throw StoreError; registry/store-status.ts turns those into these. */
import { apiVersionOf, qualifiedName, type GroupResource, type GroupVersionKind } from './kind.js';
import { type FieldError, fieldErrorText } from './field-error.js';
import { goQuote } from './revision.js';

/** HTTP code of each reason. Source: apimachinery api/errors/errors.go. */
export const CODE_OF = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServerTimeout: 500,
  StorageReadError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const;

export type StatusReason = keyof typeof CODE_OF;

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** Members stand in the order in which a server writes them. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  readonly code?: number;
}

export interface FailureParts {
  readonly code: number;
  readonly message: string;
  /** Absent for errors that a real server passes through as bare text (mostly 500). */
  readonly reason?: StatusReason | undefined;
  readonly details?: StatusDetails | undefined;
  /** Token in `metadata.continue`: only the 410 of an expired list has one. */
  readonly continueToken?: string | undefined;
}

/** Builds a failure; empty members of the details are left out, and so are reason and details when absent. */
export function failure(parts: FailureParts): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: parts.continueToken === undefined ? {} : { continue: parts.continueToken },
    status: 'Failure',
    message: parts.message,
    ...(parts.reason === undefined ? {} : { reason: parts.reason }),
    ...(parts.details === undefined ? {} : { details: orderedDetails(parts.details) }),
    code: parts.code,
  };
}

export function success(details: StatusDetails): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: orderedDetails(details),
  };
}

function orderedDetails(details: StatusDetails): StatusDetails {
  const { name, group, kind, uid, causes, retryAfterSeconds } = details;
  return {
    ...(name ? { name } : {}),
    ...(group ? { group } : {}),
    ...(kind ? { kind } : {}),
    ...(uid ? { uid } : {}),
    ...(causes && causes.length > 0 ? { causes } : {}),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  };
}

/** An API error on its way to the client. */
export class StatusError extends Error {
  readonly status: Status;
  constructor(status: Status, options?: ErrorOptions) {
    super(status.message, options);
    this.name = 'StatusError';
    this.status = status;
  }
  get code(): number {
    return this.status.code ?? 500;
  }
}

function fail(reason: StatusReason, message: string, details?: StatusDetails): StatusError {
  return new StatusError(failure({ code: CODE_OF[reason], reason, message, details }));
}

const named = (of: GroupResource, name: string): StatusDetails => ({
  name,
  group: of.group,
  kind: of.resource,
});

export const badRequest = (message: string): StatusError => fail('BadRequest', message);

export const unauthorized = (): StatusError => fail('Unauthorized', 'Unauthorized');

export const notFound = (of: GroupResource, name: string): StatusError =>
  fail('NotFound', `${qualifiedName(of)} ${goQuote(name)} not found`, named(of, name));

/** 404 below `/api/` and the built-in groups, for a path that names nothing. */
export const pathNotFound = (): StatusError =>
  fail('NotFound', 'the server could not find the requested resource', {});

export const alreadyExists = (of: GroupResource, name: string, terminating = false): StatusError =>
  fail(
    'AlreadyExists',
    `${terminating ? 'object is being deleted: ' : ''}${qualifiedName(of)} ${goQuote(name)} already exists`,
    named(of, name),
  );

export const generateNameExhausted = (of: GroupResource, name: string): StatusError =>
  fail(
    'AlreadyExists',
    `${qualifiedName(of)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`,
    { ...named(of, name), retryAfterSeconds: 1 },
  );

/** `why` follows the colon; `of.resource` may be a Kind, as delete preconditions have it. */
export const conflict = (of: GroupResource, name: string, why: string): StatusError =>
  fail(
    'Conflict',
    `Operation cannot be fulfilled on ${qualifiedName(of)} ${goQuote(name)}: ${why}`,
    named(of, name),
  );

export const MODIFIED_SINCE =
  'the object has been modified; please apply your changes to the latest version and try again';

export const forbiddenObject = (
  of: GroupResource,
  name: string,
  why: string,
  causes?: readonly StatusCause[],
): StatusError =>
  fail('Forbidden', `${qualifiedName(of)}${name === '' ? '' : ` ${goQuote(name)}`} is forbidden: ${why}`, {
    ...named(of, name),
    ...(causes === undefined ? {} : { causes }),
  });

/**
 * 422 with one cause per error. In the message equal texts appear once; in the causes each stays.
 * Source: apimachinery errors.go NewInvalid and its error aggregation.
 */
export function invalidObject(of: GroupResource, name: string, errors: readonly FieldError[]): StatusError {
  const texts = [...new Set(errors.map((error) => `${error.field}: ${fieldErrorText(error)}`))];
  const list = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
  return fail('Invalid', `${qualifiedName(of)} ${goQuote(name)} is invalid: ${list}`, {
    ...named(of, name),
    causes: errors.map((error) => ({
      reason: error.reason,
      message: fieldErrorText(error),
      field: error.field,
    })),
  });
}

/** 422 of one of the options kinds (ListOptions, CreateOptions, …). */
export const invalidOptions = (kind: string, errors: readonly FieldError[]): StatusError =>
  invalidObject({ group: 'meta.k8s.io', resource: kind }, '', errors);

export const methodNotAllowed = (): StatusError =>
  fail('MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

export const methodNotSupported = (of: GroupResource, verb: string): StatusError =>
  fail('MethodNotAllowed', `${verb} is not supported on resources of kind "${qualifiedName(of)}"`, {
    group: of.group,
    kind: of.resource,
  });

export const notAcceptable = (message: string, emptyDetails = false): StatusError =>
  fail('NotAcceptable', message, emptyDetails ? {} : undefined);

export const unsupportedMediaType = (message: string, emptyDetails = false): StatusError =>
  fail('UnsupportedMediaType', message, emptyDetails ? {} : undefined);

export const tooLargeEntity = (message: string): StatusError => fail('RequestEntityTooLarge', message);

export const expired = (message: string, continueToken?: string): StatusError =>
  new StatusError(failure({ code: 410, reason: 'Expired', message, continueToken }));

export const timeout = (message: string, details: StatusDetails = {}): StatusError =>
  fail('Timeout', `Timeout: ${message}`, details);

export const tooManyRequests = (message: string, retryAfterSeconds: number): StatusError =>
  fail('TooManyRequests', message, { retryAfterSeconds });

export const serviceUnavailable = (message: string): StatusError => fail('ServiceUnavailable', message);

export const internalError = (message: string, options?: ErrorOptions): StatusError =>
  new StatusError(
    failure({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${message}`,
      details: { causes: [{ message }] },
    }),
    options,
  );

/** An error that a real server passes through as bare text: no reason, no details. */
export const bareError = (code: number, message: string): StatusError =>
  new StatusError(failure({ code, message }));

/** The answer to any failing JSON patch: a 422 that says nothing. */
export const rejectedRequest = (): StatusError =>
  fail('Invalid', 'the server rejected our request due to an error in our request', {});

/** `apps/v1, Kind=Deployment`, as Go prints a GroupVersionKind. */
export const showKind = (kind: GroupVersionKind): string => `${apiVersionOf(kind)}, Kind=${kind.kind}`;
