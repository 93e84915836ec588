import { StatusError } from '../../../mockserver/ground/status.js';
import { errorAnswer } from '../../../mockserver/http/error-response.js';
import { jsonFormat } from '../../../mockserver/http/json-format.js';
import { silentLogger } from '../../../mockserver/http/logger.js';
import { BODY_LIMIT_BYTES, ClientGoneError, readBody } from '../../../mockserver/http/body.js';
import { startTestServer, type TestServer } from './support.js';

let server: TestServer;
const failures: unknown[] = [];
let failed: () => void = () => undefined;

beforeAll(async () => {
  server = await startTestServer(async (exchange, writer) => {
    if (exchange.req.url === '/unread') {
      await writer.write(exchange, { kind: 'text', code: 415, text: 'unread\n' });
      return;
    }
    try {
      const body = await readBody(exchange);
      await writer.write(exchange, { kind: 'text', code: 200, text: `read ${body.length}\n` });
    } catch (error) {
      failures.push(error);
      failed();
      const answer = errorAnswer(error, {
        accept: undefined,
        pretty: false,
        formats: [jsonFormat],
        logger: silentLogger,
      });
      if (answer !== undefined) await writer.write(exchange, answer);
    }
  });
});
afterAll(() => server.stop());

const post = (path: string, ...headers: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');

const chunk = (bytes: number): string => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`;

describe('a body', () => {
  test.each([
    ['with its length', `${post('/', 'Content-Length: 5')}12345`, 'read 5'],
    ['in chunks', `${post('/', 'Transfer-Encoding: chunked')}${chunk(3)}${chunk(4)}0\r\n\r\n`, 'read 7'],
    [
      'in chunks beside a length',
      `${post('/', 'Content-Length: 1', 'Transfer-Encoding: chunked')}${chunk(3)}0\r\n\r\n`,
      'read 3',
    ],
    ['that is absent', post('/'), 'read 0'],
    [
      'of the greatest length',
      post('/', `Content-Length: ${BODY_LIMIT_BYTES}`) + ' '.repeat(BODY_LIMIT_BYTES),
      `read ${BODY_LIMIT_BYTES}`,
    ],
    [
      'of the greatest length in chunks',
      `${post('/', 'Transfer-Encoding: chunked')}${chunk(BODY_LIMIT_BYTES)}0\r\n\r\n`,
      `read ${BODY_LIMIT_BYTES}`,
    ],
    [
      'called gzip, which is not looked at',
      `${post('/', 'Content-Encoding: gzip', 'Content-Length: 3')}123`,
      'read 3',
    ],
  ])('%s is read', async (_name, request, expected) => {
    expect(
      await server
        .client()
        .send(request)
        .until(/read \d+\n/),
    ).toContain(`${expected}\n`);
  });

  test.each([
    [
      'with its length',
      post('/', `Content-Length: ${BODY_LIMIT_BYTES + 1}`) + ' '.repeat(BODY_LIMIT_BYTES + 1),
    ],
    ['in chunks', `${post('/', 'Transfer-Encoding: chunked')}${chunk(BODY_LIMIT_BYTES + 1)}0\r\n\r\n`],
  ])('one byte too long, %s, is 413, and the connection goes on', async (_name, request) => {
    const client = server.client().send(request);
    const response = await client.until('"code":413}\n');
    expect(response).toContain(
      '"message":"Request entity too large: limit is 3145728","reason":"RequestEntityTooLarge"',
    );
    expect(response).not.toContain('Connection: close');
    client.send(`${post('/', 'Content-Length: 2')}{}`);
    expect(await client.until('read 2')).toContain('read 2');
  });

  test('much too long is 413 and the end of the connection', async () => {
    const client = server.client().send(post('/', `Content-Length: ${BODY_LIMIT_BYTES + 2_000_000}`));
    client.send(' '.repeat(BODY_LIMIT_BYTES + 1));
    const response = await client.until('"code":413}\n');
    expect(response).toContain('Connection: close');
    client.send(' '.repeat(1_999_999));
    expect(await client.closed()).toBe(response);
  });

  test('that its client breaks off does nothing', async () => {
    const before = failures.length;
    const seen = new Promise<void>((resolve) => {
      failed = resolve;
    });
    const client = server.client().send(`${post('/', 'Content-Length: 10')}123`);
    client.socket.end();
    await client.closed();
    await seen;
    expect(failures.slice(before)).toEqual([expect.any(ClientGoneError)]);
    expect(client.text).not.toContain('HTTP/1.1 200');
  });
});

describe('Expect: 100-continue', () => {
  test('is answered when the body is about to be read', async () => {
    const client = server.client().send(post('/', 'Content-Length: 2', 'Expect: 100-Continue'));
    expect(await client.until('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(await client.send('{}').until('read 2')).toContain('HTTP/1.1 200 OK');
  });

  test('is not answered when the body is not wanted, and the connection ends', async () => {
    const client = server.client().send(post('/unread', 'Content-Length: 2', 'Expect: 100-continue'));
    const response = await client.until('unread\n');
    expect(response).toMatch(/^HTTP\/1.1 415 /);
    expect(response).toContain('Connection: close');
    client.socket.end();
    await client.closed();
  });

  test('is not answered without a body', async () => {
    const response = await server.client().send(post('/', 'Expect: 100-continue')).until('read 0');
    expect(response).toMatch(/^HTTP\/1.1 200 /);
  });

  test('with another word is 417', async () => {
    const response = await server
      .client()
      .send(`${post('/', 'Content-Length: 2', 'Expect: zzz')}{}`)
      .closed();
    expect(response).toMatch(
      /^HTTP\/1.1 417 Expectation Failed\r\nConnection: close\r\nContent-Length: 0\r\n/,
    );
  });
});

test('a body that nobody read does not disturb the next request', async () => {
  const client = server.client().send(`${post('/unread', 'Content-Length: 5')}12345`);
  await client.until('unread\n');
  client.send(`${post('/', 'Content-Length: 2')}{}`);
  expect(await client.until('read 2')).toContain('read 2');
});

test('errors of the limit are StatusErrors', () => {
  expect(failures.filter((error) => error instanceof StatusError)).toHaveLength(3);
});
