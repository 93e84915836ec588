/** One request over TLS and its whole answer. */
import { type RequestOptions, request } from 'node:https';

export interface HttpsAnswer {
  readonly code: number;
  readonly body: Buffer;
}

/** Errors: those of node:https, and of the `signal` among the options. */
export const httpsCall = (url: URL, options: RequestOptions, body?: Buffer): Promise<HttpsAnswer> =>
  new Promise((resolve, reject) => {
    // A kept connection may be closed by the time it is used again.
    const call = request(url, { ...options, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body: Buffer.concat(pieces) }));
    });
    call.on('error', reject);
    call.end(body);
  });
