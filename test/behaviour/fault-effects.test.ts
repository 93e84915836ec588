/** Effects beyond those of faults.test.ts, each where it belongs: request, list, watch, cache, store, server. */
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { fault, type FaultRule, type MockServer, startMockServer } from '../../mockserver/index.js';
import { begin, closeIdleConnections, type Place, send } from './connection.js';
import { type Doc, type WatchEvent } from './documents.js';
import { EventStream } from './event-stream.js';
import { ObservedClock } from './observed-clock.js';

const PATH = '/api/v1/namespaces/default/configmaps';
const MAPS = { resource: 'configmaps' } as const;
const WATCH_LIST = `${PATH}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;

let clock: ObservedClock;
let server: MockServer;
let place: Place;
beforeEach(async () => {
  clock = new ObservedClock();
  server = await startMockServer({ clock });
  place = { url: server.url, token: '' };
});
afterEach(async () => {
  closeIdleConnections();
  await server.stop();
});

const create = async (name: string, data: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await send(place, 'POST', PATH, { body: { metadata: { name }, data } })).doc.metadata.resourceVersion;
const names = (list: Doc): string[] => list.items.map(({ metadata }) => metadata.name);
const versionOf = (list: Doc): number => Number(list.metadata.resourceVersion);
const tokenOf = (list: Doc): string => list.metadata.continue;
const list = async (query = '', at: Place = place): Promise<Doc> =>
  (await send(at, 'GET', `${PATH}${query}`)).doc;
const fired = (): string[] => server.journal.all.faults.map(({ effect }) => effect);

async function chunksOf(path: string): Promise<Buffer[]> {
  const response = await begin(place, 'GET', path);
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(response, 'close');
  return chunks;
}

describe('requests', () => {
  test('a write is committed at once and answered late', async () => {
    server.faults.add(fault.delayAnswer({ verb: 'create' }, 5000));
    const waiting = clock.asked(5000);
    const answer = create('a');
    await waiting;
    expect(names(await list())).toContain('a');
    clock.advance(5000);
    await answer;
  });

  test('a body is cut off, compressed as it was', async () => {
    for (let i = 0; i < 60; i++) await create(`m-${i}`, { text: 'x'.repeat(4000) });
    server.faults.add(fault.cutBody({ verb: 'list', ...MAPS }, 1000));
    const response = await begin(place, 'GET', PATH, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(response.headers['content-encoding']).toBe('gzip');
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    await expect(once(response, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
    const got = Buffer.concat(chunks);
    expect(got).toHaveLength(1000);
    expect(() => gunzipSync(got)).toThrow('unexpected end of file');
  });

  test('a body comes so many bytes a second', async () => {
    await create('a', { text: 'x'.repeat(500) });
    const whole = await send(place, 'GET', `${PATH}/a`);
    server.faults.add(fault.bandwidth({ verb: 'get', ...MAPS }, 1000));
    let asked = clock.asked(100);
    const answer = send(place, 'GET', `${PATH}/a`);
    for (let left = whole.bytes.length; left > 0; left -= 100) {
      await asked;
      asked = clock.asked(Math.min(left - 100, 100));
      clock.advance(100);
    }
    expect((await answer).text).toBe(whole.text);
  });

  test('connections are refused for a while', async () => {
    server.faults.add({ ...fault.refuseConnections({ verb: 'list' }, 3000), times: 1 });
    await expect(send(place, 'GET', PATH)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(send(place, 'GET', PATH)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    clock.advance(3000);
    expect((await send(place, 'GET', PATH)).status).toBe(200);
  });
});

describe('lists', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c', 'd']) await create(name);
  });

  test('come in pages, even those that ask for version 0', async () => {
    server.faults.add(fault.pageSize(MAPS, 2));
    const first = await list('?resourceVersion=0');
    expect(names(first)).toHaveLength(2);
    const second = await list(`?continue=${tokenOf(first)}`);
    expect(names(second)).toHaveLength(2);
    expect(versionOf(second)).toBe(versionOf(first));
  });

  test('go on at the state of now', async () => {
    const first = await list('?limit=2');
    await create('z');
    server.faults.add({ ...fault.inconsistentContinue(MAPS), times: 1 });
    const rest = await list(`?continue=${tokenOf(first)}`);
    expect(names(rest)).toContain('z');
    expect(versionOf(rest)).toBeGreaterThan(versionOf(first));
    expect(names(await list(`?continue=${tokenOf(first)}`))).not.toContain('z');
  });

  test('expire at the page that a rule names, in each list', async () => {
    server.faults.add(fault.expireContinue({ ...MAPS, page: 3 }));
    for (let i = 0; i < 2; i++) {
      const first = await list('?limit=1');
      const second = await list(`?limit=1&continue=${tokenOf(first)}`);
      expect(second.kind).toBe('ConfigMapList');
      expect(await list(`?limit=1&continue=${tokenOf(second)}`)).toMatchObject({ code: 410 });
    }
  });
});

describe('watches', () => {
  test('drip', async () => {
    const before = await create('start');
    server.faults.add(fault.drip(MAPS, 100, 2));
    const watch = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${before}`);
    for (const name of ['a', 'b', 'c', 'd']) await create(name);
    clock.advance(100);
    expect((await watch.take(2)).map(({ object }) => object.metadata.name)).toEqual(['a', 'b']);
    clock.advance(100);
    expect((await watch.take(2)).map(({ object }) => object.metadata.name)).toEqual(['c', 'd']);
    expect(server.journal.all.where({ kind: 'queue' }).entries).toMatchObject([{ state: 'stalled' }]);
    watch.close();
  });

  test('end after so long as their timeout has them', async () => {
    server.faults.add(fault.timeoutWatch(MAPS, 1000));
    const watch = await EventStream.open(place, WATCH_LIST);
    clock.advance(1000);
    expect((await watch.rest()).map(({ type }) => type)).toContain('BOOKMARK');
  });

  test.each<{ name: string; rule: FaultRule; expected: string }>([
    { name: 'one event behind the next', rule: fault.reorderEvent(MAPS, { name: 'a' }), expected: 'bacd' },
    { name: 'one behind two', rule: fault.reorderEvent(MAPS, { name: 'a' }, 2), expected: 'bcad' },
  ])('are sent $name', async ({ rule, expected }) => {
    const before = await create('start');
    server.faults.add(rule);
    const watch = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${before}`);
    for (const name of ['a', 'b', 'c', 'd']) await create(name);
    expect((await watch.take(4)).map(({ object }) => object.metadata.name).join('')).toBe(expected);
    watch.close();
  });

  test('are sent an event late, and what follows it behind it', async () => {
    const before = await create('start');
    server.faults.add(fault.delayEvent(MAPS, { name: 'b' }, 700));
    const watch = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${before}`);
    const waiting = clock.asked(700);
    for (const name of ['a', 'b', 'c']) await create(name);
    expect((await watch.next()).object.metadata.name).toBe('a');
    await waiting;
    clock.advance(700);
    expect((await watch.take(2)).map(({ object }) => object.metadata.name)).toEqual(['b', 'c']);
    watch.close();
  });

  test('are sent a marker of an older version', async () => {
    await create('a');
    const now = Number(await create('b'));
    server.faults.add(fault.staleBookmarks(MAPS, 1));
    const watch = await EventStream.open(place, WATCH_LIST);
    const events = await watch.take(3);
    expect(events.at(-1)?.object.metadata.resourceVersion).toBe(String(now - 1));
    watch.close();
  });

  test('of a version that is gone end without a word, and the journal names the fault', async () => {
    const first = await create('a');
    await create('b');
    server.control.compact();
    server.faults.add(fault.closeSilently(MAPS));
    expect(await (await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${first}`)).rest()).toEqual(
      [],
    );
    const [end] = server.journal.all.where({ kind: 'end' }).entries;
    expect(end).toMatchObject({ by: 'server', fault: 'fault-1' });
  });

  test.each<{ name: string; rule: FaultRule; chunks: (all: readonly Buffer[]) => void }>([
    {
      name: 'cut inside every character of several bytes',
      rule: fault.rule(MAPS, { kind: 'split', at: 'characters' }),
      chunks: (all) => expect(all.filter((one) => (one.at(-1) ?? 0) >= 0xc0).length).toBeGreaterThan(3),
    },
    {
      name: 'cut inside every escape',
      rule: fault.rule(MAPS, { kind: 'split', at: 'escapes' }),
      chunks: (all) => expect(all.filter((one) => one.at(-1) === 0x5c).length).toBeGreaterThan(1),
    },
    {
      name: 'in chunks of 16 bytes',
      rule: fault.rule(MAPS, { kind: 'split', size: 16 }),
      chunks: (all) => expect(all.length).toBeGreaterThan(10),
    },
  ])('are sent frames $name, the same bytes in all', async ({ rule, chunks }) => {
    await create('horse', { text: 'žluťoučký\n"🐎"' });
    const whole = Buffer.concat(await closedAfter(1000, () => chunksOf(`${WATCH_LIST}&timeoutSeconds=1`)));
    server.faults.add(rule);
    const cut = await closedAfter(1000, () => chunksOf(`${WATCH_LIST}&timeoutSeconds=1`));
    expect(Buffer.concat(cut).toString('utf8')).toBe(whole.toString('utf8'));
    chunks(cut);
  });

  /** What is asked for ends when so much time has passed. */
  async function closedAfter<T>(ms: number, ask: () => Promise<T>): Promise<T> {
    const opened = server.journal.next(
      'the marker',
      (entry) => entry.kind === 'event' && entry.type === 'MARKER',
    );
    const answer = ask();
    await opened;
    clock.advance(ms);
    return answer;
  }

  test('are sent several frames in one chunk', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    server.faults.add(fault.joinFrames(MAPS, 4));
    const waiting = clock.asked(1000);
    const response = await begin(place, 'GET', `${PATH}?watch=1`);
    await waiting;
    const data = once(response, 'data') as Promise<[Buffer]>;
    clock.advance(1000);
    const [chunk] = await data;
    expect(chunk.toString('utf8').trim().split('\n').length).toBeGreaterThan(1);
    response.destroy();
  });

  test('are sent a whole frame without its newline, then the end', async () => {
    const before = await create('start');
    server.faults.add(fault.noNewline(MAPS, { name: 'b' }));
    const chunks = chunksOf(`${PATH}?watch=1&resourceVersion=${before}`);
    await server.journal.first('the watch', ({ kind }) => kind === 'response');
    for (const name of ['a', 'b', 'c']) await create(name);
    const [first = '', last = '', ...more] = Buffer.concat(await chunks)
      .toString('utf8')
      .split('\n');
    expect([first, last].map((frame) => (JSON.parse(frame) as WatchEvent).object.metadata.name)).toEqual([
      'a',
      'b',
    ]);
    expect(more).toEqual([]);
  });

  test('are sent the newline of a frame later', async () => {
    const before = await create('start');
    server.faults.add(fault.lateNewline(MAPS, 2000));
    const response = await begin(place, 'GET', `${PATH}?watch=1&resourceVersion=${before}`);
    const waiting = clock.asked(2000);
    const first = once(response, 'data') as Promise<[Buffer]>;
    await create('a');
    expect((await first)[0].at(-1)).not.toBe(0x0a);
    const second = once(response, 'data') as Promise<[Buffer]>;
    await waiting;
    clock.advance(2000);
    expect((await second)[0].toString()).toBe('\n');
    response.destroy();
  });
});

test.each<{ name: string; rule: FaultRule }>([
  { name: 'a stall', rule: fault.stall(MAPS, 7000) },
  { name: 'a drip', rule: fault.drip(MAPS, 7000) },
  { name: 'a timeout', rule: fault.timeoutWatch(MAPS, 7000) },
  { name: 'frames to be joined', rule: fault.rule(MAPS, { kind: 'join', frames: 9, withinMs: 7000 }) },
])('a watch that is over leaves nothing of $name', async ({ rule }) => {
  await create('a');
  server.faults.add(rule);
  const asked = clock.asked(7000);
  const watch = await EventStream.open(place, `${PATH}?watch=1`);
  await asked;
  expect(clock.outstanding(7000)).toBe(1);
  const ended = server.journal.next('the end of the watch', ({ kind }) => kind === 'end');
  watch.close();
  await ended;
  expect(clock.outstanding(7000)).toBe(0);
});

describe('caches', () => {
  test('stand still while the store goes on, and catch up when the rule is removed', async () => {
    await create('a');
    const before = await list('?resourceVersion=0');
    using frozen = server.faults.add(fault.freeze(MAPS));
    await list('?resourceVersion=0');
    await create('b');
    expect(names(await list('?resourceVersion=0'))).toEqual(names(before));
    const waiting = clock.asked(3000);
    const consistent = list();
    await waiting;
    clock.advance(3000);
    expect(names(await consistent)).toContain('b');
    frozen.remove();
    expect(names(await list('?resourceVersion=0'))).toContain('b');
  });

  test('hear of commits late', async () => {
    await create('a');
    server.faults.add(fault.lag({ ...MAPS, verb: 'watch' }, 5000));
    const watch = await EventStream.open(place, WATCH_LIST);
    const initial = await watch.take(2);
    await create('b');
    expect(names(await list('?resourceVersion=0'))).not.toContain('b');
    clock.advance(5000);
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
    expect(initial.at(-1)?.type).toBe('BOOKMARK');
    watch.close();
  });

  test('one client reads what was there before; others, and writes, are of now', async () => {
    await create('a');
    await create('b');
    server.faults.add(fault.timeTravel({ ...MAPS, userAgent: 'stale' }, 1));
    const stale = async (query: string): Promise<Doc> =>
      (await send(place, 'GET', `${PATH}${query}`, { headers: { 'User-Agent': 'stale' } })).doc;
    expect(names(await stale('?resourceVersion=0'))).not.toContain('b');
    await create('c');
    const old = await stale('?resourceVersion=0');
    expect(names(old)).not.toContain('b');
    expect(names(await list('?resourceVersion=0'))).toContain('c');
    const watch = await EventStream.open(place, WATCH_LIST.replace('watch=1', 'watch=1&resourceVersion=0'), {
      headers: { 'User-Agent': 'stale' },
    });
    expect((await watch.take(names(old).length)).map(({ object }) => object.metadata.name)).toEqual(
      names(old),
    );
    expect((await watch.next()).object.metadata.resourceVersion).toBe(String(versionOf(old)));
    watch.close();
  });

  test('a replica has an address and caches of its own', async () => {
    await create('a');
    await using replica = await server.addReplica('b');
    const there = { url: replica.url, token: '' };
    expect(replica.kubeconfig).toContain(replica.url);
    expect(names(await list('?resourceVersion=0', there))).toContain('a');
    replica.freeze();
    await create('b');
    expect(names(await list('?resourceVersion=0', there))).not.toContain('b');
    expect(names(await list('?resourceVersion=0'))).toContain('b');
    replica.release();
    expect(names(await list('?resourceVersion=0', there))).toContain('b');
    replica.travelBack(1);
    expect(names(await list('?resourceVersion=0', there))).not.toContain('b');
  });

  test('that are built anew end their watches and refuse reads for a while', async () => {
    const before = await create('a');
    const watch = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${before}`);
    server.faults.add({ ...fault.reinitialize({ ...MAPS, verb: 'list' }, 2000), times: 1 });
    expect((await send(place, 'GET', PATH)).status).toBe(429);
    expect(await watch.rest()).toEqual([]);
    expect((await send(place, 'GET', `${PATH}?watch=1&resourceVersion=${before}`)).status).toBe(429);
    clock.advance(2000);
    expect((await send(place, 'GET', PATH)).status).toBe(200);
  });

  test('a version too large is answered 504, in the stream of a watch-list, and not at all by a plain watch', async () => {
    server.faults.add(fault.tooLargeVersion(MAPS));
    const answer = await send(place, 'GET', `${PATH}?resourceVersion=9000`);
    expect(answer.doc).toMatchObject({
      code: 504,
      message: expect.stringMatching(/^Timeout: Too large resource version: 9000, current: \d+$/) as unknown,
      details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
    });
    const events = await (await EventStream.open(place, WATCH_LIST)).rest();
    expect(events).toMatchObject([{ type: 'ERROR', object: { code: 504, reason: 'Timeout' } }]);
    const plain = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=1`);
    expect(plain.status).toBe(200);
    plain.close();
    expect(fired()).toEqual(['too-large-version', 'too-large-version']);
  });
});

describe('the store', () => {
  test('fails a commit after every check, and stores nothing', async () => {
    server.faults.add(fault.failCommit({ ...MAPS }, 'leader changed'));
    const answer = await send(place, 'POST', PATH, { body: { metadata: { name: 'a' } } });
    expect([answer.status, answer.doc]).toMatchObject([
      500,
      { message: 'etcdserver: leader changed', code: 500 },
    ]);
    const wrong = await send(place, 'POST', PATH, { body: { metadata: { name: 'A!' } } });
    expect(wrong.status).toBe(422);
    expect(names(await list())).not.toContain('a');
    expect(server.journal.all.where({ verb: 'create', kind: 'response' }).entries).not.toContainEqual(
      expect.objectContaining({ committed: true }),
    );
  });

  test.each(['answer', 'write'] as const)('has somebody else write first (%s)', async (by) => {
    const version = await create('a');
    server.faults.add({ match: MAPS, effect: { kind: 'conflict', by }, times: 1 });
    const put = (resourceVersion: string) =>
      send(place, 'PUT', `${PATH}/a`, { body: { metadata: { name: 'a', resourceVersion } } });
    expect((await put(version)).doc).toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    });
    const { doc } = await send(place, 'GET', `${PATH}/a`);
    expect(doc.metadata.resourceVersion === version).toBe(by === 'answer');
    expect((await put(doc.metadata.resourceVersion)).status).toBe(200);
  });

  test('leaves revisions out', async () => {
    const before = Number(await create('a'));
    server.faults.add({ ...fault.revisionGap({ verb: 'create' }, 10), times: 1 });
    expect(Number(await create('b'))).toBe(before + 11);
  });

  test('is restored as it was: revisions go back and watches end', async () => {
    const kept = await create('a');
    const watch = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${kept}`);
    await create('b');
    expect((await watch.next()).object.metadata.name).toBe('b');
    server.control.rewind();
    expect(await watch.rest()).toEqual([]);
    expect(names(await list())).not.toContain('b');
    expect(Number(await create('c'))).toBe(Number(kept) + 1);
    expect(names(await list('?resourceVersion=0'))).toContain('c');
  });
});

describe('the server', () => {
  test.each([
    { keepHistory: true, first: 'ADDED' },
    { keepHistory: false, first: 'ERROR' },
  ])('stops and starts again, its history kept: $keepHistory', async ({ keepHistory, first }) => {
    const before = await create('a');
    await create('b');
    const watch = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${before}`);
    await watch.next();
    server.control.restart({ forMs: 1000, keepHistory });
    await expect(watch.rest()).rejects.toThrow();
    await expect(send(place, 'GET', PATH)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    clock.advance(1000);
    const again = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${before}`);
    expect((await again.next()).type).toBe(first);
    again.close();
  });

  test('is unhealthy', async () => {
    using sick = server.faults.add(fault.unhealthy('etcd'));
    const answer = await send(place, 'GET', '/readyz');
    expect([answer.status, answer.text]).toEqual([
      500,
      '[+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\nreadyz check failed\n',
    ]);
    sick.remove();
    expect((await send(place, 'GET', '/readyz')).text).toBe('ok');
  });

  test('treats watch-lists as older servers do', async () => {
    await create('a');
    const refused = server.faults.add(fault.emulate('1.33'));
    expect((await send(place, 'GET', WATCH_LIST)).doc).toMatchObject({
      code: 422,
      details: { causes: [{ field: 'sendInitialEvents' }] },
    });
    expect((await send(place, 'GET', PATH)).status).toBe(200);
    refused.remove();
    server.faults.add(fault.emulate('pre-1.27'));
    const watch = await EventStream.open(place, WATCH_LIST);
    expect((await watch.next()).type).toBe('ADDED');
    await create('b');
    expect(await watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
    watch.close();
  });
});

describe('signals and clients', () => {
  test('a rule begins with a signal that comes over HTTP', async () => {
    server.faults.add({ ...fault.status(MAPS, 503), signal: 'go' });
    expect((await send(place, 'GET', PATH)).status).toBe(200);
    await send(place, 'POST', '/_mock/signals/go');
    expect((await send(place, 'GET', PATH)).status).toBe(503);
  });

  test('clients of one user agent are told apart by a header', async () => {
    server.faults.add(fault.status({ client: 'b' }, 503));
    const as = async (client: string): Promise<number> =>
      (await send(place, 'GET', PATH, { headers: { 'X-Mock-Client': client } })).status;
    expect([await as('a'), await as('b')]).toEqual([200, 503]);
  });
});
