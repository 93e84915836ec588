/** What clients are told by rules: Statuses and bodies. */
import { type JsonValue } from '../ground/json.js';
import { readJson } from '../ground/json-read.js';
import { CODE_OF, failure, type Status, StatusError, type StatusReason } from '../ground/status.js';
import { type Answer } from '../http/answer.js';
import { jsonFormat } from '../http/json-format.js';
import { continueExpired, decodeContinueToken } from '../registry/continue-token.js';
import { writeJson } from '../ground/json-write.js';
import { type EffectOf } from './effects.js';
import { type StatusParts } from './effects/declaration.js';

/** The reason that a code has when a rule names none; 502 and the like have none. */
const REASON_OF: ReadonlyMap<number, StatusReason> = new Map([
  [409, 'Conflict'],
  [410, 'Expired'],
  [500, 'InternalError'],
  ...Object.entries(CODE_OF)
    .filter(([, code]) => ![409, 410, 500].includes(code))
    .map(([reason, code]): [number, StatusReason] => [code, reason as StatusReason]), // the keys of CODE_OF are the reasons
]);

/** The Status of a rule. @param rule its name, for the message when the rule has none. */
export function statusOf(parts: StatusParts, rule: string): Status {
  const { code, retryAfterSeconds, causes } = parts;
  // A rule may name a reason that no kube-apiserver has: it is sent as it is.
  const reason = (parts.reason as StatusReason | undefined) ?? REASON_OF.get(code);
  return failure({
    code,
    message: parts.message ?? `fault ${rule}`,
    reason,
    details:
      retryAfterSeconds === undefined && causes === undefined
        ? undefined
        : {
            ...(causes === undefined ? {} : { causes }),
            ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
          },
  });
}

export const statusErrorOf = (parts: StatusParts, rule: string): StatusError =>
  new StatusError(statusOf(parts, rule));

/** The body of an `answer` effect. */
export function bodyAnswer(code: number, body: JsonValue, contentType: string | undefined): Answer {
  if (typeof body === 'string') {
    return {
      kind: 'bytes',
      code,
      contentType: contentType ?? 'text/plain; charset=utf-8',
      bytes: Buffer.from(body),
    };
  }
  return {
    kind: 'bytes',
    code,
    contentType: contentType ?? jsonFormat.mediaType,
    bytes: Buffer.from(writeJson(body)),
  };
}

/** The 410 of a page whose revision is compacted, with a token for the rest; for a list from its beginning without one. */
export function continueExpiredError(continueToken: string): StatusError {
  if (continueToken === '') {
    return statusErrorOf(
      { code: 410, message: 'The resourceVersion for the provided list is too old.' },
      'expire-continue',
    );
  }
  return continueExpired(decodeContinueToken(continueToken, (bytes) => readJson(bytes)).startKey);
}

/** What reads of a cache are answered while it is built. */
export const reinitializing = (retryAfterSeconds = 1): EffectOf<'status'> => ({
  kind: 'status',
  code: 429,
  message: 'storage is (re)initializing',
  retryAfterSeconds,
});

/** Source: kube-apiserver 1.36 with the feature gate WatchList off. */
export const WATCH_LIST_REFUSED: EffectOf<'status'> = Object.freeze({
  kind: 'status',
  code: 422,
  message:
    'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
  causes: Object.freeze([
    Object.freeze({
      reason: 'FieldValueForbidden',
      message:
        'Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      field: 'sendInitialEvents',
    }),
  ]),
});

/** A health endpoint of which one check fails. Source: apiserver healthz/healthz.go, handleRootHealth. */
export const unhealthyAnswer = (endpoint: string, check: string): Answer => ({
  kind: 'text',
  code: 500,
  text: `[+]ping ok\n[+]log ok\n[-]${check} failed: reason withheld\n${endpoint} check failed\n`,
});
