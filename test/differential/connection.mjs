/** Requests and watches over HTTP/1.1, kept as they came: code, headers, text, and lines of a stream. */
import http from 'node:http';
import https from 'node:https';
import { gunzipSync } from 'node:zlib';

/**
 * @typedef {{ url: string, token?: string }} Place
 * @typedef {{ code: number, headers: Record<string, string>, text: string }} Answer
 */

const DEADLINE_MS = 30_000;

/** One server. @param {Place} place */
export function connect(place) {
  const url = new URL(place.url);
  const module = url.protocol === 'https:' ? https : http;
  const agent = new module.Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: Infinity });
  const prefix = url.pathname.replace(/\/$/, '');

  const begin = (method, path, headers, body, onResponse, onError) => {
    const request = module.request(
      {
        agent,
        host: url.hostname,
        port: url.port,
        method,
        path: `${prefix}${path}`.replace(/[^\x21-\x7e]/g, encodeURIComponent),
        headers: {
          ...(place.token === undefined ? {} : { authorization: `Bearer ${place.token}` }),
          'user-agent': 'differential/v1 (linux/amd64)',
          ...headers,
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
      },
      onResponse,
    );
    request.on('error', onError);
    request.end(body);
    return request;
  };

  return {
    /** @returns {Promise<Answer>} code 0 when there is no answer within 30 s or the connection fails */
    send(method, path, headers = {}, body = undefined) {
      return new Promise((resolve) => {
        const failed = (error) => resolve({ code: 0, headers: {}, text: `${error.code ?? error.message}` });
        const request = begin(
          method,
          path,
          headers,
          body,
          (response) => {
            const chunks = [];
            response.on('data', (chunk) => chunks.push(chunk));
            response.on('error', failed);
            response.on('end', () => {
              const bytes = Buffer.concat(chunks);
              const text = response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
              resolve({ code: response.statusCode, headers: response.headers, text: text.toString() });
            });
          },
          failed,
        );
        request.setTimeout(DEADLINE_MS, () => request.destroy(new Error('no answer')));
      });
    },

    /**
     * Opens a watch.
     * Shape: the answer's head (with the text when it is no 200) and the lines that have come so far.
     */
    open(path, headers = {}) {
      return new Promise((resolve) => {
        const failed = (error) =>
          resolve({
            answer: { code: 0, headers: {}, text: error.message },
            lines: [],
            ended: () => true,
            close() {},
          });
        const request = begin(
          'GET',
          path,
          headers,
          undefined,
          (response) => {
            const lines = [];
            let rest = '';
            let ended = false;
            const answer = { code: response.statusCode, headers: response.headers, text: '' };
            const stream = { answer, lines, ended: () => ended, close: () => request.destroy() };
            const whole = response.statusCode !== 200;
            response.setEncoding('utf8');
            response.on('data', (chunk) => {
              if (whole) {
                answer.text += chunk;
                return;
              }
              const parts = (rest + chunk).split('\n');
              rest = parts.pop();
              lines.push(...parts);
            });
            response.on('error', () => (ended = true));
            response.on('end', () => {
              ended = true;
              if (rest !== '') lines.push(rest);
              if (whole) resolve(stream);
            });
            if (!whole) resolve(stream);
          },
          failed,
        );
      });
    },

    close: () => agent.destroy(),
  };
}
