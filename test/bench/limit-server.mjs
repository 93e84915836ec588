/**
 * The limit: node:http doing as little as can be done for the same bytes. Nothing built on it is faster.
 *   PUT  /bytes/NAME   keeps the body        GET /bytes/NAME   answers it
 *   POST /objects      parses an object, gives it a uid, a version and a time, answers it
 *   GET  /stream       stays open            POST /frames      writes its body to all open streams
 */
import { randomUUID } from 'node:crypto';
import http from 'node:http';

const kept = new Map();
const streams = new Set();
let version = 0;

const read = (request, done) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => done(parts.length === 1 ? parts[0] : Buffer.concat(parts)));
};
const answer = (response, status, bytes) => {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
  response.end(bytes);
};

const server = http.createServer((request, response) => {
  const { method, url } = request;
  if (method === 'GET' && url.startsWith('/bytes/')) return answer(response, 200, kept.get(url));
  if (method === 'PUT') {
    return read(request, (body) => {
      kept.set(url, body);
      answer(response, 200, Buffer.from('{}'));
    });
  }
  if (method === 'POST' && url === '/objects') {
    return read(request, (body) => {
      const object = JSON.parse(body.toString());
      object.metadata.uid = randomUUID();
      object.metadata.resourceVersion = String(++version);
      object.metadata.creationTimestamp = new Date().toISOString();
      answer(response, 201, Buffer.from(JSON.stringify(object)));
    });
  }
  if (method === 'GET' && url === '/stream') {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.flushHeaders();
    streams.add(response);
    response.on('close', () => streams.delete(response));
    return undefined;
  }
  if (method === 'POST' && url === '/frames') {
    return read(request, (body) => {
      for (const stream of streams) stream.write(body);
      answer(response, 200, Buffer.from('{}'));
    });
  }
  return answer(response, 404, Buffer.from('{}'));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
