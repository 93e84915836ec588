/** The logs of pods: lines that the user gives, asked for as clients ask a real server. */
import { startMockServer, type MockServer } from '../../mockserver/index.js';

let server: MockServer;

beforeAll(async () => {
  server = await startMockServer({ frozenAt: '2026-01-01T00:00:00Z' });
  await pod('one', ['a']);
  await pod('two', ['a', 'b']);
});
afterAll(() => server.stop());
afterEach(() => server.logs.clear());

const pods = (rest = ''): string => `${server.url}/api/v1/namespaces/default/pods${rest}`;

async function pod(name: string, containers: readonly string[], labels: object = {}): Promise<void> {
  const answer = await fetch(pods(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      metadata: { name, labels },
      spec: { containers: containers.map((container) => ({ name: container, image: 'i' })) },
    }),
  });
  expect(answer.status).toBe(201);
}

const log = (name: string, query = ''): Promise<Response> => fetch(pods(`/${name}/log?${query}`));
const text = async (name: string, query = ''): Promise<string> => (await log(name, query)).text();
const message = async (answer: Response): Promise<unknown> =>
  ((await answer.json()) as { message: unknown }).message;

const THREE = [
  { time: '2025-12-31T23:59:40Z', text: 'one' },
  { time: '2025-12-31T23:59:50Z', text: 'two' },
  { time: '2025-12-31T23:59:59.5Z', text: 'three' },
];

test('a pod without a node and without lines answers 204', async () => {
  expect((await log('one')).status).toBe(204);
});

test('lines are answered as plain text, in chunks', async () => {
  server.logs.add({ pod: 'one', lines: ['hello', 'world'] });
  const answer = await log('one');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain');
  expect(answer.headers.get('content-length')).toBeNull();
  expect(await answer.text()).toBe('hello\nworld\n');
});

test.each([
  ['nothing', '', 'one\ntwo\nthree\n'],
  ['tailLines', 'tailLines=2', 'two\nthree\n'],
  ['no line', 'tailLines=0', ''],
  ['more lines than there are', 'tailLines=9', 'one\ntwo\nthree\n'],
  ['limitBytes in the middle of a line', 'limitBytes=6', 'one\ntw'],
  ['sinceSeconds', 'sinceSeconds=10', 'two\nthree\n'],
  ['sinceTime', 'sinceTime=2025-12-31T23:59:51Z', 'three\n'],
  ['a tail that is older than the time', 'tailLines=2&sinceSeconds=5', 'three\n'],
  [
    'timestamps',
    'timestamps=true&tailLines=2',
    '2025-12-31T23:59:50.000000000Z two\n2025-12-31T23:59:59.500000000Z three\n',
  ],
  ['bytes with timestamps', 'timestamps=true&limitBytes=33', '2025-12-31T23:59:40.000000000Z on'],
])('a log is asked for with %s', async (_, query, expected) => {
  server.logs.add({ pod: 'one', lines: THREE });
  expect(await text('one', query)).toBe(expected);
});

test.each([
  [
    'tailLines=-1',
    422,
    'PodLogOptions "one" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'limitBytes=0',
    422,
    'PodLogOptions "one" is invalid: limitBytes: Invalid value: 0: must be greater than 0',
  ],
  ['sinceSeconds=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ['container=zz', 400, 'container zz is not valid for pod one'],
  ['previous=true', 400, 'previous terminated container "a" in pod "one" not found'],
])('%s is refused with the words of a real server', async (query, code, words) => {
  server.logs.add({ pod: 'one', lines: THREE });
  const answer = await log('one', query);
  expect([answer.status, await message(answer)]).toEqual([code, words]);
});

test('a container is to be named where there are several', async () => {
  server.logs.add({ pod: 'two', container: 'b', lines: 'from b' });
  expect(await message(await log('two'))).toBe(
    'a container name must be specified for pod two, choose one of: [a b]',
  );
  expect((await log('two', 'container=a')).status).toBe(204);
  expect(await text('two', 'container=b')).toBe('from b\n');
});

test('the run before has a log of its own', async () => {
  server.logs.add({ pod: 'one', lines: 'now' }, { pod: 'one', previous: true, lines: 'before\ncrashed' });
  expect(await text('one')).toBe('now\n');
  expect(await text('one', 'previous=true')).toBe('before\ncrashed\n');
});

test('lines can be for every pod with some labels, in one namespace', async () => {
  await pod('labelled', ['a'], { app: 'web' });
  server.logs.add(
    { labels: { app: 'web' }, lines: 'web' },
    { labels: { app: 'web' }, namespace: 'other', lines: 'elsewhere' },
  );
  expect(await text('labelled')).toBe('web\n');
  expect((await log('one')).status).toBe(204);
});

test('a log that is followed goes on with further lines until its pod is gone', async () => {
  await pod('followed', ['a']);
  server.logs.add({ pod: 'followed', lines: ['first'] });
  const answer = await log('followed', 'follow=true');
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect(await reader?.read()).toEqual({ done: false, value: 'first\n' });
  server.logs.add({ pod: 'one', lines: 'of another' }, { pod: 'followed', lines: 'second' });
  expect(await reader?.read()).toEqual({ done: false, value: 'second\n' });
  await fetch(pods('/followed'), { method: 'DELETE' });
  expect(await reader?.read()).toEqual({ done: true, value: undefined });
});

test('a log that is followed ends when its bytes are used up', async () => {
  server.logs.add({ pod: 'one', lines: ['first'] });
  const answer = await log('one', 'follow=true&limitBytes=8');
  server.logs.add({ pod: 'one', lines: 'second' });
  expect(await answer.text()).toBe('first\nse');
});

describe('over HTTP', () => {
  const logs = (method: string, body?: string): Promise<Response> =>
    fetch(`${server.url}/_mock/logs`, { method, ...(body === undefined ? {} : { body }) });

  test('lines are added, shown and forgotten', async () => {
    expect(await (await logs('POST', '[{"pod": "one", "lines": "a\\nb"}]')).json()).toEqual({ added: 1 });
    expect(await text('one')).toBe('a\nb\n');
    expect(await (await logs('GET')).json()).toEqual({
      logs: [
        { pod: 'one', lines: ['a', 'b'].map((line) => ({ time: '2026-01-01T00:00:00.000Z', text: line })) },
      ],
    });
    await logs('DELETE');
    expect((await log('one')).status).toBe(204);
  });

  test.each([
    ['{"pods": "one", "lines": []}', /logs\[0\]\.pods: is not known here/],
    ['{"pod": "one"}', /logs\[0\]\.lines: is required/],
    ['{"lines": [{"time": "noon", "text": ""}]}', /time: "noon" is no time/],
  ])('%s is refused', async (body, words) => {
    const answer = await logs('POST', body);
    expect(answer.status).toBe(400);
    expect(await message(answer)).toMatch(words);
  });
});

test('reset goes back to the lines of the options', () => {
  const cluster = server.createCluster({ logs: [{ pod: 'p', lines: 'from the start' }] });
  cluster.logs.add({ pod: 'p', lines: 'later' });
  cluster.reset();
  expect(cluster.logs.entries.map(({ lines }) => lines)).toEqual([
    [{ time: expect.any(String) as string, text: 'from the start' }],
  ]);
});
