/** Documents about the API (discovery, OpenAPI, health, version) as answers. */
import { type DocumentAnswer } from '../registry/document-answer.js';
import { type Answer } from './answer.js';
import { type Exchange } from './exchange.js';
import { type Format } from './format.js';
import { jsonFormat } from './json-format.js';
import { asksForPretty } from './negotiation.js';
import { parseQuery } from '../registry/query.js';
import { firstHeader } from './exchange.js';
import { type ServedCluster } from './served-cluster.js';

/** Shape: undefined for a path that names no document. */
export function documentAnswer(
  exchange: Exchange,
  served: ServedCluster,
  path: string,
  query: string,
  formats: readonly Format[],
): Answer | undefined {
  const { req } = exchange;
  const document = served.document(path, new URLSearchParams(query), req.headers, req.method ?? 'GET');
  if (document === undefined) return undefined;
  const pretty = document.pretty === true || asksForPretty(parseQuery(query), firstHeader(req, 'user-agent'));
  return asAnswer(document, formats, pretty);
}

function asAnswer(document: DocumentAnswer, formats: readonly Format[], pretty: boolean): Answer {
  const headers = Object.entries(document.headers).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => [name, one] as const),
  );
  const { code, body, contentType } = document;
  if (body === '' && contentType === undefined) return { kind: 'empty', code, headers };
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    return {
      kind: 'bytes',
      code,
      contentType: contentType ?? 'text/plain; charset=utf-8',
      bytes: typeof body === 'string' ? Buffer.from(body) : body,
      headers,
    };
  }
  const format = formats.find((one) => one.mediaType === contentType?.split(';')[0]) ?? jsonFormat;
  return {
    kind: 'value',
    code,
    value: body,
    encoding: { format, pretty },
    headers,
    ...(contentType === undefined ? {} : { contentType }),
  };
}
