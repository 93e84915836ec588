/** The only place that turns a thrown error into an answer. */
import { jsonObject, type JsonObject } from '../ground/json.js';
import { StatusError, internalError, type Status } from '../ground/status.js';
import { type Answer } from './answer.js';
import { ClientGoneError } from './body.js';
import { type Encoding, type Format } from './format.js';
import { jsonFormat } from './json-format.js';
import { type Logger } from './logger.js';
import { negotiate, plainRules } from './negotiation.js';

/** Thrown where a real server drops the connection instead of answering. */
export class NoAnswerError extends Error {
  constructor() {
    super('this request is not answered');
    this.name = 'NoAnswerError';
  }
}

export interface ErrorContext {
  /** The request's Accept header. */
  readonly accept: string | undefined;
  /** Whether the request asks for indented JSON. */
  readonly pretty: boolean;
  /** Every format that a Status can be written in. */
  readonly formats: readonly Format[];
  readonly logger: Logger;
  readonly warnings?: readonly string[];
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/**
 * The answer to an error; undefined when there is nobody to answer.
 *
 * A StatusError is its Status. Anything else is logged and becomes 500 InternalError. When Accept matches no format
 * without a transformation the Status is written as indented JSON.
 * Source: apiserver responsewriters/writers.go, ErrorNegotiated.
 */
export function errorAnswer(error: unknown, context: ErrorContext): Answer | undefined {
  if (error instanceof ClientGoneError || error instanceof NoAnswerError) return undefined;
  const { status, code } = asStatusError(error, context.logger);
  const { retryAfterSeconds } = status.details ?? {};
  const headers = [
    ...(context.headers ?? []),
    ...(retryAfterSeconds === undefined ? [] : ([['Retry-After', String(retryAfterSeconds)]] as const)),
  ];
  return {
    kind: 'value',
    code,
    value: statusValue(status),
    encoding: errorEncoding(context),
    headers,
    ...(context.warnings === undefined ? {} : { warnings: context.warnings }),
  };
}

/** A Status as a JSON value. */
export function statusValue(status: Status): JsonObject {
  return jsonObject(status);
}

function asStatusError(error: unknown, logger: Logger): StatusError {
  if (error instanceof StatusError) {
    if (error.cause !== undefined) logger.error(error.message, error.cause);
    return error;
  }
  logger.error('unexpected error', error);
  return internalError(error instanceof Error ? error.message : String(error), { cause: error });
}

function errorEncoding({ accept, pretty, formats }: ErrorContext): Encoding {
  const negotiated = negotiate(accept, plainRules(formats), pretty);
  return negotiated.ok ? negotiated.representation : { format: jsonFormat, pretty: true };
}
