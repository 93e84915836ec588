/** Requests over HTTP: one answer, or a stream of lines. Nothing of it keeps a program alive that has nothing else to do. */
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { headersOf, type Place } from './place.js';

export interface Wish {
  readonly method: string;
  /** Begins with a slash; behind the address of the place. */
  readonly path: string;
  readonly body?: unknown;
  /** @default application/json */
  readonly type?: string;
  readonly accept?: string;
}

/** An answer that is no success, with the Status that the server sent. */
export class ApiError extends Error {
  readonly code: number;
  /** `NotFound`, `Conflict`, …; `''` for an answer without a Status. */
  readonly reason: string;
  readonly status: unknown;

  constructor({ method, path }: Wish, code: number, text: string) {
    const status = parsed(text);
    super(`${method} ${path}: ${code} ${memberText(status, 'message') ?? text}`);
    this.name = 'ApiError';
    this.code = code;
    this.reason = memberText(status, 'reason') ?? '';
    this.status = status;
  }
}

/** Shape: the document that was answered. Errors: ApiError; those of the connection. */
export async function ask(place: Place, wish: Wish): Promise<unknown> {
  const response = await begin(place, wish);
  const text = await textOf(response);
  const code = response.statusCode ?? 0;
  if (code < 200 || code > 299) throw new ApiError(wish, code, text);
  return parsed(text) ?? text;
}

/** The documents of a stream, one a line, until it ends or `stop` is called. Errors: as `ask`. */
export async function follow(
  place: Place,
  wish: Wish,
  taken: (document: unknown) => void,
): Promise<{ readonly ended: Promise<void>; readonly stop: () => void }> {
  const response = await begin(place, wish);
  const code = response.statusCode ?? 0;
  if (code !== 200) throw new ApiError(wish, code, await textOf(response));
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) taken(parsed(line));
  });
  const ended = new Promise<void>((resolve) => {
    response.once('close', resolve).on('error', () => resolve());
  });
  return { ended, stop: () => response.destroy() };
}

const agent = new Agent({ keepAlive: true });

function begin(place: Place, { method, path, body, type, accept }: Wish): Promise<IncomingMessage> {
  const url = new URL(place.url.replace(/\/$/, '') + path);
  const content = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const headers: Record<string, string | string[] | number> = headersOf(place);
  if (accept !== undefined) headers['accept'] = accept;
  if (content !== undefined) {
    headers['content-type'] = type ?? 'application/json';
    headers['content-length'] = Buffer.byteLength(content);
  }
  return new Promise((resolve, reject) => {
    const sent =
      url.protocol === 'https:'
        ? // The certificate of a server for tests is one of its own.
          httpsRequest(url, { method, headers, rejectUnauthorized: false })
        : httpRequest(url, { method, headers, agent });
    sent.once('response', resolve).once('error', reject);
    sent.end(content);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += String(part);
  return text;
}

/** Shape: undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function memberText(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'string' ? found : undefined;
}
