/** Serving one text, or bytes, with the conditions that a client's cache may set. */
import { formatTime } from '../ground/clock.js';
import { type DocumentAnswer, type RequestHeaders, emptyAnswer, headerOf } from './document-answer.js';
import { httpDate, sortableDate } from './http-date.js';

export interface CachedContent {
  readonly body: string | Buffer;
  /** Without quotes; absent for what has no tag. */
  readonly etag?: string;
  /** When the body was made, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

export interface ContentRequest {
  readonly method: string;
  readonly headers: RequestHeaders;
}

/**
 * The content, 304 when the client has it already, or 412 when a condition of the client fails.
 *
 * @param headers of the answer beside those made here (tag, time, ranges).
 * Source: RFC 9110 section 13.2.2; Go net/http fs.go, checkPreconditions. Deviation: no ranges are served.
 */
export function contentAnswer(
  request: ContentRequest,
  content: CachedContent,
  contentType: string,
  headers: DocumentAnswer['headers'] = {},
): DocumentAnswer {
  const tag = content.etag === undefined ? undefined : `"${content.etag}"`;
  const tagged = { ...headers, ...(tag === undefined ? {} : { ETag: tag }) };
  const dated = { ...tagged, 'Last-Modified': httpDate(content.modifiedMs) };
  switch (evaluate(request, tag, content.modifiedMs)) {
    case 'send':
      return { code: 200, contentType, headers: { ...dated, 'Accept-Ranges': 'bytes' }, body: content.body };
    case 'not modified':
      // The tag says it all; only without one the time is repeated.
      return emptyAnswer(304, tag === undefined ? dated : tagged);
    case 'failed':
      return emptyAnswer(412, dated, contentType);
  }
}

function evaluate(
  { method, headers }: ContentRequest,
  tag: string | undefined,
  modifiedMs: number,
): 'send' | 'not modified' | 'failed' {
  const reads = method === 'GET' || method === 'HEAD';
  const ifMatch = headerOf(headers, 'if-match');
  if (ifMatch !== '' && !names(ifMatch, tag, false)) return 'failed';
  const ifNoneMatch = headerOf(headers, 'if-none-match');
  if (ifNoneMatch !== '') {
    if (!names(ifNoneMatch, tag, true)) return 'send';
    return reads ? 'not modified' : 'failed';
  }
  const since = sortableDate(headerOf(headers, 'if-modified-since'));
  return reads && since !== undefined && formatTime(modifiedMs) <= since ? 'not modified' : 'send';
}

/** Whether a list of tags names this one; `*` names any. Weak tags match only in the weak comparison. */
function names(list: string, tag: string | undefined, weak: boolean): boolean {
  return list.split(',').some((part) => {
    const one = part.trim();
    return one === '*' || (tag !== undefined && (one === tag || (weak && one === `W/${tag}`)));
  });
}
