/** For the self-test: a proxy that gives one kind of wrong answer, which a run must find. */
import { createServer, request } from 'node:http';

/** What is done to a text on its way: a whole answer, or one line of a stream (undefined: it is lost). */
export const PLANTS = {
  message: (text) => text.replace(' not found"', ' not there"'),
  event: (text) => (text.startsWith('{"type":"MODIFIED"') ? undefined : text),
  default: (text) => text.replace('"spec":{"finalizers":["kubernetes"]},', ''),
};

/**
 * @param {string} target URL of a server without TLS
 * @param {keyof typeof PLANTS} plant
 */
export async function startPlantedProxy(target, plant) {
  const { hostname, port } = new URL(target);
  const change = PLANTS[plant];
  const server = createServer((incoming, answer) => {
    const { 'accept-encoding': _, ...headers } = incoming.headers;
    const onward = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers },
      (response) => {
        const { 'content-length': __, 'transfer-encoding': ___, ...kept } = response.headers;
        answer.writeHead(response.statusCode, kept);
        answer.flushHeaders();
        const stream = /[?&]watch=1/.test(incoming.url);
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          rest += chunk;
          if (!stream) return;
          const lines = rest.split('\n');
          rest = lines.pop();
          for (const line of lines) {
            const changed = change(line);
            if (changed !== undefined) answer.write(`${changed}\n`);
          }
        });
        response.on('end', () => answer.end(change(rest) ?? ''));
        response.on('error', () => answer.destroy());
      },
    );
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
