/** Case 09: a version that the server has not reached yet. */
import { EventStream } from '../behaviour/event-stream.js';
import { given, MAPS, WATCH_LIST } from './given.js';

const at = given();
/** How long a read waits for its version. */
const WAIT_MS = 3000;

const tooLarge = (): object => ({
  kind: 'Status',
  code: 504,
  reason: 'Timeout',
  message: `Timeout: Too large resource version: 100000, current: ${at().server.control.revision}`,
  details: {
    retryAfterSeconds: 1,
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
  },
});

/** Lets the wait pass, which takes no real time. */
async function afterTheWait<T>(ask: () => Promise<T>): Promise<T> {
  const waiting = at().clock.asked(WAIT_MS);
  const answer = ask();
  await waiting;
  at().clock.advance(WAIT_MS);
  return answer;
}

beforeEach(() => at().create('a'));

test.each([MAPS, `${MAPS}/a`])('a read of %s waits, then is answered 504 with its cause', async (path) => {
  const answer = await afterTheWait(() => at().ask('GET', `${path}?resourceVersion=100000`));
  expect(answer.doc).toMatchObject(tooLarge());
  expect(answer.headers['retry-after']).toBe('1');
});

test('a list is answered when writes reach its version within the wait', async () => {
  const asked = at().server.control.revision + 5;
  const waiting = at().clock.asked(WAIT_MS);
  const answer = at().ask('GET', `${MAPS}?resourceVersion=${asked}`);
  await waiting;
  for (const name of ['b', 'c', 'd', 'e', 'f']) await at().create(name);
  const { status, doc } = await answer;
  expect(status).toBe(200);
  expect(Number(doc.metadata.resourceVersion)).toBeGreaterThanOrEqual(asked);
});

test('a watch-list is answered 200, one ERROR event and the end', async () => {
  const watch = await afterTheWait(() =>
    EventStream.open(at().place, `${WATCH_LIST}&resourceVersion=100000`),
  );
  expect([watch.status, await watch.rest()]).toMatchObject([200, [{ type: 'ERROR', object: tooLarge() }]]);
});

test('a plain watch is accepted, and silent until a version above its own', async () => {
  const future = at().server.control.revision + 2;
  const watch = await EventStream.open(at().place, `${MAPS}?watch=1&resourceVersion=${future}`);
  for (const name of ['b', 'c', 'd']) await at().create(name);
  expect((await watch.next()).object.metadata).toMatchObject({
    name: 'd',
    resourceVersion: String(future + 1),
  });
  watch.close();
});

test('a client that drops the version and lists again is seen to have done so', async () => {
  await afterTheWait(() => at().ask('GET', `${MAPS}?resourceVersion=100000`));
  expect((await at().ask('GET', MAPS)).status).toBe(200);
  const { lists } = at().server.journal.all;
  expect(lists.map(({ resourceVersion }) => resourceVersion)).toEqual(['100000', undefined]);
});
