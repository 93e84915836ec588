import { clientPaths } from '../../../mockserver/observe/client-path.js';
import { lanesOf } from '../../../mockserver/observe/timeline-lanes.js';
import { watchPlaces } from '../../../mockserver/observe/watch-places.js';
import { ADMIN } from '../../../mockserver/access/authentication.js';
import { realClock, VirtualClock } from '../../../mockserver/ground/clock.js';
import { Journal } from '../../../mockserver/observe/journal.js';
import { journalText } from '../../../mockserver/observe/journal-text.js';
import { expectJournal, journalMatchers } from '../../../mockserver/observe/journal-matchers.js';
import { parseQuery } from '../../../mockserver/registry/query.js';

const clock = new VirtualClock(0);

interface Asked {
  readonly verb: string;
  readonly search?: string;
  readonly client?: string;
}

function ask(journal: Journal, { verb, search = '', client = 'a <b>/1' }: Asked): number {
  clock.advance(10);
  return journal.addRequest({
    verb,
    method: 'GET',
    group: '',
    version: 'v1',
    resource: 'configmaps',
    subresource: '',
    namespace: 'ns',
    name: '',
    url: `/configmaps?${search}`,
    user: ADMIN,
    userAgent: client,
    client: '',
    connection: 1,
    query: parseQuery(search),
  });
}

function event(
  journal: Journal,
  request: number,
  type: 'ADDED' | 'BOOKMARK' | 'MARKER',
  version: string,
): void {
  clock.advance(10);
  journal.addEvent(request, { type, namespace: 'ns', name: 'a', resourceVersion: version });
}

function written(): Journal {
  const journal = new Journal({ clock, pace: realClock });
  const list = ask(journal, { verb: 'list' });
  journal.addResponse(list, { code: 200, resourceVersion: '7' });
  const watch = ask(journal, { verb: 'watch', search: 'resourceVersion=7' });
  journal.addResponse(watch, { code: 200 });
  event(journal, watch, 'ADDED', '8');
  journal.add({ kind: 'queue', request: watch, state: 'unsynced', queued: 10 });
  event(journal, watch, 'ADDED', '9');
  journal.add({ kind: 'queue', request: watch, state: 'synced', queued: 0 });
  event(journal, watch, 'BOOKMARK', '12');
  journal.add({ kind: 'fault', request: watch, id: 'fault-1', rule: 'cut', effect: 'end' });
  journal.add({ kind: 'end', request: watch, by: 'server', fault: 'fault-1' });
  const again = ask(journal, { verb: 'watch', search: 'resourceVersion=12' });
  journal.addResponse(again, { code: 200 });
  const relist = ask(journal, { verb: 'list' });
  journal.addResponse(relist, { code: 200, resourceVersion: '5' });
  return journal;
}

test('a timeline is a page of its own with a lane for each request', () => {
  const page = written().all.timeline('a & b');
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).toContain('<title>a &amp; b</title>');
  expect(page).not.toMatch(/<script|src=|href=/);
  // Four lanes of one request each.
  expect(page.match(/<g>/g)).toHaveLength(8);
  expect(page).toContain('a &lt;b&gt;/1 on configmaps');
});

test('a timeline shows spans, events, faults and relists', () => {
  const page = written().all.timeline();
  const count = (what: string): number => page.split(what).length - 1;
  expect(count('<rect class="synced"')).toBe(3);
  expect(count('<rect class="unsynced"')).toBe(1);
  expect(count('<line class="event"')).toBe(3);
  expect(count('<circle class="fault"')).toBe(1);
  expect(count('<rect class="relist"')).toBe(1);
});

test('requests that tell the same thing share a lane: writes of a verb, and lists or watches that follow each other', () => {
  const journal = new Journal({ clock, pace: realClock });
  for (let i = 0; i < 3; i++) {
    journal.addResponse(ask(journal, { verb: 'create' }), { code: 201 });
    journal.addResponse(ask(journal, { verb: 'delete' }), { code: 200 });
  }
  for (const version of ['3', '3', '4'])
    journal.addResponse(ask(journal, { verb: 'watch', search: `resourceVersion=${version}` }), { code: 200 });
  const [path] = clientPaths(journal.entries);
  if (path === undefined) throw new Error('no path');
  expect(lanesOf(path).map(({ name, steps }) => `${name} ${steps.length}`)).toEqual([
    'create 3',
    'delete 3',
    'watches 1',
    'resumes the watch 2',
  ]);
  expect(journal.all.timeline()).toContain('resumes the watch × 2');
});

test('a request that is refused takes no longer than its answer', () => {
  const journal = new Journal({ clock, pace: realClock });
  journal.addResponse(ask(journal, { verb: 'watch', search: 'sendInitialEvents=true' }), { code: 422 });
  clock.advance(1000);
  ask(journal, { verb: 'list' });
  expect(journal.all.timeline()).toContain('<rect class="failed" x="340.0" y="24" width="3.0" height="12"/>');
});

test('a watch that is stalled is told of as stalled, and is synced again once both are over', () => {
  const journal = new Journal({ clock, pace: realClock });
  const request = ask(journal, { verb: 'watch' });
  const begun = clock.now();
  for (const state of ['stalled', 'unsynced', 'resumed', 'synced'] as const) {
    clock.advance(100);
    journal.add({ kind: 'queue', request, state, queued: 0 });
  }
  clock.advance(100);
  expect(watchPlaces(journal.entries).get(request)).toEqual([
    { at: begun + 100, state: 'stalled' },
    { at: begun + 200, state: 'stalled' },
    { at: begun + 300, state: 'unsynced' },
    { at: begun + 400, state: 'synced' },
  ]);
  expect(journal.all.behindMs).toBe(300);
  expect(journal.all.connections).toBe(1);
});

test('every element of a timeline is closed', () => {
  const open: string[] = [];
  const page = written().all.timeline().replace('<!doctype html>', '').replace('<meta charset="utf-8">', '');
  for (const [, end, name = '', self] of page.matchAll(/<(\/?)([a-z0-9]+)[^>]*?(\/?)>/g)) {
    if (end === '/') expect(open.pop()).toBe(name);
    else if (self !== '/') open.push(name);
  }
  expect(open).toEqual([]);
});

test('the names of a path are told', () => {
  const { all } = written();
  expect(all.explain()).toContain('path: resumes from a bookmark; stale reads');
  expectJournal(all).toHaveTakenPath('stale reads');
  expect(() => expectJournal(all).toHaveTakenPath('relist storm')).toThrow('taken the path "relist storm"');
});

test('a version that is sent twice, and one that is not sent, are named', () => {
  const journal = new Journal({ clock, pace: realClock });
  for (const version of ['3', '4', '5']) {
    const write = ask(journal, { verb: 'create', client: 'writer' });
    journal.addResponse(write, { code: 201, resourceVersion: version, committed: true });
  }
  const watch = ask(journal, { verb: 'watch', search: 'resourceVersion=2' });
  for (const version of ['3', '3', '5']) event(journal, watch, 'ADDED', version);
  const mine = journal.client('a <b>/1');
  expect(mine.duplicates.map(({ resourceVersion }) => resourceVersion)).toEqual(['3']);
  expect(mine.missed.map(({ resourceVersion }) => resourceVersion)).toEqual(['4']);
  expect(journalMatchers.toHaveNoDuplicates(mine).pass).toBe(false);
  expect(journalMatchers.toHaveMissedNothing(mine).pass).toBe(false);
});

test('a journal as text has a line for each entry, with or without real time', () => {
  const real = new VirtualClock(5000);
  const journal = new Journal({ clock: new VirtualClock(0), pace: realClock, realTime: real });
  ask(journal, { verb: 'list' });
  expect(journalText(journal.entries)).toContain('"realAt":5000');
  expect(journalText(journal.entries, false)).not.toContain('realAt');
  expect(journalText(journal.entries).split('\n')).toHaveLength(2);
});
