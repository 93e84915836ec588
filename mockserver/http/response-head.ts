/** Status line and headers of answers. */
import { byteString } from '../ground/utf8.js';
import { type Exchange } from './exchange.js';
import { endsConnection } from './body.js';
import { warningHeaders } from './warning-headers.js';

export interface Head {
  readonly code: number;
  readonly contentType?: string | undefined;
  /** Plain text, which no browser is to take for something else. */
  readonly nosniff?: boolean | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
}

/** What the headers say about how the body is sent. */
export interface Framing {
  /** Absent: in chunks, or not at all. */
  readonly contentLength?: number;
  readonly gzip?: boolean;
}

const UNFRAMED: Framing = Object.freeze({});

/** Where Go's words for a code are not Node's. */
const REASON_PHRASES: ReadonlyMap<number, string> = new Map([
  [413, 'Request Entity Too Large'],
  [418, "I'm a teapot"],
]);

/**
 * The headers, in the order in which a real server writes them (Node adds Date and Transfer-Encoding).
 *
 * Shape: names and values in turn, as `writeHead` of Node takes them. Values are byte strings: text beyond ASCII is in
 * UTF-8, as Go sends it.
 */
export function headersOf(exchange: Exchange, head: Head, framing: Framing): string[] {
  const { flow } = exchange;
  const { contentType, warnings, headers } = head;
  const { contentLength, gzip = false } = framing;
  const lines: string[] = ['Audit-Id', exchange.auditId, 'Cache-Control', 'no-cache, private'];
  if (gzip) lines.push('Content-Encoding', 'gzip');
  if (contentType !== undefined) lines.push('Content-Type', contentType);
  if (gzip) lines.push('Vary', 'Accept-Encoding');
  if (warnings !== undefined) {
    for (const value of warningHeaders(warnings)) lines.push('Warning', byteString(value));
  }
  if (head.nosniff === true) lines.push('X-Content-Type-Options', 'nosniff');
  if (flow !== undefined) {
    lines.push('X-Kubernetes-Pf-Flowschema-Uid', flow.flowSchemaUid);
    lines.push('X-Kubernetes-Pf-Prioritylevel-Uid', flow.priorityLevelUid);
  }
  if (contentLength !== undefined) lines.push('Content-Length', String(contentLength));
  return headers === undefined || headers.length === 0 ? lines : withFurther(lines, headers);
}

/** Further headers replace the usual ones of their names, but for Vary, a list that they add to. */
function withFurther(lines: readonly string[], further: NonNullable<Head['headers']>): string[] {
  const replaced = new Set(further.map(([name]) => name.toLowerCase()));
  replaced.delete('vary');
  const kept = lines.filter((_, i) => !replaced.has((lines[i - (i % 2)] ?? '').toLowerCase()));
  return [...kept, ...further.flatMap(([name, value]) => [name, byteString(value)])];
}

/** Begins the answer. Errors: none that a client can cause. */
export function writeHead(exchange: Exchange, head: Head, framing: Framing = UNFRAMED): void {
  const { req, res } = exchange;
  exchange.observation?.answered(head.code);
  if (exchange.upgrade !== undefined || endsConnection(exchange)) res.shouldKeepAlive = false;
  // HTTP/1.0 has no chunks: without a length the end of the connection is the end of the body.
  if (req.httpVersionMinor === 0 && framing.contentLength === undefined) res.shouldKeepAlive = false;
  // A real server says nothing about connections that stay open; Node would.
  res.removeHeader('Connection');
  const lines = headersOf(exchange, head, framing);
  if (!res.shouldKeepAlive && req.httpVersionMinor > 0) lines.push('Connection', 'close');
  if (res.shouldKeepAlive && req.httpVersionMinor === 0) lines.push('Connection', 'keep-alive');
  const phrase = REASON_PHRASES.get(head.code);
  if (phrase === undefined) res.writeHead(head.code, lines);
  else res.writeHead(head.code, phrase, lines);
}
