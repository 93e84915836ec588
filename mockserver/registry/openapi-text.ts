/** An OpenAPI document as a text that clients can cache. */
import { createHash } from 'node:crypto';
import { type JsonValue } from '../ground/json.js';
import { writeJson } from '../ground/json-write.js';

/** A document's text with its tag, which is also the `hash` of its URL. */
export interface OpenApiText {
  readonly body: string;
  /** Upper-case hexadecimal SHA-512 of the body. */
  readonly etag: string;
  /** When it was made, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

export const openApiText = (document: JsonValue, nowMs: number): OpenApiText =>
  taggedText(writeJson(document), nowMs);

export function taggedText(body: string, nowMs: number): OpenApiText {
  return { body, etag: createHash('sha512').update(body).digest('hex').toUpperCase(), modifiedMs: nowMs };
}
