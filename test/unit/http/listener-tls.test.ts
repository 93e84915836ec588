import { request } from 'node:https';
import { connect } from 'node:tls';
import { jsonFormat } from '../../../mockserver/http/json-format.js';
import { PlayedSource, frameOf, get, startTestServer, type TestServer } from './support.js';
import { LOCALHOST } from './tls-fixture.js';

let server: TestServer;
let source: PlayedSource;

beforeAll(async () => {
  server = await startTestServer(
    (exchange, writer) =>
      writer.write(
        exchange,
        exchange.req.url === '/watch'
          ? { kind: 'watch', source, format: jsonFormat }
          : { kind: 'text', code: 200, text: 'ok\n' },
      ),
    { tls: LOCALHOST },
  );
});
afterAll(() => server.stop());
beforeEach(() => {
  source = new PlayedSource();
  source.offer(frameOf({ type: 'ADDED', object: {} }));
  source.end();
});

/** All that a connection gets, until it is closed. */
function exchangeBytes(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({
      port: server.port,
      host: '127.0.0.1',
      ca: LOCALHOST.cert,
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    socket.on('secureConnect', () => socket.write(bytes));
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

test('an ordinary request is served over TLS', async () => {
  const status = await new Promise((resolve, reject) => {
    request({ port: server.port, host: '127.0.0.1', path: '/', ca: LOCALHOST.cert, agent: false }, (res) => {
      res.resume();
      resolve(res.statusCode);
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(200);
});

test('a watch is streamed over TLS', async () => {
  expect(await exchangeBytes(get('/watch', 'Connection: close'))).toMatch(
    /\r\n\r\n1d\r\n\{"type":"ADDED","object":\{\}\}\n\r\n0\r\n\r\n$/,
  );
});

test('a WebSocket opens over TLS', async () => {
  const response = await exchangeBytes(
    get(
      '/watch',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
      'Origin: https://x',
    ),
  );
  expect(response).toMatch(
    /^HTTP\/1.1 101 [^]*\r\n\r\n\x81\x1d\{"type":"ADDED","object":\{\}\}\n\x88\x02\x03\xe8$/,
  );
});

test('an upgrade that nobody offers is read again over TLS', async () => {
  const response = await exchangeBytes(
    get('/a', 'Connection: Upgrade', 'Upgrade: h2c') + get('/b', 'Connection: close'),
  );
  expect(response.match(/HTTP\/1.1 200 OK/g)).toHaveLength(2);
});

test('stopping closes connections that never finished their handshake', async () => {
  const one = await startTestServer(() => undefined, { tls: LOCALHOST });
  const client = one.client();
  await new Promise<void>((resolve) => client.socket.once('connect', () => resolve()));
  await one.listener.stop();
  expect(await client.closed()).toBe('');
});
