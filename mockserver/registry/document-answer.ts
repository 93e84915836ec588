/** Answers to requests for documents about the API: values and headers, not yet bytes. */
import { jsonObject, type JsonValue } from '../ground/json.js';
import { type StatusError, notAcceptable } from '../ground/status.js';
import { negotiate } from './accept.js';

export interface DocumentAnswer {
  readonly code: number;
  /** Absent for answers without a body. */
  readonly contentType?: string;
  /**
   * Headers beyond those of every answer, named as on the wire. A `Cache-Control` here stands instead of the usual
   * `no-cache, private`; a list is one header line each.
   */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /**
   * A text (UTF-8) and bytes go out as they are. Anything else is an API object in wire order, to be written in the type that
   * `contentType` names (JSON, YAML, protobuf), indented when `pretty` is set or when the request asks for it in
   * another way.
   */
  readonly body: JsonValue | Buffer;
  /** The protobuf message that the body is, by name; present when the body is an API object. */
  readonly message?: string;
  readonly pretty?: boolean;
  /** The body is sent compressed to clients that accept gzip. */
  readonly gzip?: boolean;
}

/** The query of a request: of a repeated name the first value counts. `URLSearchParams` is one. */
export interface Query {
  has(name: string): boolean;
  get(name: string): string | null;
  getAll(name: string): readonly string[];
}

/** Headers by lower-cased name, as node:http has them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The first value of a header; `''` when it is absent. */
export function headerOf(headers: RequestHeaders, name: string): string {
  const value = headers[name];
  if (typeof value === 'string') return value;
  return value?.[0] ?? '';
}

const TEXT = 'text/plain; charset=utf-8';
const NO_SNIFFING = { 'X-Content-Type-Options': 'nosniff' };

export const textAnswer = (code: number, body: string): DocumentAnswer => ({
  code,
  contentType: TEXT,
  headers: NO_SNIFFING,
  body,
});

/** Paths that nobody serves. */
export const pathNotServed = (): DocumentAnswer => textAnswer(404, '404 page not found\n');

export const emptyAnswer = (
  code: number,
  headers: DocumentAnswer['headers'] = {},
  contentType?: string,
): DocumentAnswer => ({
  code,
  ...(contentType === undefined ? {} : { contentType }),
  headers,
  body: '',
});

/** JSON that is always indented by two spaces, whatever the client accepts. */
export const indentedAnswer = (code: number, body: JsonValue): DocumentAnswer => ({
  code,
  contentType: 'application/json',
  headers: {},
  body: JSON.stringify(body, undefined, 2),
});

const META = 'k8s.io.apimachinery.pkg.apis.meta.v1';

/**
 * An API error in a type the client accepts; indented JSON where it accepts none.
 *
 * Source: apiserver responsewriters/writers.go, WriteObjectNegotiated.
 */
export function statusAnswer(error: StatusError, accept: string): DocumentAnswer {
  const body = jsonObject(error.status);
  const negotiated = negotiate(accept);
  if (negotiated === undefined) return indentedAnswer(error.code, body);
  return {
    code: error.code,
    contentType: negotiated.type,
    headers: {},
    body,
    message: `${META}.Status`,
    ...(negotiated.pretty ? { pretty: true } : {}),
  };
}

/** 406 of answers that are API objects: indented JSON, since there is no type to write it in. */
export const nothingAcceptable = (): DocumentAnswer =>
  indentedAnswer(
    406,
    jsonObject(
      notAcceptable(
        'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      ).status,
    ),
  );

/** An API object of meta/v1 in a type the client accepts, or 406. */
export function objectAnswer(body: JsonValue, kind: string, accept: string): DocumentAnswer {
  const negotiated = negotiate(accept);
  if (negotiated === undefined) return nothingAcceptable();
  return {
    code: 200,
    contentType: negotiated.type,
    headers: {},
    body,
    message: `${META}.${kind}`,
    ...(negotiated.pretty ? { pretty: true } : {}),
  };
}
