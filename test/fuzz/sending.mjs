/** Many requests at once to one server, each with a deadline: what is not answered in time hangs. */
import http from 'node:http';

const AT_ONCE = 16;
const DEADLINE_MS = 20_000;

/**
 * Calls `one` until it has been called `count` times, so many at once; it is given `ask(method, path, document)`, which
 * answers `{ status, doc }`.
 * Shape: `statuses`: how often each came; `wrong`: what was answered 500 or above, or (`status` 0) not at all;
 * `slowestMs`: the longest wait for an answer.
 */
export async function sending({ url, count, one }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const statuses = new Map();
  const wrong = [];
  let slowestMs = 0;
  const ask = async (method, path, document) => {
    const begun = performance.now();
    const answer = await send(agent, url, { method, path, body: JSON.stringify(document) });
    slowestMs = Math.max(slowestMs, performance.now() - begun);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500 || answer.status === 0) {
      wrong.push({ status: answer.status, method, path, body: document });
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
function send(agent, url, { method, path, body = '' }) {
  return new Promise((resolve) => {
    const request = http.request(new URL(path, url), {
      method,
      agent,
      timeout: DEADLINE_MS,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    const lost = () => resolve({ status: 0, doc: undefined });
    request.once('timeout', () => request.destroy());
    request.once('error', lost);
    request.once('response', (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode, doc: text.startsWith('{') ? JSON.parse(text) : undefined });
      });
      response.once('error', lost);
    });
    request.end(body);
  });
}
