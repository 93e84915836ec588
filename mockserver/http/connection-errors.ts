/** Requests that never become requests: the plain answers of an HTTP server to what it cannot read. */
import { type IncomingMessage } from './exchange.js';

/** Status line texts, by the code that Node's parser gives its errors. */
const PARSER_ANSWERS: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_INVALID_VERSION', '505 HTTP Version Not Supported: unsupported protocol version'],
]);

/**
 * The bytes that answer a parser's error; undefined when the connection is closed without a word, as one whose
 * request takes too long to arrive.
 *
 * Source: Go net/http server.go, serve.
 */
export function parserErrorAnswer(code: string | undefined): Buffer | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT' || code === 'ECONNRESET' || code === 'EPIPE') return undefined;
  return plainAnswer(PARSER_ANSWERS.get(code ?? '') ?? '400 Bad Request');
}

/**
 * What is wrong with a request that Node's lenient parser has let through; undefined when nothing is.
 *
 * Source: Go net/http server.go, readRequest.
 */
export function requestError(req: IncomingMessage): Buffer | undefined {
  if (req.httpVersionMajor !== 1) {
    return plainAnswer(
      req.httpVersionMajor === 0
        ? '400 Bad Request'
        : '505 HTTP Version Not Supported: unsupported protocol version',
    );
  }
  const { rawHeaders } = req;
  let hosts = 0;
  let hostIsValid = true;
  let encoding: string | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    const value = rawHeaders[i + 1] ?? '';
    // Everything below a blank but the tab, and DEL.
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) return plainAnswer('400 Bad Request');
    if (name === 'host') {
      hosts += 1;
      hostIsValid = HOST.test(value);
    } else if (name === 'transfer-encoding') encoding = value;
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') {
    return plainAnswer('501 Not Implemented', 'Unsupported transfer encoding');
  }
  if (hosts > 1) return plainAnswer('400 Bad Request');
  if (hosts === 0 && req.httpVersionMinor > 0 && req.method !== 'CONNECT') {
    return plainAnswer('400 Bad Request: missing required Host header');
  }
  return hostIsValid ? undefined : plainAnswer('400 Bad Request: malformed Host header');
}

/** Source: golang.org/x/net/http/httpguts, ValidHostHeader. */
const HOST = /^[A-Za-z0-9!$%&()*+,\-.:;=@[\]_~']*$/;

/** @param body absent: the status text again. */
export function plainAnswer(status: string, body = status): Buffer {
  return Buffer.from(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${body}`,
  );
}
