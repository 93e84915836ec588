import { gunzipSync } from 'node:zlib';
import { writeJson } from '../../../mockserver/ground/json-write.js';
import { StatusError, tooManyRequests } from '../../../mockserver/ground/status.js';
import { type Answer, pageNotFound } from '../../../mockserver/http/answer.js';
import { errorAnswer } from '../../../mockserver/http/error-response.js';
import { type Format } from '../../../mockserver/http/format.js';
import { jsonFormat } from '../../../mockserver/http/json-format.js';
import { silentLogger } from '../../../mockserver/http/logger.js';
import { yamlFormat } from '../../../mockserver/http/yaml-format.js';
import { configMap, get, startTestServer, unchunked, type TestServer } from './support.js';

const json = { format: jsonFormat, pretty: false };

let server: TestServer;
let answer: Answer;
const written: (Promise<void> | undefined)[] = [];

beforeAll(async () => {
  server = await startTestServer((exchange, writer) => {
    const done = writer.write(exchange, answer);
    written.push(done);
    return done;
  });
});
afterAll(() => server.stop());

/** The whole response to one request on a connection of its own. */
async function respond(to: Answer, request = get('/', 'Connection: close')): Promise<string> {
  answer = to;
  return server.client().send(request).closed();
}

const headOf = (response: string): string[] => response.slice(0, response.indexOf('\r\n\r\n')).split('\r\n');
const bodyOf = (response: string): string => response.slice(response.indexOf('\r\n\r\n') + 4);

const sized = (bytes: number): Answer => ({
  kind: 'value',
  code: 200,
  value: 'x'.repeat(bytes - 3),
  encoding: json,
});

describe('headers', () => {
  test('are those of a real server, in its order', async () => {
    const response = await respond(
      { kind: 'object', code: 201, object: configMap('a'), encoding: json, warnings: ['a "b"', 'é'] },
      get('/', 'Audit-ID: mine <1>', 'Connection: close'),
    );
    expect(headOf(response).filter((line) => !line.startsWith('Date: '))).toEqual([
      'HTTP/1.1 201 Created',
      'Audit-Id: mine <1>',
      'Cache-Control: no-cache, private',
      'Content-Type: application/json',
      'Warning: 299 - "a \\"b\\""',
      `Warning: 299 - "${Buffer.from('é').toString('latin1')}"`,
      'X-Kubernetes-Pf-Flowschema-Uid: flow-uid',
      'X-Kubernetes-Pf-Prioritylevel-Uid: level-uid',
      'Content-Length: 80',
      'Connection: close',
    ]);
  });

  test('say nothing about a connection that stays open', async () => {
    answer = pageNotFound();
    const client = server.client().send(get('/'));
    const response = await client.until('404 page not found\n');
    expect(response).not.toMatch(/^(Connection|Keep-Alive):/im);
    client.send(get('/', 'Connection: close'));
    expect((await client.closed()).split('HTTP/1.1 404')).toHaveLength(3);
  });

  test('have an audit id of their own when the client sends none', async () => {
    const response = await respond(pageNotFound());
    expect(response).toMatch(
      /^Audit-Id: [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\r$/m,
    );
  });

  test('can be replaced, whatever their case', async () => {
    const response = await respond({ ...pageNotFound(), headers: [['cache-control', 'public']] });
    expect(headOf(response).filter((line) => /^cache-control/i.test(line))).toEqual([
      'cache-control: public',
    ]);
  });

  test('of plain text forbid sniffing', async () => {
    const response = await respond(pageNotFound());
    expect(headOf(response)).toEqual(
      expect.arrayContaining(['Content-Type: text/plain; charset=utf-8', 'X-Content-Type-Options: nosniff']),
    );
  });
});

describe('the body', () => {
  test.each([
    [2048, 'Content-Length: 2048', true],
    [2049, 'Transfer-Encoding: chunked', false],
  ])('of %d bytes comes with %s', async (bytes, line, whole) => {
    const response = await respond(sized(bytes));
    expect(headOf(response)).toContain(line);
    expect((whole ? bodyOf(response) : unchunked(response)).length).toBe(bytes);
  });

  test('of a HEAD stays away, its Content-Length does not', async () => {
    const response = await respond(sized(100), 'HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(headOf(response)).toContain('Content-Length: 100');
    expect(bodyOf(response)).toBe('');
  });

  test('of a HEAD that would be long has no length at all', async () => {
    const response = await respond(sized(5000), 'HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(response).not.toMatch(/^(Content-Length|Transfer-Encoding)/im);
    expect(bodyOf(response)).toBe('');
  });

  test('ends with the connection for HTTP/1.0', async () => {
    const response = await respond(sized(5000), 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
    expect(response).not.toMatch(/^(Content-Length|Transfer-Encoding|Connection)/im);
    expect(bodyOf(response)).toHaveLength(5000);
  });

  test('with a length keeps an HTTP/1.0 connection that asks for it', async () => {
    answer = sized(10);
    const client = server.client().send('GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
    expect(await client.until('xxxxxxx"\n')).toContain('Connection: keep-alive');
    client.send('GET / HTTP/1.0\r\n\r\n');
    expect((await client.closed()).split('HTTP/1.1 200')).toHaveLength(3);
  });

  test('that is there already has its length however long', async () => {
    const response = await respond({
      kind: 'bytes',
      code: 200,
      contentType: 'application/json',
      bytes: Buffer.alloc(5000, 'x'),
    });
    expect(headOf(response)).toContain('Content-Length: 5000');
    expect(bodyOf(response)).toHaveLength(5000);
  });

  test('of an empty answer has length 0, of a 304 none', async () => {
    expect(headOf(await respond({ kind: 'empty', code: 406 }))).toContain('Content-Length: 0');
    expect(await respond({ kind: 'empty', code: 304 })).not.toMatch(/^Content-Length/im);
  });

  test('in YAML says so', async () => {
    const response = await respond({
      kind: 'object',
      code: 200,
      object: configMap('a'),
      encoding: { format: yamlFormat, pretty: false },
    });
    expect(headOf(response)).toContain('Content-Type: application/yaml');
    expect(bodyOf(response)).toBe('apiVersion: v1\ndata:\n  k: v\nkind: ConfigMap\nmetadata:\n  name: a\n');
  });
});

describe('compression', () => {
  const gzipped = get('/', 'Accept-Encoding: deflate, gzip', 'Connection: close');
  const THRESHOLD = 131_072;

  test('is for bodies above 128 KiB', async () => {
    const response = await respond(sized(THRESHOLD + 1), gzipped);
    expect(headOf(response)).toEqual(
      expect.arrayContaining(['Content-Encoding: gzip', 'Vary: Accept-Encoding']),
    );
    const body = gunzipSync(Buffer.from(unchunked(response), 'latin1'));
    expect(body).toHaveLength(THRESHOLD + 1);
  });

  test.each([
    ['a body of exactly 128 KiB', THRESHOLD, gzipped],
    [
      'a client that does not accept it',
      THRESHOLD + 1,
      get('/', 'Accept-Encoding: identity', 'Connection: close'),
    ],
  ])('is not for %s', async (_name, bytes, request) => {
    const response = await respond(sized(bytes), request);
    expect(response).not.toMatch(/^(Content-Encoding|Vary)/im);
    expect(unchunked(response)).toHaveLength(bytes);
  });
});

/** A list format that counts the pieces taken of it. */
function counting(
  pieces: number,
  bytes: number,
): { format: Format; taken: () => number; ended: () => boolean } {
  let taken = 0;
  let ended = false;
  function* list(): Generator<Buffer> {
    try {
      for (; taken < pieces; taken++) yield Buffer.alloc(bytes, 'z');
    } finally {
      ended = true;
    }
  }
  return { format: { ...jsonFormat, list }, taken: () => taken, ended: () => ended };
}

const listIn = (format: Format): Answer => ({
  kind: 'list',
  head: {},
  items: [],
  itemForm: 'whole',
  memberOrder: 'typed',
  encoding: { format, pretty: false },
});

describe('a long list', () => {
  test.each([
    [
      'as it is',
      get('/', 'Connection: close'),
      (response: string): Buffer => Buffer.from(unchunked(response), 'latin1'),
    ],
    [
      'compressed',
      get('/', 'Connection: close', 'Accept-Encoding: gzip'),
      (response: string): Buffer => gunzipSync(Buffer.from(unchunked(response), 'latin1')),
    ],
  ])('arrives whole, %s, with pieces of all lengths', async (_name, request, decode) => {
    const items = Array.from({ length: 300 }, (_, i) => configMap(`c${i}`, `${i}`.repeat(i * 40)));
    const value = { kind: 'ConfigMapList', items: items.map(({ object }) => object) };
    const response = await respond(
      {
        kind: 'list',
        head: { kind: 'ConfigMapList' },
        items,
        itemForm: 'whole',
        memberOrder: 'typed',
        encoding: json,
      },
      request,
    );
    expect(decode(response).toString()).toBe(`${writeJson(value)}\n`);
  });

  test('is made only as fast as the client reads it', async () => {
    const { format, taken, ended } = counting(3000, 100_000);
    answer = listIn(format);
    const client = server.client().send(get('/', 'Connection: close'));
    await client.until('zzz');
    client.socket.pause();
    // The kernel's buffers fill up; then the count stands still, far below the end.
    let before = -1;
    while (taken() !== before) {
      before = taken();
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(taken()).toBeLessThan(1500);
    client.destroy();
    await written.at(-1);
    expect(ended()).toBe(true);
  });

  test('whose encoding fails half-way is cut, not ended', async () => {
    const failing: Format = {
      ...jsonFormat,
      *list() {
        yield Buffer.alloc(100_000, 'z');
        throw new Error('broken');
      },
    };
    const response = await respond(listIn(failing));
    expect(response).toContain('HTTP/1.1 200 OK');
    expect(response.endsWith('0\r\n\r\n')).toBe(false);
  });

  test('whose encoding fails at once can still be answered', async () => {
    const failing: Format = {
      ...jsonFormat,
      list() {
        throw new Error('broken');
      },
    };
    answer = listIn(failing);
    const failingServer = await startTestServer(async (exchange, writer) => {
      try {
        await writer.write(exchange, answer);
      } catch {
        await writer.write(exchange, pageNotFound());
      }
    });
    const response = await failingServer.client().send(get('/', 'Connection: close')).closed();
    await failingServer.stop();
    expect(response).toContain('HTTP/1.1 404 Not Found');
  });
});

describe('an error', () => {
  const context = {
    accept: undefined,
    pretty: false,
    formats: [jsonFormat, yamlFormat],
    logger: silentLogger,
  };
  const respondTo = async (error: unknown, accept?: string): Promise<string> => {
    const made = errorAnswer(error, { ...context, accept });
    if (made === undefined) throw new Error('no answer');
    return respond(made);
  };

  test('is its Status, with Retry-After when it says when', async () => {
    const response = await respondTo(tooManyRequests('busy', 3));
    expect(headOf(response)).toEqual(
      expect.arrayContaining([
        'HTTP/1.1 429 Too Many Requests',
        'Retry-After: 3',
        'Content-Type: application/json',
      ]),
    );
    expect(bodyOf(response)).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"busy","reason":"TooManyRequests","details":{"retryAfterSeconds":3},"code":429}\n',
    );
  });

  test('follows Accept', async () => {
    expect(headOf(await respondTo(tooManyRequests('busy', 1), 'application/yaml'))).toContain(
      'Content-Type: application/yaml',
    );
  });

  test('is indented JSON without a newline when Accept matches nothing', async () => {
    const response = await respondTo(
      tooManyRequests('busy', 1),
      'application/json;as=Table;g=meta.k8s.io;v=v1',
    );
    expect(headOf(response)).toContain('Content-Type: application/json');
    expect(bodyOf(response)).toMatch(/^\{\n {2}"kind": "Status",[^]*\n\}$/);
  });

  test('that nobody expected is 500 InternalError, and logged', () => {
    const logged: unknown[] = [];
    const cause = new TypeError('x is not a function');
    const made = errorAnswer(cause, { ...context, logger: { error: (_text, error) => logged.push(error) } });
    expect(logged).toEqual([cause]);
    expect(made).toMatchObject({
      code: 500,
      value: { reason: 'InternalError', message: 'Internal error occurred: x is not a function' },
    });
  });

  test('of a 413 has the words of a real server', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 413 } as const;
    expect(await respondTo(new StatusError(status))).toMatch(/^HTTP\/1.1 413 Request Entity Too Large\r\n/);
  });
});
