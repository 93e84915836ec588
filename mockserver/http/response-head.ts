/** Status line and headers of answers. */
import { type Exchange } from './exchange.js';
import { endsConnection } from './body.js';
import { warningHeaders } from './warning-headers.js';

export interface Head {
  readonly code: number;
  readonly contentType?: string | undefined;
  readonly contentLength?: number | undefined;
  readonly gzip?: boolean | undefined;
  /** Plain text, which no browser is to take for something else. */
  readonly nosniff?: boolean | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
}

/** Where Go's words for a code are not Node's. */
const REASON_PHRASES: ReadonlyMap<number, string> = new Map([
  [413, 'Request Entity Too Large'],
  [418, "I'm a teapot"],
]);

/**
 * The headers, in the order in which a real server writes them (Node adds Date and Transfer-Encoding).
 *
 * Values are byte strings: text beyond ASCII is in UTF-8, as Go sends it.
 */
export function headersOf(exchange: Exchange, head: Head): readonly (readonly [string, string])[] {
  const { flow } = exchange;
  const usual: (readonly [string, string])[] = [
    ['Audit-Id', exchange.auditId],
    ['Cache-Control', 'no-cache, private'],
    ...(head.gzip === true ? ([['Content-Encoding', 'gzip']] as const) : []),
    ...(head.contentType === undefined ? [] : ([['Content-Type', head.contentType]] as const)),
    ...(head.gzip === true ? ([['Vary', 'Accept-Encoding']] as const) : []),
    ...warningHeaders(head.warnings ?? []).map((value) => ['Warning', latin1(value)] as const),
    ...(head.nosniff === true ? ([['X-Content-Type-Options', 'nosniff']] as const) : []),
    ...(flow === undefined
      ? []
      : ([
          ['X-Kubernetes-Pf-Flowschema-Uid', flow.flowSchemaUid],
          ['X-Kubernetes-Pf-Prioritylevel-Uid', flow.priorityLevelUid],
        ] as const)),
    ...(head.contentLength === undefined ? [] : ([['Content-Length', String(head.contentLength)]] as const)),
  ];
  const further = head.headers ?? [];
  if (further.length === 0) return usual;
  const replaced = new Set(further.map(([name]) => name.toLowerCase()));
  // Vary is a list: a gzipped answer adds to what the answer itself varies by.
  return [
    ...usual.filter(([name]) => name === 'Vary' || !replaced.has(name.toLowerCase())),
    ...further.map(([name, value]) => [name, latin1(value)] as const),
  ];
}

/** Begins the answer. Errors: none that a client can cause. */
export function writeHead(exchange: Exchange, head: Head): void {
  const { req, res } = exchange;
  if (exchange.upgrade !== undefined || endsConnection(exchange)) res.shouldKeepAlive = false;
  // HTTP/1.0 has no chunks: without a length the end of the connection is the end of the body.
  if (req.httpVersionMinor === 0 && head.contentLength === undefined) res.shouldKeepAlive = false;
  // A real server says nothing about connections that stay open; Node would.
  res.removeHeader('Connection');
  const flat: string[] = [];
  for (const [name, value] of headersOf(exchange, head)) flat.push(name, value);
  if (!res.shouldKeepAlive && req.httpVersionMinor > 0) flat.push('Connection', 'close');
  if (res.shouldKeepAlive && req.httpVersionMinor === 0) flat.push('Connection', 'keep-alive');
  const phrase = REASON_PHRASES.get(head.code);
  if (phrase === undefined) res.writeHead(head.code, flat);
  else res.writeHead(head.code, phrase, flat);
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
