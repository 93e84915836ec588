/** Faults on a server of our own: each touches what it matches, is written in the journal, and leaves nothing behind. */
import { once } from 'node:events';
import { fault, type FaultRule, startMockServer, type MockServer } from '../../mockserver/index.js';
import { begin, closeIdleConnections, type Place, send } from './connection.js';
import { EventStream } from './event-stream.js';

const PATH = '/api/v1/namespaces/default/configmaps';
const MAPS = { resource: 'configmaps' } as const;
const WATCH_LIST = `${PATH}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;

let server: MockServer;
let place: Place;
beforeEach(async () => {
  server = await startMockServer();
  place = { url: server.url, token: '' };
});
afterEach(async () => {
  closeIdleConnections();
  await server.stop();
});

const create = async (name: string, k = '1'): Promise<string> => {
  const { doc } = await send(place, 'POST', PATH, { body: { metadata: { name }, data: { k } } });
  return doc.metadata.resourceVersion;
};

describe('a fault at a request', () => {
  test.each<{ name: string; rule: FaultRule; status: number; reason: string | undefined; retry?: string }>([
    { name: '429', rule: fault.tooManyRequests(MAPS, 3), status: 429, reason: 'TooManyRequests', retry: '3' },
    { name: '500', rule: fault.status(MAPS, 500), status: 500, reason: 'InternalError' },
    { name: '503', rule: fault.status(MAPS, 503), status: 503, reason: 'ServiceUnavailable' },
    { name: '504', rule: fault.status(MAPS, 504), status: 504, reason: 'Timeout' },
    { name: '401', rule: fault.status(MAPS, 401), status: 401, reason: 'Unauthorized' },
    { name: '403', rule: fault.status(MAPS, 403), status: 403, reason: 'Forbidden' },
    { name: '409', rule: fault.status(MAPS, 409), status: 409, reason: 'Conflict' },
    { name: '410', rule: fault.status(MAPS, 410), status: 410, reason: 'Expired' },
    { name: '502 without a reason', rule: fault.status(MAPS, 502), status: 502, reason: undefined },
    {
      name: 'the older reason of 410',
      rule: fault.status(MAPS, { code: 410, reason: 'Gone' }),
      status: 410,
      reason: 'Gone',
    },
  ])('answers $name', async ({ rule, status, reason, retry }) => {
    server.faults.add(rule);
    const answer = await send(place, 'GET', PATH);
    expect(answer.status).toBe(status);
    expect(answer.doc).toMatchObject({ kind: 'Status', status: 'Failure', code: status });
    expect((answer.doc as { reason?: string }).reason).toBe(reason);
    expect(answer.headers['retry-after']).toBe(retry);
  });

  test('touches only what it matches, and only as often as it says', async () => {
    server.faults.add({ ...fault.status({ verb: 'list', ...MAPS, userAgent: 'bad*' }, 503), times: 2 });
    const listAs = async (agent: string): Promise<number> =>
      (await send(place, 'GET', PATH, { headers: { 'User-Agent': agent } })).status;
    expect(await listAs('good/1')).toBe(200);
    expect(await listAs('bad/1')).toBe(503);
    expect((await send(place, 'GET', '/api/v1/secrets', { headers: { 'User-Agent': 'bad/1' } })).status).toBe(
      200,
    );
    expect(await listAs('bad/2')).toBe(503);
    expect(await listAs('bad/1')).toBe(200);
  });

  test('takes place at the n-th request', async () => {
    server.faults.add(fault.status({ verb: 'list', ...MAPS, request: 2 }, 500));
    const codes = [];
    for (let i = 0; i < 3; i++) codes.push((await send(place, 'GET', PATH)).status);
    expect(codes).toEqual([200, 500, 200]);
  });

  test('answers a body of its own', async () => {
    server.faults.add({
      match: MAPS,
      effect: { kind: 'answer', body: '<html>proxy</html>', code: 502, contentType: 'text/html' },
    });
    const answer = await send(place, 'GET', PATH);
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
      502,
      'text/html',
      '<html>proxy</html>',
    ]);
  });

  test('resets the connection', async () => {
    server.faults.add(fault.reset(MAPS));
    await expect(send(place, 'GET', PATH)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(server.journal.all.where({ kind: 'response' }).entries).toMatchObject([
      { code: 0, lost: 'reset' },
    ]);
  });

  test('hangs until the server stops', async () => {
    server.faults.add(fault.hang(MAPS));
    const asked = send(place, 'GET', PATH).then(
      () => 'answered',
      () => 'cut off',
    );
    await server.journal.first('the fault', ({ kind }) => kind === 'fault');
    await server.stop();
    expect(await asked).toBe('cut off');
  });

  test('is over with its scope', async () => {
    {
      using scope = server.faults.add(fault.status(MAPS, 500));
      expect((await send(place, 'GET', PATH)).status).toBe(500);
      expect(scope.fired).toBe(1);
    }
    expect((await send(place, 'GET', PATH)).status).toBe(200);
    expect(server.faults.rules).toEqual([]);
  });

  test('is over with a reset, and a plan names what never fired', async () => {
    server.faults.add({ ...fault.status(MAPS, 500), name: 'first' });
    server.faults.add({ ...fault.status({ resource: 'secrets' }, 500), name: 'second' });
    await send(place, 'GET', PATH);
    expect(server.faults.unfired).toEqual(['second']);
    server.faults.reset();
    expect((await send(place, 'GET', PATH)).status).toBe(200);
  });
});

describe('a write', () => {
  test('is committed once though its answer is lost', async () => {
    const before = await create('lead', 'A');
    const get = async (): Promise<string> =>
      (await send(place, 'GET', `${PATH}/lead`)).doc.metadata.resourceVersion;
    const put = (resourceVersion: string) =>
      send(place, 'PUT', `${PATH}/lead`, {
        body: { metadata: { name: 'lead', resourceVersion }, data: { k: 'B' } },
      });
    server.faults.add({ ...fault.loseAnswer({ verb: 'update', ...MAPS, name: 'lead' }), times: 1 });
    const watch = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${before}`);
    await expect(put(before)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await watch.next()).toMatchObject({ type: 'MODIFIED', object: { data: { k: 'B' } } });
    expect((await put(before)).status).toBe(409);
    expect(Number(await get())).toBe(Number(before) + 1);
    watch.close();
  });

  test('is answered and not committed', async () => {
    server.faults.add({ ...fault.loseCommit({ verb: 'create', ...MAPS }), times: 1 });
    const answer = await send(place, 'POST', PATH, { body: { metadata: { name: 'a' } } });
    expect(answer.status).toBe(201);
    expect((await send(place, 'GET', `${PATH}/a`)).status).toBe(404);
  });

  test('is committed and answered with another status', async () => {
    server.faults.add({
      match: { verb: 'create', ...MAPS },
      effect: { kind: 'lose-answer', by: 'status', status: { code: 504 } },
      times: 1,
    });
    const body = { metadata: { name: 'a' } };
    expect((await send(place, 'POST', PATH, { body })).status).toBe(504);
    expect((await send(place, 'POST', PATH, { body })).doc).toMatchObject({ reason: 'AlreadyExists' });
  });
});

describe('a watch', () => {
  test('ends in good order after so many initial events', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    server.faults.add(fault.endAfterInitialEvents(MAPS, 2));
    const events = await (await EventStream.open(place, WATCH_LIST)).rest();
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED']);
  });

  test('is reset after so many events, which have arrived', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    server.faults.add({ match: { verb: 'watch', event: { number: 3 } }, effect: { kind: 'reset' } });
    const watch = await EventStream.open(place, WATCH_LIST);
    expect((await watch.take(2)).map(({ type }) => type)).toEqual(['ADDED', 'ADDED']);
    await expect(watch.rest()).rejects.toThrow('broke');
  });

  test('never gets its marker, and goes on', async () => {
    await create('a');
    server.faults.add(fault.withholdMarker(MAPS));
    const watch = await EventStream.open(place, WATCH_LIST);
    expect((await watch.next()).type).toBe('ADDED');
    await create('b');
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
    watch.close();
  });

  test('is sent an ERROR event and the end', async () => {
    server.faults.add(fault.errorInWatch(MAPS, 410));
    const events = await (await EventStream.open(place, WATCH_LIST)).rest();
    expect(events).toMatchObject([
      { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } },
    ]);
  });

  test('is sent an ERROR event in the midst of its initial events', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    server.faults.add({
      match: { verb: 'watch', ...MAPS, event: { number: 2 } },
      effect: { kind: 'error', code: 500 },
    });
    const events = await (await EventStream.open(place, WATCH_LIST)).rest();
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ERROR']);
  });

  test('ends at once without an event', async () => {
    await create('a');
    server.faults.add(fault.endWatch(MAPS));
    expect(await (await EventStream.open(place, WATCH_LIST)).rest()).toEqual([]);
  });

  test('one client misses one event and another gets it twice; others lose nothing', async () => {
    server.faults.add(fault.dropEvent({ ...MAPS, userAgent: 'one' }, { type: 'ADDED', name: 'b' }));
    server.faults.add(fault.duplicateEvent({ ...MAPS, userAgent: 'two' }, { type: 'ADDED', name: 'b' }));
    const before = await create('start');
    const open = (agent: string) =>
      EventStream.open(place, `${PATH}?watch=1&resourceVersion=${before}`, {
        headers: { 'User-Agent': agent },
      });
    const watches = await Promise.all(['one', 'two', 'three'].map(open));
    for (const name of ['a', 'b', 'c']) await create(name);
    const seen = await Promise.all(
      watches.map(async (watch, i) => {
        const events = await watch.take([2, 4, 3][i] ?? 0);
        return events.map(({ object }) => object.metadata.name);
      }),
    );
    expect(seen.map((names) => names.join(''))).toEqual(['ac', 'abbc', 'abc']);
    for (const watch of watches) watch.close();
  });

  test('gets one byte a chunk, the same bytes in all', async () => {
    await create('horse', 'žluťoučký 🐎\n');
    const path = `${PATH}?watch=1&timeoutSeconds=1&resourceVersion=1&fieldSelector=metadata.name=horse`;
    const whole = await (await EventStream.open(place, path)).next();
    server.faults.add(fault.splitFrames(MAPS));
    const response = await begin(place, 'GET', path);
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(response, 'end');
    expect(JSON.parse(Buffer.concat(chunks).toString('utf8'))).toEqual(whole);
    expect(chunks.length).toBeGreaterThan(100);
  });

  test('gets half a frame and the end', async () => {
    const before = await create('a');
    server.faults.add(fault.halfFrame(MAPS));
    const response = await begin(place, 'GET', `${PATH}?watch=1&resourceVersion=${before}`);
    await create('b');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer); // as above
    const text = Buffer.concat(chunks).toString('utf8');
    expect(text).toMatch(/^\{"type":"ADDED"/);
    expect(text).not.toContain('\n');
  });

  test('falls behind while it is stalled and gets every event once when it goes on', async () => {
    const before = await create('start');
    using stall = server.faults.add(fault.stall(MAPS));
    const watch = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${before}`);
    const written: string[] = [];
    for (let i = 0; i < 150; i++) written.push(await create(`w-${i}`));
    expect(server.control.watches().map(({ stalled }) => stalled)).toEqual([true]);
    stall.remove();
    const events = await watch.take(150);
    expect(events.map(({ object }) => object.metadata.resourceVersion)).toEqual(written);
    watch.close();
  });

  test('that was stalled beyond the history is told 410', async () => {
    const before = await create('start');
    using stall = server.faults.add(fault.stall(MAPS));
    const watch = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${before}`);
    for (let i = 0; i < 50; i++) await create(`w-${i}`);
    server.control.compact();
    stall.remove();
    const events = await watch.rest();
    expect(events.at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410 } });
  });
});

describe('history', () => {
  test('that is compacted answers 410 below the compaction and serves from there', async () => {
    const first = await create('a');
    await create('b');
    const compacted = server.control.compact();
    const expired = await (await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${first}`)).rest();
    expect(expired).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
    const watch = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${compacted}`);
    await create('c');
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'c' } } });
    watch.close();
  });

  test('a continue token expires with a token for the rest', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    const { doc } = await send(place, 'GET', `${PATH}?limit=1`);
    const token = (doc.metadata as { continue?: string }).continue ?? '';
    server.faults.add({ ...fault.expireContinue(MAPS), times: 1 });
    const answer = await send(place, 'GET', `${PATH}?limit=1&continue=${token}`);
    expect(answer.status).toBe(410);
    const next = (answer.doc.metadata as { continue?: string }).continue ?? '';
    const rest = await send(place, 'GET', `${PATH}?continue=${next}`);
    expect(rest.doc).toMatchObject({ kind: 'ConfigMapList' });
  });

  test('a cache that is built anew ends its watches and refuses new ones', async () => {
    const before = await create('a');
    const watch = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${before}`);
    server.control.reinitialize(MAPS, { times: 1 });
    expect(await watch.rest()).toEqual([]);
    const refused = await send(place, 'GET', `${PATH}?watch=1&resourceVersion=${before}`);
    expect([refused.status, refused.headers['retry-after'], refused.doc]).toMatchObject([
      429,
      '1',
      { message: 'storage is (re)initializing' },
    ]);
  });
});

describe('over HTTP', () => {
  test('rules are added, listed with their counts, and removed', async () => {
    const rule = {
      name: 'no-lists',
      match: { verb: 'list', resource: 'configmaps' },
      effect: { kind: 'status', code: 500 },
    };
    expect((await send(place, 'POST', '/_mock/faults', { body: { rules: [rule] } })).doc).toEqual({
      added: ['no-lists'],
    });
    expect((await send(place, 'GET', PATH)).status).toBe(500);
    expect((await send(place, 'GET', '/_mock/faults')).doc).toEqual({
      rules: [{ name: 'no-lists', matched: 1, fired: 1, rule }],
      unfired: [],
    });
    expect((await send(place, 'DELETE', '/_mock/faults/no-lists')).status).toBe(200);
    expect((await send(place, 'DELETE', '/_mock/faults/no-lists')).status).toBe(404);
    expect((await send(place, 'GET', PATH)).status).toBe(200);
  });

  test('rules come as YAML too', async () => {
    const body = 'rules:\n- match: {resource: configmaps}\n  effect: {kind: status, code: 503}\n';
    const answer = await send(place, 'POST', '/_mock/faults', { body, type: 'application/yaml' });
    expect(answer.doc).toEqual({ added: ['rule-1'] });
    expect((await send(place, 'GET', PATH)).status).toBe(503);
    expect((await send(place, 'DELETE', '/_mock/faults')).status).toBe(200);
    expect((await send(place, 'GET', PATH)).status).toBe(200);
  });

  test('a mistake is answered 400 with its path', async () => {
    const body = { rules: [{ match: { verbs: 'list' }, effect: { kind: 'reset' } }] };
    const answer = await send(place, 'POST', '/_mock/faults', { body });
    expect(answer.status).toBe(400);
    expect((answer.doc as { message?: string }).message).toMatch(
      /^body:1: rules\[0\]\.match\.verbs: is not known here/,
    );
  });

  test('the journal is asked by client, verb and kind', async () => {
    await send(place, 'GET', PATH, { headers: { 'User-Agent': 'my-operator/1' } });
    await send(place, 'GET', `${PATH}/none`, { headers: { 'User-Agent': 'my-operator/1' } });
    await send(place, 'GET', PATH, { headers: { 'User-Agent': 'other' } });
    const journal = async (query: string): Promise<unknown[]> =>
      ((await send(place, 'GET', `/_mock/journal?${query}`)).doc as unknown as { entries: unknown[] })
        .entries;
    expect(await journal('client=my-operator*&kind=response')).toMatchObject([{ code: 200 }, { code: 404 }]);
    expect(await journal('verb=get&kind=request')).toMatchObject([{ client: 'my-operator/1', name: 'none' }]);
    expect((await send(place, 'GET', '/_mock/explain?client=other')).text).toContain(
      'other on configmaps\n  1. lists',
    );
  });

  test('open watches are stalled and go on', async () => {
    const before = await create('a');
    const watch = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${before}`);
    expect((await send(place, 'POST', '/_mock/stall', { body: MAPS })).doc).toEqual({ stalled: 1 });
    await create('b');
    expect((await send(place, 'GET', '/_mock/watchers')).doc).toMatchObject({
      watchers: [{ resource: 'configmaps', stalled: true }],
    });
    expect((await send(place, 'POST', '/_mock/resume')).doc).toEqual({ resumed: 1 });
    expect(await watch.next()).toMatchObject({ object: { metadata: { name: 'b' } } });
    watch.close();
  });

  test('what the mock server answers of its own is not in the journal and meets no fault', async () => {
    server.faults.add(fault.status({}, 500));
    expect((await send(place, 'GET', '/_mock/faults')).status).toBe(200);
    expect((await send(place, 'GET', '/_mock/nothing')).status).toBe(404);
    expect(server.journal.entries).toEqual([]);
  });
});

test.each([0, 100])(
  'a rule at events touches a watch that was open before it, with a journal of %i entries',
  async (journalCapacity) => {
    await using own = await startMockServer({ journalCapacity });
    place = { url: own.url, token: '' };
    const stream = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${await create('first')}`);
    const nameOfNext = async (): Promise<string> => (await stream.next()).object.metadata.name;
    await create('before');
    expect(await nameOfNext()).toBe('before');
    const lossy = own.faults.add(fault.dropEvent(MAPS, { name: 'lost-*' }));
    await create('lost-1');
    await create('kept');
    expect(await nameOfNext()).toBe('kept');
    expect(lossy.fired).toBe(1);
    lossy.remove();
    await create('lost-2');
    expect(await nameOfNext()).toBe('lost-2');
    stream.close();
  },
);
