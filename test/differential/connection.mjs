/** Requests and watches over HTTP/1.1, kept as they came: code, headers, text, and lines of a stream. Protobuf is kept as the JSON of the same. */
import http from 'node:http';
import https from 'node:https';
import { gunzipSync } from 'node:zlib';
import { PROTOBUF, framesOf, protobufCoding } from './protobuf.mjs';

/**
 * @typedef {{ url: string, token?: string }} Place
 * @typedef {{ code: number, headers: Record<string, string>, text: string, bytes?: string }} Answer bytes: of protobuf, whether our writer makes the same
 */

const DEADLINE_MS = 30_000;
const isProtobuf = ({ headers }) => headers['content-type']?.startsWith(PROTOBUF) === true;

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
    /**
     * @param {string | Buffer} [body]
     * @returns {Promise<Answer>} code 0 when there is no answer within 30 s or the connection fails
     */
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
              const got = Buffer.concat(chunks);
              const plain = response.headers['content-encoding'] === 'gzip' ? gunzipSync(got) : got;
              contentOf(response, plain).then(
                (content) => resolve({ code: response.statusCode, headers: response.headers, ...content }),
                failed,
              );
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
            const answer = { code: response.statusCode, headers: response.headers, text: '' };
            if (response.statusCode === 200) {
              const reader = isProtobuf(response)
                ? protobufCoding().then(frameReader)
                : Promise.resolve(lineReader());
              reader.then((read) => resolve(streamOf(request, response, answer, read)), failed);
              return;
            }
            const chunks = [];
            response.on('data', (chunk) => chunks.push(chunk));
            response.on('end', () => {
              contentOf(response, Buffer.concat(chunks)).then((content) => {
                Object.assign(answer, content);
                resolve({ answer, lines: [], ended: () => true, close() {} });
              }, failed);
            });
          },
          failed,
        );
      });
    },

    close: () => agent.destroy(),
  };
}

async function contentOf(response, bytes) {
  if (!isProtobuf(response) || bytes.length === 0) return { text: bytes.toString() };
  return (await protobufCoding()).decoded(bytes);
}

function streamOf(request, response, answer, read) {
  const lines = [];
  let ended = false;
  response.on('data', (chunk) => lines.push(...read.more(chunk)));
  response.on('error', () => (ended = true));
  response.on('end', () => {
    ended = true;
    lines.push(...read.rest());
  });
  return { answer, lines, ended: () => ended, close: () => request.destroy() };
}

/** Shape: `more` gives the lines that a chunk completes, `rest` what is left at the end. */
function lineReader() {
  const decoder = new TextDecoder();
  let rest = '';
  return {
    more(chunk) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = parts.pop();
      return parts;
    },
    rest: () => (rest === '' ? [] : [rest]),
  };
}

function frameReader({ event }) {
  let left = Buffer.alloc(0);
  return {
    more(chunk) {
      const { frames, rest } = framesOf(Buffer.concat([left, chunk]));
      left = rest;
      return frames.map(event);
    },
    rest: () => (left.length === 0 ? [] : [left.toString('hex')]),
  };
}
