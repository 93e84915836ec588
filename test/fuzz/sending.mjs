/** Many requests at once to one server, each with a deadline: what is not answered in time hangs. */
import http from 'node:http';

const AT_ONCE = 16;
const DEADLINE_MS = 20_000;
/** `{` */
const OPENING = 0x7b;
const JSON_BODY = { 'content-type': 'application/json' };

/**
 * Calls `one` until it has been called `count` times, so many at once; it is given `ask(method, path, document, headers)`, which
 * answers `{ status, headers, bytes, doc }`; the document is an object to be sent as JSON, or bytes.
 * Shape: `statuses`: how often each came; `wrong`: what was answered 500 or above, (`status` 0) not at all, or with what `isRight` does
 * not take; `slowestMs`: the longest wait for an answer.
 */
export async function sending({ url, count, one, isRight = () => true }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const statuses = new Map();
  const wrong = [];
  let slowestMs = 0;
  const ask = async (method, path, document, headers = JSON_BODY) => {
    const begun = performance.now();
    const body = Buffer.isBuffer(document) ? document : JSON.stringify(document);
    const answer = await send(agent, url, { method, path, headers, body });
    slowestMs = Math.max(slowestMs, performance.now() - begun);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500 || answer.status === 0 || !isRight(answer)) {
      const shown = Buffer.isBuffer(document) ? document.toString('base64') : document;
      wrong.push({ status: answer.status, method, path, body: shown });
    }
    return answer;
  };
  let begun = 0;
  const run = async () => {
    while (begun < count) await one(ask, begun++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  agent.destroy();
  return { statuses, wrong, slowestMs };
}

/** Shape: `status` is 0 when the connection broke or no answer came in time. */
function send(agent, url, { method, path, headers, body = '' }) {
  return new Promise((resolve) => {
    const request = http.request(new URL(path, url), {
      method,
      agent,
      timeout: DEADLINE_MS,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    const lost = () => resolve({ status: 0, headers: {}, bytes: Buffer.alloc(0) });
    request.once('timeout', () => request.destroy());
    request.once('error', lost);
    request.once('response', (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('end', () => {
        const bytes = Buffer.concat(chunks);
        const doc = bytes[0] === OPENING ? JSON.parse(bytes.toString()) : undefined;
        resolve({ status: response.statusCode, headers: response.headers, bytes, doc });
      });
      response.once('error', lost);
    });
    request.end(body);
  });
}
