/** `?timeout=`: how long a client gives a request. Watches do not look at it. */
import { parseDuration } from '../ground/go-duration.js';
import { badRequest } from '../ground/status.js';
import { type Query, textValue } from './query.js';

/** What the server allows at most. Source: kube-apiserver --request-timeout. */
export const LONGEST_REQUEST_MS = 60_000;

/**
 * Milliseconds until the request is answered with a 504: what the client asks for, between 0 and the server's limit.
 *
 * Absent, empty, zero and negative values ask for nothing.
 * Errors: 400 `invalid timeout specified in the request URL - time: …`.
 * Source: apiserver endpoints/filters/request_deadline.go.
 */
export function requestTimeoutMs(query: Query, limitMs = LONGEST_REQUEST_MS): number {
  const text = textValue(query, 'timeout');
  if (text === '') return limitMs;
  const parsed = parseDuration(text);
  if (!parsed.ok) throw badRequest(`invalid timeout specified in the request URL - ${parsed.error}`);
  const ms = Number(parsed.nanoseconds) / 1e6;
  return ms > 0 && ms < limitMs ? ms : limitMs;
}
