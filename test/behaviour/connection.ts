/** Requests as a client writes them, and their answers as they came. */
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import * as http from 'node:http';
import * as https from 'node:https';
import { type Doc, readDoc } from './documents.js';

/** Where a server is and how to come in. */
export interface Place {
  /** `http://127.0.0.1:18080`, nothing behind it. */
  readonly url: string;
  /** Bearer token; `''`: none is sent. */
  readonly token: string;
}

export interface RequestParts {
  /** @default {} */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is when it is text or bytes, as JSON otherwise. @default none */
  readonly body?: unknown;
  /** @default application/json when there is a body */
  readonly type?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body read as JSON. Errors: SyntaxError when it is none. */
  readonly doc: Doc;
}

const agents = [
  new http.Agent({ keepAlive: true }),
  new https.Agent({ keepAlive: true, rejectUnauthorized: false }),
] as const;

/** Lets go of the connections that requests left open. */
export function closeIdleConnections(): void {
  for (const agent of agents) agent.destroy();
}

/** Sends one request and reads its answer to the end. Errors: those of the connection. */
export async function send(
  place: Place,
  method: string,
  path: string,
  parts: RequestParts = {},
): Promise<Answer> {
  const response = await begin(place, method, path, parts);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer); // no encoding is set, so chunks are bytes
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString('utf8');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    bytes,
    text,
    get doc() {
      return readDoc(text);
    },
  };
}

/** Sends one request and resolves with the head of its answer. */
export function begin(
  place: Place,
  method: string,
  path: string,
  parts: RequestParts = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = prepare(place, method, path, parts);
    request.on('response', resolve).on('error', reject);
    request.end(parts.body === undefined ? undefined : bytesOf(parts.body));
  });
}

/** A request whose body is still to be written. */
export function prepare(place: Place, method: string, path: string, parts: RequestParts = {}): ClientRequest {
  const secure = place.url.startsWith('https:');
  const headers: Record<string, string> = {};
  if (place.token !== '') headers['Authorization'] = `Bearer ${place.token}`;
  if (parts.body !== undefined) {
    headers['Content-Type'] = parts.type ?? 'application/json';
    headers['Content-Length'] = String(bytesOf(parts.body).length);
  }
  Object.assign(headers, parts.headers);
  const { hostname, port, pathname } = new URL(place.url);
  const prefix = pathname === '/' ? '' : pathname;
  // The path goes out as it is written: what a URL parser would tidy up is part of some tests.
  const options = {
    method,
    hostname,
    port,
    path: prefix + path,
    headers,
    agent: secure ? agents[1] : agents[0],
  };
  return secure ? https.request(options) : http.request(options);
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
