import { realClock, VirtualClock } from '../../../mockserver/ground/clock.js';
import { ADMIN } from '../../../mockserver/access/authentication.js';
import { type RequestEntry } from '../../../mockserver/observe/journal-entry.js';
import { parseQuery } from '../../../mockserver/registry/query.js';
import { journalMatchers } from '../../../mockserver/observe/journal-matchers.js';
import { Journal } from '../../../mockserver/observe/journal.js';

const clock = new VirtualClock(0);
const journalOf = (capacity = 100): Journal => new Journal({ clock, pace: realClock, capacity });

type Asked = Partial<Omit<RequestEntry, 'kind' | 'request' | 'seq' | 'at' | 'user' | 'connection'>>;

/** One request with its answer. Shape: its number. */
function ask(journal: Journal, asked: Asked, code = 200): number {
  const { client = 'operator/1', watchList = false, continued = false, resourceVersion, ...parts } = asked;
  const query = new URLSearchParams();
  if (watchList) query.set('sendInitialEvents', 'true');
  if (continued) query.set('continue', 'token');
  if (resourceVersion !== undefined) query.set('resourceVersion', resourceVersion);
  const request = journal.addRequest({
    verb: 'list',
    method: 'GET',
    group: '',
    version: 'v1',
    resource: 'configmaps',
    subresource: '',
    namespace: 'ns',
    name: '',
    url: '/',
    user: ADMIN,
    ...parts,
    userAgent: client,
    client: '',
    connection: 1,
    query: parseQuery(query.toString()),
  });
  journal.addResponse(request, { code });
  return request;
}

test('a journal without room is off, but for who listens', () => {
  const journal = journalOf(0);
  ask(journal, {});
  expect([journal.off, journal.entries, journal.dropped]).toEqual([true, [], 0]);
  const told: string[] = [];
  const stop = journal.onEntry(({ kind }) => told.push(kind));
  ask(journal, {});
  journal.addEvent(2, { type: 'ADDED', namespace: 'ns', name: 'a', resourceVersion: '7' });
  stop();
  ask(journal, {});
  expect(told).toEqual(['request', 'response', 'event']);
  expect([journal.entries, journal.dropped]).toEqual([[], 3]);
});

test('events lie in the ring with their own numbers and times, and share what they are', () => {
  const journal = journalOf(3);
  const sent = { type: 'ADDED', namespace: 'ns', name: 'a', resourceVersion: '7' } as const;
  const request = ask(journal, { verb: 'watch' });
  journal.addEvent(request, sent);
  clock.advance(5);
  journal.addEvent(8, sent);
  const now = clock.now();
  expect(journal.entries).toEqual([
    { kind: 'response', request, code: 200, seq: 2, at: now - 5 },
    { kind: 'event', request, ...sent, seq: 3, at: now - 5 },
    { kind: 'event', request: 8, ...sent, seq: 4, at: now },
  ]);
});

test('a journal holds its newest entries and counts what it dropped', () => {
  const journal = journalOf(4);
  for (let i = 0; i < 3; i++) ask(journal, {});
  expect(journal.entries.map(({ seq }) => seq)).toEqual([3, 4, 5, 6]);
  expect(journal.dropped).toBe(2);
  journal.clear();
  expect(journal.entries).toEqual([]);
  ask(journal, {});
  expect(journal.entries.map(({ seq }) => seq)).toEqual([7, 8]);
  expect(journal.dropped).toBe(0);
});

test('a wait ends with the entry, held or to come', async () => {
  const journal = journalOf();
  const coming = journal.first('a watch', (entry) => entry.kind === 'request' && entry.verb === 'watch');
  ask(journal, { verb: 'watch' });
  expect(await coming).toMatchObject({ kind: 'request', verb: 'watch' });
  expect(await journal.first('the same', ({ kind }) => kind === 'request')).toMatchObject({ seq: 1 });
});

test('a wait that is too long says what was waited for', async () => {
  const waiting = journalOf().first('a watch', () => false, { withinMs: 1 });
  await expect(waiting).rejects.toThrow('not in the journal within 1 ms: a watch');
});

describe('the path of a client', () => {
  test('that falls back to a list is told and matched', () => {
    const journal = journalOf();
    ask(journal, { verb: 'watch', watchList: true }, 422);
    ask(journal, {});
    ask(journal, { verb: 'watch', resourceVersion: '7' });
    expect(journal.all.explain()).toBe(
      [
        'operator/1 on configmaps',
        '  1. watch-list, refused 422',
        '  2. falls back to list',
        '  3. watches from 7',
        '  path: watch-list refused, list and watch',
      ].join('\n'),
    );
    expect(journalMatchers.toHaveFallenBackToList(journal).pass).toBe(true);
    expect(journalMatchers.toHaveUsedWatchList(journal).pass).toBe(false);
    expect(journalMatchers.toHaveRelisted(journal, 0).pass).toBe(true);
  });

  test('that lists again after 410 and resumes is told and matched', () => {
    const journal = journalOf();
    ask(journal, {});
    const watch = ask(journal, { verb: 'watch', resourceVersion: '7' });
    journal.add({
      kind: 'event',
      request: watch,
      type: 'ERROR',
      namespace: '',
      name: '',
      resourceVersion: '',
      code: 410,
    });
    journal.add({ kind: 'end', request: watch, by: 'server' });
    ask(journal, {});
    ask(journal, { verb: 'watch', resourceVersion: '9' });
    ask(journal, { verb: 'watch', resourceVersion: '11' });
    const told = journal.client('operator*').explain();
    expect(told).toContain('2. watches from 7, ERROR 410; sent 1 ERROR; ended by the server');
    expect(told).toContain('3. lists again after 410');
    expect(told).toContain('5. resumes the watch from 11');
    expect(journalMatchers.toHaveRelisted(journal, 1).pass).toBe(true);
    expect(journalMatchers.toHaveRelisted(journal.client(/other/), 1).pass).toBe(false);
  });

  test('that asks without a pause is a hot loop; with pauses it is none', () => {
    const journal = journalOf();
    for (let i = 0; i < 12; i++) ask(journal, { verb: 'watch' });
    expect(journalMatchers.notToHotLoop(journal)).toMatchObject({ pass: false });
    expect(journal.all.explain()).toContain('hot loop: 12 requests within a second');
    journal.clear();
    for (let i = 0; i < 12; i++) {
      clock.advance(1000);
      ask(journal, { verb: 'watch' });
    }
    expect(journalMatchers.notToHotLoop(journal).pass).toBe(true);
  });

  test('pages of one list are no lists of their own', () => {
    const journal = journalOf();
    ask(journal, {});
    ask(journal, { continued: true });
    expect(journalMatchers.toHaveRelisted(journal, 0).pass).toBe(true);
  });
});

test('a matcher refuses what is no journal', () => {
  expect(() => journalMatchers.toHaveUsedWatchList({})).toThrow('expected a journal');
});
