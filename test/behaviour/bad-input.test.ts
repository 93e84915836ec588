/** Input that is broken, too large, half there, or more than the server knows: an answer, and nothing lost. */
import { connect } from 'node:net';
import { seededRandom, startMockServer } from '../../mockserver/index.js';
import { prepare, send } from './connection.js';
import { ownTest, useTarget } from './target.js';

const target = useTarget('bad');
const post = (body: string | Buffer, query = '') =>
  target.send('POST', target.path(`configmaps${query}`), { body });
const alive = async (): Promise<void> => {
  expect((await target.get('/readyz')).text).toBe('ok');
};
afterEach(alive);

const UNRECOGNIZED =
  "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: ";

test.each([
  ['nothing', '', 'unexpected end of JSON input (<empty>)'],
  ['a cut-off object', '{"metadata":', 'unexpected end of JSON input ({"metadata":)'],
  [
    'a cut-off object that is long',
    `{"metadata":{"name":"${'x'.repeat(100)}`,
    'unexpected end of JSON input ({"metadata":{"name":"xxxxxxxxx ...)',
  ],
  [
    'a trailing comma',
    '{"a":1,}',
    'invalid character \'}\' looking for beginning of object key string ({"a":1,})',
  ],
  ['text behind the object', '{} x', "invalid character 'x' after top-level value ({} x)"],
  ['a comment', '// a', "invalid character '/' looking for beginning of value (2f2f2061)"],
  ['a byte order mark', '\ufeff{}', "invalid character 'ï' looking for beginning of value (efbbbf7b7d)"],
  ['NaN', '{"a":NaN}', 'invalid character \'N\' looking for beginning of value ({"a":NaN})'],
])('%s is a BadRequest that says where', async (_what, body, error) => {
  const { status, doc } = await post(body);
  expect(status).toBe(400);
  expect(doc).toMatchObject({ reason: 'BadRequest', message: UNRECOGNIZED + error });
});

test.each(['[]', '1', '"x"', 'true'])('%s is no object', async (body) => {
  const { status, doc } = await post(body);
  expect(status).toBe(400);
  expect(doc.message).toMatch(/json: cannot unmarshal \w+ into Go value of type struct/);
});

test.each([
  [
    'a number for a string',
    '{"metadata":{"name":"t"},"data":{"k":1}}',
    'number into Go struct field ConfigMap.data of type string',
  ],
  [
    'a string for an object',
    '{"metadata":{"name":"t"},"data":"x"}',
    'string into Go struct field ConfigMap.data of type map[string]string',
  ],
  [
    'a number for labels',
    '{"metadata":{"name":"t","labels":{"a":1}}}',
    'number into Go struct field ObjectMeta.metadata.labels of type string',
  ],
])('%s is a BadRequest that names the field', async (_what, body, error) => {
  const { status, doc } = await post(body);
  expect(status).toBe(400);
  expect(doc.message).toBe(
    `ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal ${error}`,
  );
});

test('a body of 3 MiB is the largest', async () => {
  const limit = 3 * 1024 * 1024;
  const around = '{"metadata":{"name":"large"},"unknown":""}';
  const filled = (length: number): string => around.replace('""', `"${'x'.repeat(length - around.length)}"`);
  expect((await post(filled(limit), '?dryRun=All')).status).toBe(201);
  const { status, doc } = await post(filled(limit + 1));
  expect(status).toBe(413);
  expect(doc).toMatchObject({
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: limit is 3145728',
  });
});

test('a value that the store cannot hold is refused and not stored', async () => {
  const deployments = `/apis/apps/v1/namespaces/${target.namespace}/deployments`;
  const labels = { app: 'heavy' };
  const { status, doc } = await target.send('POST', deployments, {
    body: {
      metadata: { name: 'heavy' },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'c', image: 'i', args: ['x'.repeat(1_600_000)] }] },
        },
      },
    },
  });
  expect(status).toBe(500);
  expect(doc).toMatchObject({ kind: 'Status', message: 'etcdserver: request is too large', code: 500 });
  expect((await target.get(`${deployments}/heavy`)).status).toBe(404);
});

test('nesting of 10,000 levels is the deepest', async () => {
  const nested = (depth: number): string =>
    `{"metadata":{"name":"deep"},"unknown":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  expect((await post(nested(10_000), '?dryRun=All')).status).toBe(201);
  const { status, doc } = await post(nested(10_001), '?dryRun=All');
  expect(status).toBe(400);
  expect(doc.message).toMatch(/json parse error: invalid character '\[' exceeded max depth \(/);
});

test('broken UTF-8 becomes replacement characters', async () => {
  const body = Buffer.concat([
    Buffer.from('{"metadata":{"name":"utf8"},"data":{"k":"a'),
    Buffer.from([0xff, 0xc3, 0x28]),
    Buffer.from('\\ud800"}}'),
  ]);
  const { status, doc } = await post(body);
  expect(status).toBe(201);
  expect(doc.data['k']).toBe('a\ufffd\ufffd(\ufffd');
});

test('names that mean something to JavaScript are names like any other', async () => {
  const { text } = await post(
    '{"metadata":{"name":"proto","labels":{"constructor":"x"}},"data":{"__proto__":"1","toString":"2"}}',
  );
  expect(text).toContain('"data":{"__proto__":"1","toString":"2"}');
  expect(text).toContain('"labels":{"constructor":"x"}');
});

test('of a repeated key the last one counts, and a warning says so', async () => {
  const { status, headers, doc } = await post('{"metadata":{"name":"dup"},"data":{"k":"1","k":"2"}}');
  expect(status).toBe(201);
  expect(doc.data).toEqual({ k: '2' });
  expect(headers['warning']).toBe('299 - "duplicate field \\"data.k\\""');
});

test('unknown parameters are ignored, of a repeated one the first counts', async () => {
  await target.configMap('param');
  const { status, doc } = await target.get(target.path('configmaps?nonsense=1&limit=1&limit=abc&=&&x'));
  expect(status).toBe(200);
  expect(doc.items).toHaveLength(1);
});

test.each([
  ['timeout=1', 'invalid timeout specified in the request URL - time: missing unit in duration "1"'],
  ['timeout=abc', 'invalid timeout specified in the request URL - time: invalid duration "abc"'],
])('%s is a BadRequest', async (query, message) => {
  const { status, doc } = await target.get(target.path(`configmaps?${query}`));
  expect(status).toBe(400);
  expect(doc.message).toBe(message);
});

test('bad YAML is a BadRequest', async () => {
  const { status, doc } = await target.send('POST', target.path('configmaps'), {
    type: 'application/yaml',
    body: 'metadata:\n  name: [a\n',
  });
  expect(status).toBe(400);
  expect(doc.message).toMatch(
    /^the object provided is unrecognized \(must be of type ConfigMap\): yaml: line \d+: /,
  );
});

test('options of a delete that are no JSON are a BadRequest, and nothing is deleted', async () => {
  await target.configMap('kept');
  const { status } = await target.send('DELETE', target.path('configmaps/kept'), { body: '{' });
  expect(status).toBe(400);
  expect((await target.get(target.path('configmaps/kept'))).status).toBe(200);
});

test('a body of chunks is read like any other', async () => {
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const request = prepare(target.place, 'POST', target.path('configmaps'), {
      headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
    });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    request.write('{"metadata":');
    request.end('{"name":"chunked"}}');
  });
  expect(answer).toBe(201);
});

test('a client that vanishes in the middle of its body stores nothing', async () => {
  const request = prepare(target.place, 'POST', target.path('configmaps'), {
    headers: { 'Content-Type': 'application/json', 'Content-Length': '100' },
  });
  const gone = new Promise<void>((resolve) => {
    request.on('error', () => resolve());
    request.on('close', () => resolve());
  });
  await new Promise<void>((resolve) => {
    request.write('{"metadata":{"name":"half"}}', () => resolve());
  });
  request.destroy();
  await gone;
  expect((await target.get(target.path('configmaps/half'))).status).toBe(404);
});

test('many clients that vanish leave a server that answers', async () => {
  for (let i = 0; i < 20; i++) {
    const request = prepare(target.place, i % 2 === 0 ? 'GET' : 'PATCH', target.path('configmaps?watch=1'), {
      headers: i % 2 === 0 ? {} : { 'Content-Length': '10' },
    });
    request.on('error', () => undefined);
    request.flushHeaders();
    request.destroy();
  }
  await alive();
});

describe('bytes that are no request of HTTP', () => {
  const answerTo = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: target.own.server.port, host: '127.0.0.1' });
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
      socket.on('close', () => resolve(text)).on('error', reject);
      socket.write(bytes);
    });

  ownTest.each([
    ['nonsense', 'hello\r\n\r\n', /^HTTP\/1\.1 400 Bad Request\r\n/],
    [
      'a bad escape in the path',
      'GET /api/%zz HTTP/1.1\r\nHost: x\r\n\r\n',
      /^HTTP\/1\.1 400 Bad Request\r\n/,
    ],
    ['no host', 'GET /api HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 Bad Request: missing required Host header\r\n/],
    [
      'headers beyond a mebibyte',
      `GET /api HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(1_060_000)}\r\n\r\n`,
      /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/,
    ],
  ])('%s is answered and the connection closed', async (_what, bytes, answer) => {
    expect(await answerTo(bytes)).toMatch(answer);
  });
});

ownTest('a bug inside is a 500 with its cause in the log, and the server goes on', async () => {
  const logged: unknown[] = [];
  const chance = seededRandom(7);
  let broken = false;
  const cause = new Error('out of dice');
  const server = await startMockServer({
    onError: (message, error) => logged.push(message, error),
    random: {
      next: () => chance.next(),
      uuid: () => {
        if (broken) throw cause;
        return chance.uuid();
      },
    },
  });
  try {
    const place = { url: server.url, token: '' };
    const create = (name: string) =>
      send(place, 'POST', '/api/v1/namespaces/default/configmaps', {
        body: { metadata: { name } },
        headers: { 'Audit-ID': 'mine' },
      });
    broken = true;
    const { status, doc } = await create('a');
    expect(status).toBe(500);
    expect(doc).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Internal error occurred: out of dice',
      reason: 'InternalError',
      details: { causes: [{ message: 'out of dice' }] },
      code: 500,
    });
    expect(logged).toContain(cause);
    broken = false;
    expect((await create('a')).status).toBe(201);
  } finally {
    await server.stop();
  }
});

test('a name with every kind of odd byte is not found rather than fatal', async () => {
  for (const name of ['%00', 'a%23b', '%F0%9F%90%8E', '%FF', "'", '%22', '..%2f..%2fsecrets', 'a%20b']) {
    const { status } = await target.get(target.path(`configmaps/${name}`));
    expect(status).toBe(404);
  }
});
