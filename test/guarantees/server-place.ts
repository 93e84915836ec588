/** A server that sessions are played on, and requests to it. */
import http from 'node:http';
import https from 'node:https';

export interface Server {
  /** Without a slash at its end. With `https:` any certificate is taken. */
  readonly url: string;
  /** Bearer token; none where everybody is let in. */
  readonly token?: string;
}

/** Sends a request on a connection of its own. Shape: the answer's head, its body still to be read. Errors: of the connection. */
export function begin(
  { url, token }: Server,
  method: string,
  path: string,
  body?: string,
): Promise<http.IncomingMessage> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const options = { method, headers, agent: false as const, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:')
      ? https.request(url + path, options, resolve)
      : http.request(url + path, options, resolve);
    request.on('error', reject).end(body);
  });
}
