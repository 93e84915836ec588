import { jsonFormat } from '../../../mockserver/http/json-format.js';
import { pageNotFound } from '../../../mockserver/http/answer.js';
import { ClientFrames, encodeFrame } from '../../../mockserver/http/websocket-frames.js';
import { PlayedSource, frameOf, get, startTestServer, type RawClient, type TestServer } from './support.js';

let server: TestServer;
let source: PlayedSource;
let done: Promise<void> | undefined;

beforeEach(async () => {
  source = new PlayedSource();
  server = await startTestServer((exchange, writer) => {
    done = writer.write(
      exchange,
      exchange.req.url === '/watch' ? { kind: 'watch', source, format: jsonFormat } : pageNotFound(),
    );
    return done;
  });
});
afterEach(() => server.stop());

const UPGRADE = ['Connection: keep-alive, Upgrade', 'Upgrade: WebSocket'];
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const VERSION = 'Sec-WebSocket-Version: 13';
const ORIGIN = 'Origin: http://x';
const ACCEPTED =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n';
const NORMAL_CLOSE = '\x88\x02\x03\xe8';

/** A masked client frame; the mask is 1, 2, 3, 4. */
function masked(opcode: number, payload: string): Buffer {
  const bytes = Buffer.from(payload, 'latin1').map((byte, i) => byte ^ ((i % 4) + 1));
  const head = bytes.length < 126 ? [0x80 | bytes.length] : [0xfe, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...head, 1, 2, 3, 4]), bytes]);
}

async function opened(): Promise<RawClient> {
  const client = server.client().send(get('/watch', ...UPGRADE, KEY, VERSION, ORIGIN));
  expect(await client.until('\r\n\r\n')).toBe(`${ACCEPTED}\r\n`);
  return client;
}

test('each event is one text message with its newline, then close 1000', async () => {
  const client = await opened();
  const big = frameOf({ type: 'ADDED', object: { text: 'x'.repeat(200) } });
  const huge = frameOf({ type: 'ADDED', object: { text: 'x'.repeat(70_000) } });
  source.offer(frameOf({ type: 'ADDED', object: {} }), big, huge);
  source.end();
  const response = Buffer.from(await client.closed(), 'latin1').subarray(ACCEPTED.length + 2);
  const small = '{"type":"ADDED","object":{}}\n';
  const bigBytes = big.bytes(jsonFormat);
  const hugeBytes = huge.bytes(jsonFormat);
  expect(response).toEqual(
    Buffer.concat([
      Buffer.from([0x81, small.length]),
      Buffer.from(small),
      Buffer.from([0x81, 126, bigBytes.length >> 8, bigBytes.length & 255]),
      bigBytes,
      Buffer.from([
        0x81,
        127,
        0,
        0,
        0,
        0,
        0,
        hugeBytes.length >> 16,
        (hugeBytes.length >> 8) & 255,
        hugeBytes.length & 255,
      ]),
      hugeBytes,
      Buffer.from(NORMAL_CLOSE, 'latin1'),
    ]),
  );
  await done;
  expect(source.closed).toBe(1);
});

// Answers of kube-apiserver 1.36.3.
describe('the handshake', () => {
  test.each([
    ['without Origin', [KEY, VERSION], 'HTTP/1.1 403 Forbidden\r\n\r\n'],
    ['with Origin null', [KEY, VERSION, 'Origin: null'], 'HTTP/1.1 403 Forbidden\r\n\r\n'],
    ['with an Origin that is no URL', [KEY, VERSION, 'Origin: foo'], 'HTTP/1.1 403 Forbidden\r\n\r\n'],
    ['with a wrong escape in Origin', [KEY, VERSION, 'Origin: zz%zz'], 'HTTP/1.1 403 Forbidden\r\n\r\n'],
    [
      'with two protocols',
      [KEY, VERSION, ORIGIN, 'Sec-WebSocket-Protocol: a, b'],
      'HTTP/1.1 400 Bad Request\r\n\r\n',
    ],
    ['without a key', [VERSION, ORIGIN], 'HTTP/1.1 400 Bad Request\r\n\r\nmismatch challenge/response'],
    [
      'of version 8',
      [KEY, 'Sec-WebSocket-Version: 8', ORIGIN],
      'HTTP/1.1 400 Bad Request\r\nSec-WebSocket-Version: 13\r\n\r\nmissing or bad WebSocket Version',
    ],
  ])('%s is refused, and the watch closed', async (_name, headers, expected) => {
    const client = server.client().send(get('/watch', ...UPGRADE, ...headers));
    expect(await client.closed()).toBe(expected);
    await done;
    expect(source.closed).toBe(1);
  });

  test.each(['Origin: /foo', 'Origin: a:b'])('with %s is accepted', async (origin) => {
    const client = server.client().send(get('/watch', ...UPGRADE, KEY, VERSION, origin));
    expect(await client.until('\r\n\r\n')).toContain('101 Switching Protocols');
  });

  test('names the one protocol offered', async () => {
    const client = server
      .client()
      .send(get('/watch', ...UPGRADE, KEY, VERSION, ORIGIN, 'Sec-WebSocket-Protocol: foo'));
    expect(await client.until('\r\n\r\n')).toBe(`${ACCEPTED}Sec-WebSocket-Protocol: foo\r\n\r\n`);
  });
});

describe('the client', () => {
  test('that closes is answered with a close, and the watch is closed', async () => {
    const client = await opened();
    client.send(masked(8, '\x03\xe8'));
    expect((await client.closed()).endsWith(`\r\n\r\n${NORMAL_CLOSE}`)).toBe(true);
    await done;
    expect(source.closed).toBe(1);
  });

  test('that closes with its request is understood too', async () => {
    const request = Buffer.from(get('/watch', ...UPGRADE, KEY, VERSION, ORIGIN));
    const client = server.client().send(Buffer.concat([request, masked(8, '')]));
    expect((await client.closed()).endsWith(NORMAL_CLOSE)).toBe(true);
  });

  test('that pings gets its payload back', async () => {
    const client = await opened();
    client.send(masked(9, 'ab'));
    expect(await client.until('\x8a\x02ab')).toContain('\x8a\x02ab');
  });

  test('that talks is not listened to', async () => {
    const client = await opened();
    client.send(Buffer.concat([masked(1, 'y'.repeat(300)), masked(9, 'z')]));
    expect(await client.until('\x8a\x01z')).toBe(`${ACCEPTED}\r\n\x8a\x01z`);
  });

  test('that does not mask is told of a protocol error', async () => {
    const client = await opened();
    client.send('\x81\x02ab');
    expect((await client.closed()).endsWith(`\x88\x02\x03\xea${NORMAL_CLOSE}`)).toBe(true);
  });

  test('that goes away ends the watch', async () => {
    const client = await opened();
    client.destroy();
    await done;
    expect([source.closed, server.writer.openWatches]).toEqual([1, 0]);
  });
});

test('an answer that is no watch is an ordinary answer', async () => {
  const client = server.client().send(get('/other', ...UPGRADE, KEY, VERSION, ORIGIN));
  const response = await client.closed();
  expect(response).toMatch(/^HTTP\/1.1 404 Not Found\r\n/);
  expect(response.endsWith('\r\n\r\n404 page not found\n')).toBe(true);
});

test('stopping the server closes it in good order', async () => {
  const client = await opened();
  await server.listener.stop();
  expect((await client.closed()).endsWith(NORMAL_CLOSE)).toBe(true);
});

test('client frames are understood however they are cut', () => {
  const bytes = Buffer.concat([
    masked(1, 'x'.repeat(130)),
    masked(9, 'pp'),
    masked(2, ''),
    masked(9, ''),
    masked(8, ''),
  ]);
  const frames = new ClientFrames();
  const signals = [...bytes].flatMap((byte) => frames.push(Buffer.from([byte])));
  expect(signals).toEqual([
    { kind: 'ping', payload: Buffer.from('pp') },
    { kind: 'ping', payload: Buffer.alloc(0) },
    { kind: 'close' },
  ]);
});

test('binary messages have their own opcode', () => {
  expect(encodeFrame('binary', Buffer.from([7]))).toEqual(Buffer.from([0x82, 1, 7]));
});
