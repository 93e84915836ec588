import { VirtualClock } from '../../../mockserver/ground/clock.js';
import { readBody } from '../../../mockserver/http/body.js';
import { get, startTestServer, type TestServer } from './support.js';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(async (exchange, writer) => {
    const body = await readBody(exchange);
    const { method = '', url = '' } = exchange.req;
    return writer.write(exchange, { kind: 'text', code: 200, text: `${method} ${url} ${body.toString()}\n` });
  });
});
afterAll(() => server.stop());

const PLAIN = 'Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n';

// Answers of kube-apiserver 1.36.3, but for the status line's version.
describe('a request that is none', () => {
  test.each([
    ['no HTTP', 'hello\r\n\r\n', '400 Bad Request', undefined],
    [
      'HTTP/2.0 in the line',
      'GET / HTTP/2.0\r\nHost: x\r\n\r\n',
      '505 HTTP Version Not Supported: unsupported protocol version',
      undefined,
    ],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', '400 Bad Request: missing required Host header', undefined],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', '400 Bad Request', undefined],
    [
      'a Host with a blank',
      'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
      '400 Bad Request: malformed Host header',
      undefined,
    ],
    [
      'a header without a colon',
      'GET / HTTP/1.1\r\nHost: x\r\nnocolon\r\n\r\n',
      '400 Bad Request',
      undefined,
    ],
    ['a control character', get('/', 'A: \x01'), '400 Bad Request', undefined],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      '400 Bad Request',
      undefined,
    ],
    [
      'a length that is no number',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n',
      '400 Bad Request',
      undefined,
    ],
    [
      'another transfer encoding',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n',
      '501 Not Implemented',
      'Unsupported transfer encoding',
    ],
    ['a wrong escape in the path', get('/a%zz'), '400 Bad Request', undefined],
    ['an empty path', 'GET  HTTP/1.1\r\nHost: x\r\n\r\n', '400 Bad Request', undefined],
    [
      'headers beyond 1 MiB',
      get('/', `X: ${'a'.repeat(1_060_000)}`),
      '431 Request Header Fields Too Large',
      undefined,
    ],
    [
      'a URL beyond 1 MiB',
      get(`/${'a'.repeat(1_060_000)}`),
      '431 Request Header Fields Too Large',
      undefined,
    ],
  ])('%s is answered in plain text and closed', async (_name, request, status, body) => {
    const response = await server.client().send(request).closed();
    expect(response).toBe(`HTTP/1.1 ${status}\r\n${PLAIN}${body ?? status}`);
  });
});

describe('an odd request is served:', () => {
  test.each([
    ['lines that end in LF', 'GET /a HTTP/1.1\nHost: x\n\n', 'GET /a '],
    ['HTTP/1.0 without Host', 'GET /a HTTP/1.0\r\n\r\n', 'GET /a '],
    ['an absolute URL', get('http://elsewhere:9/a?x'), 'GET http://elsewhere:9/a?x '],
    ['an empty Host', 'GET /a HTTP/1.1\r\nHost:\r\n\r\n', 'GET /a '],
    ['a URL of 900 KB', get(`/${'a'.repeat(900_000)}`), 'GET /aaa'],
    ['a header of 900 KB', get('/a', `X: ${'a'.repeat(900_000)}`), 'GET /a '],
    ['2,000 headers and more', get('/a', ...Array.from({ length: 2100 }, (_, i) => `X-${i}: 1`)), 'GET /a '],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 'OPTIONS * '],
    ['another method that Node knows', 'TRACE /a HTTP/1.1\r\nHost: x\r\n\r\n', 'TRACE /a '],
    ['CONNECT', 'CONNECT foo:80 HTTP/1.1\r\nHost: x\r\n\r\n', 'CONNECT foo:80 '],
    ['a GET with a body', `${get('/a', 'Content-Length: 2')}{}`, 'GET /a {}'],
    [
      'an upgrade that nobody offers',
      get('/a', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'),
      'GET /a ',
    ],
    [
      'a WebSocket by POST, with a body',
      'POST /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 2\r\n\r\n{}',
      'POST /a {}',
    ],
  ])('%s', async (_name, request, expected) => {
    const response = await server
      .client()
      .send(request)
      .until(/\r\n\r\n[^]*\n$/);
    expect(response).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(response.slice(response.indexOf('\r\n\r\n') + 4)).toContain(expected);
  });

  test('a connection that wanted h2c goes on', async () => {
    const client = server.client().send(get('/a', 'Connection: Upgrade', 'Upgrade: h2c'));
    await client.until('GET /a ');
    expect(await client.send(get('/b')).until('GET /b ')).toContain('GET /b ');
  });

  test('pipelined requests are answered in order', async () => {
    const client = server.client().send(get('/1') + get('/2') + get('/3', 'Connection: close'));
    expect((await client.closed()).match(/GET \/\d/g)).toEqual(['GET /1', 'GET /2', 'GET /3']);
  });
});

test('Connection: close is honoured', async () => {
  expect(await server.client().send(get('/a', 'Connection: close')).closed()).toContain(
    '\r\nConnection: close\r\n',
  );
});

describe('stopping', () => {
  test('closes idle connections and refuses new ones', async () => {
    const one = await startTestServer((exchange, writer) =>
      writer.write(exchange, { kind: 'text', code: 200, text: 'ok\n' }),
    );
    const client = one.client().send(get('/'));
    await client.until('ok');
    const silent = one.client();
    await new Promise<void>((resolve) => silent.socket.once('connect', () => resolve()));
    await one.stop();
    await client.closed();
    await silent.closed();
    await one.client().closed();
    expect(client.socket.destroyed).toBe(true);
  });

  test('cuts answers that do not come in time', async () => {
    const clock = new VirtualClock();
    let serve: () => void = () => undefined;
    const served = new Promise<void>((resolve) => {
      serve = resolve;
    });
    const one = await startTestServer(() => serve(), { clock });
    const client = one.client().send(get('/'));
    await served;
    const stopped = one.listener.stop();
    clock.advance(29);
    expect(client.socket.destroyed).toBe(false);
    clock.advance(1);
    await stopped;
    expect(await client.closed()).toBe('');
  });

  test('twice is once, and without listening it is nothing', async () => {
    const one = await startTestServer(() => undefined);
    await Promise.all([one.listener.stop(), one.listener.stop()]);
    await one.listener.stop();
    expect(one.writer.openWatches).toBe(0);
  });
});

test('an address that is taken meanwhile is told, and ends nothing', async () => {
  const { createServer } = await import('node:net');
  const { Listener } = await import('../../../mockserver/http/listener.js');
  const other = createServer();
  const told = new Promise((resolve) => {
    const listener = new Listener({
      handler: () => undefined,
      onError: (_message, cause) => resolve(listener.stop().then(() => cause)),
    });
    void listener.listen().then(({ host, port }) => {
      listener.pause();
      other.listen(port, host, () => listener.resume());
    });
  });
  expect(await told).toMatchObject({ code: 'EADDRINUSE' });
  await new Promise((resolve) => other.close(resolve));
});

test('a port in use is an error of listen', async () => {
  const other = await startTestServer(() => undefined);
  await other.listener.stop();
  const { Listener } = await import('../../../mockserver/http/listener.js');
  const listener = new Listener({ handler: () => undefined });
  await expect(listener.listen({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await listener.stop();
});
