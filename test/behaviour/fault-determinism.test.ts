/** The same seed, plan and clock give the same journal; a fault stays with what it matches. */
import fc from 'fast-check';
import {
  type Effect,
  fault,
  type FaultRule,
  journalText,
  type MockServer,
  seededRandom,
  startMockServer,
  VirtualClock,
} from '../../mockserver/index.js';
import { begin, closeIdleConnections, type Place, prepare, send } from './connection.js';
import { EventStream } from './event-stream.js';

const PATH = '/api/v1/namespaces/default/configmaps';
/** A hundred in CI: see `npm run determinism`. */
const RUNS = Number(process.env['KUBE_MOCKSERVER_RUNS'] ?? 10);

const PLAN: readonly FaultRule[] = [
  { ...fault.dropEvent({ resource: 'configmaps' }), name: 'lossy', probability: 0.3 },
  { ...fault.status({ verb: 'create', resource: 'configmaps' }, 503), name: 'busy', probability: 0.2 },
  { ...fault.duplicateEvent({ resource: 'configmaps' }, { number: { from: 3, to: 9 } }), probability: 0.5 },
  { ...fault.loseCommit({ resource: 'secrets' }), times: 1 },
];

/** One run against a server of its own. Shape: its journal. */
async function run(): Promise<string> {
  const clock = new VirtualClock(0);
  const server = await startMockServer({ clock, random: seededRandom(3), faults: PLAN, faultSeed: 11 });
  try {
    const place = { url: server.url, token: '' };
    const watch = await EventStream.open(
      place,
      `${PATH}?watch=1&allowWatchBookmarks=true&timeoutSeconds=3600`,
    );
    for (let i = 0; i < 12; i++) {
      await send(place, 'POST', PATH, { body: { metadata: { name: `m-${i}` } } });
      clock.advance(1000);
    }
    await send(place, 'GET', `${PATH}?limit=3`);
    watch.close();
    await server.journal.first('the end of the watch', ({ kind }) => kind === 'end');
    return journalText(server.journal.entries, false);
  } finally {
    closeIdleConnections();
    await server.stop();
  }
}

test(`${RUNS} runs of the same seed, plan and clock give the same journal, byte for byte`, async () => {
  const first = await run();
  expect(first).toContain('"rule":"lossy"');
  for (let i = 1; i < RUNS; i++) expect(await run()).toBe(first);
}, 120_000);

describe('a fault', () => {
  let server: MockServer;
  let place: Place;
  beforeAll(async () => {
    server = await startMockServer();
    place = { url: server.url, token: '' };
    await send(place, 'POST', PATH, { body: { metadata: { name: 'a' } } });
  });
  afterAll(async () => {
    closeIdleConnections();
    await server.stop();
  });

  const rules: readonly FaultRule[] = [
    fault.status({}, 503),
    fault.reset({}),
    fault.loseAnswer({}),
    fault.tooLargeVersion({}),
    fault.pageSize({}, 1),
    fault.timeTravel({}, 1),
    fault.emulate('pre-1.27'),
    fault.endWatch({}),
    fault.cutBody({}),
    fault.failCommit({}, undefined),
  ];

  test('never touches what its matcher does not match', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...rules),
        fc.constantFrom(
          { userAgent: 'victim' },
          { resource: 'secrets' },
          { namespace: 'kube-*' },
          { user: 'nobody' },
          { client: { regex: '^x' } },
        ),
        fc.constantFrom(
          PATH,
          `${PATH}/a`,
          `${PATH}?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
        ),
        async (rule, match, path) => {
          const before = server.journal.entries.length;
          using scope = server.faults.add({ ...rule, match: { ...rule.match, ...match } });
          const answer = await begin(place, 'GET', path, { headers: { 'User-Agent': 'bystander' } });
          answer.destroy();
          expect(answer.statusCode).toBe(200);
          expect(scope.fired).toBe(0);
          expect(server.journal.entries.slice(before).map(({ kind }) => kind)).not.toContain('fault');
        },
      ),
      { numRuns: 60 },
    );
  });

  /** What one client is told of three writes by a watch, and by a list behind it. */
  async function session(userAgent: string, run: number): Promise<string[]> {
    const headers = { 'User-Agent': userAgent };
    const version = (await send(place, 'GET', `${PATH}?limit=1`)).doc.metadata.resourceVersion;
    const watch = await EventStream.open(place, `${PATH}?watch=1&resourceVersion=${version}`, { headers });
    // Whoever it is that meets the fault at the same time: what becomes of it is its own affair.
    const victim = prepare(place, 'GET', `${PATH}?watch=1&resourceVersion=${version}`, {
      headers: { 'User-Agent': 'victim' },
    });
    const met = server.journal.next(
      'the victim',
      (entry) => entry.kind === 'request' && entry.client === 'victim',
    );
    victim
      .on('error', () => undefined)
      .on('response', (answer) => answer.on('error', () => undefined).resume());
    victim.end();
    await met;
    const names = [0, 1, 2].map((i) => `run-${run}-${i}`);
    for (const name of names) await send(place, 'POST', PATH, { headers, body: { metadata: { name } } });
    const told = (await watch.take(3)).map(({ type, object }) => `${type} ${object.metadata.name}`);
    watch.close();
    const list = (await send(place, 'GET', PATH, { headers })).doc.items.map(({ metadata }) => metadata.name);
    victim.destroy();
    for (const name of names) await send(place, 'DELETE', `${PATH}/${name}`, { headers });
    return [...told, ...list];
  }

  test('of one client changes no event, answer or write of another that asks for the same at the same time', async () => {
    const effects: readonly Effect[] = [
      { kind: 'drop' },
      { kind: 'duplicate' },
      { kind: 'reorder', behind: 1 },
      { kind: 'split', size: 3 },
      { kind: 'half-frame' },
      { kind: 'no-newline' },
      { kind: 'stall' },
      { kind: 'end' },
      { kind: 'hang' },
      { kind: 'reset' },
      { kind: 'delay', ms: 5 },
      { kind: 'error', code: 410 },
      { kind: 'status', code: 503 },
      { kind: 'time-travel', back: 2 },
      { kind: 'bandwidth', bytesPerSecond: 10 },
    ];
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...effects),
        fc.constantFrom('victim', 'vic*', 'v?ctim'),
        async (effect, userAgent) => {
          const number = ++run;
          using scope = server.faults.add({ match: { verb: 'watch', userAgent }, effect });
          const names = [0, 1, 2].map((i) => `run-${number}-${i}`);
          expect(await session('bystander', number)).toEqual([
            ...names.map((name) => `ADDED ${name}`),
            'a',
            ...names,
          ]);
          expect(server.journal.client('bystander').faults).toEqual([]);
          scope.remove();
        },
      ),
      { numRuns: 40 },
    );
  });

  test('of one cluster never touches another', async () => {
    const other = server.createCluster({ name: 'other' });
    server.faults.add({ ...fault.status({}, 503), name: 'default only' });
    expect((await send(place, 'GET', PATH)).status).toBe(503);
    expect((await send({ url: other.url, token: '' }, 'GET', PATH)).status).toBe(200);
    expect(other.journal.all.faults).toEqual([]);
    server.faults.reset();
  });
});
