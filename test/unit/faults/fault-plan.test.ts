import fc from 'fast-check';
import { FaultPlan } from '../../../mockserver/faults/fault-plan.js';
import { type Match } from '../../../mockserver/faults/match.js';
import { EventCandidates } from '../../../mockserver/faults/event-candidates.js';
import { type FaultRule } from '../../../mockserver/faults/rule.js';
import { type RequestFacts, requestTest } from '../../../mockserver/faults/matcher.js';
import { VirtualClock } from '../../../mockserver/ground/clock.js';
import { type RequestView } from '../../../mockserver/http/exchange-hooks.js';
import { parseQuery, textValue } from '../../../mockserver/registry/query.js';

const request = (parts: Partial<RequestView> & { readonly search?: string } = {}): RequestView => ({
  verb: 'list',
  method: 'GET',
  url: '/apis/example.com/v1/namespaces/ns/gauges',
  group: 'example.com',
  version: 'v1',
  resource: 'gauges',
  subresource: '',
  namespace: 'ns',
  name: '',
  userAgent: 'my-operator/v1.2 (linux)',
  client: '',
  connection: 1,
  ...parts,
  query: parseQuery(parts.search ?? ''),
});

const clock = new VirtualClock(0);
const facts: RequestFacts = { revision: () => 40, pageOf: ({ query }) => Number(textValue(query, 'page')) };

const plan = (...rules: readonly FaultRule[]): FaultPlan => {
  const made = new FaultPlan({ clock, facts, seed: 7 });
  for (const rule of rules) made.add(rule);
  return made;
};

/** Names of the rules that fire at one request. */
const fired = (made: FaultPlan, view: RequestView): string[] =>
  made.candidates(view).flatMap((candidate) => made.fire(candidate)?.rule ?? []);

const RESET = { kind: 'reset' } as const;

test.each<{
  name: string;
  match: Match;
  hit: Partial<RequestView> & { search?: string };
  miss: Partial<RequestView> & { search?: string };
}>([
  { name: 'verb', match: { verb: 'list' }, hit: {}, miss: { verb: 'watch' } },
  { name: 'several verbs', match: { verb: ['get', 'list'] }, hit: {}, miss: { verb: 'create' } },
  { name: 'group', match: { group: 'example.com' }, hit: {}, miss: { group: '' } },
  { name: 'the core group', match: { group: '' }, hit: { group: '' }, miss: {} },
  { name: 'resource', match: { resource: 'gauges' }, hit: {}, miss: { resource: 'gauge' } },
  {
    name: 'a resource without its subresources',
    match: { resource: 'gauges' },
    hit: {},
    miss: { subresource: 'status' },
  },
  {
    name: 'subresource',
    match: { resource: 'gauges', subresource: 'status' },
    hit: { subresource: 'status' },
    miss: {},
  },
  { name: 'namespace', match: { namespace: 'n*' }, hit: {}, miss: { namespace: 'kube-system' } },
  { name: 'name', match: { name: 'a?' }, hit: { name: 'ab' }, miss: { name: 'abc' } },
  {
    name: 'user agent',
    match: { userAgent: 'my-operator/*' },
    hit: {},
    miss: { userAgent: 'other my-operator/1' },
  },
  {
    name: 'signs of patterns as they are',
    match: { userAgent: '*(linux)' },
    hit: {},
    miss: { userAgent: 'x linux' },
  },
  { name: 'user', match: { user: 'eve' }, hit: { user: { name: 'eve', uid: '', groups: [] } }, miss: {} },
  {
    name: 'watch-list',
    match: { watchList: true },
    hit: { search: 'sendInitialEvents=true' },
    miss: { search: 'sendInitialEvents=false' },
  },
  {
    name: 'continued',
    match: { continued: true },
    hit: { search: 'continue=abc' },
    miss: { search: 'continue=' },
  },
  {
    name: 'a regular expression',
    match: { userAgent: { regex: 'v1\\.[0-9]' } },
    hit: {},
    miss: { userAgent: 'v2.2' },
  },
  {
    name: 'label selector',
    match: { labelSelector: 'app=*' },
    hit: { search: 'labelSelector=app%3Dweb' },
    miss: {},
  },
  {
    name: 'field selector',
    match: { fieldSelector: 'metadata.name=a' },
    hit: { search: 'fieldSelector=metadata.name%3Da' },
    miss: { search: 'fieldSelector=metadata.name%3Db' },
  },
  { name: 'client', match: { client: 'one' }, hit: { client: 'one' }, miss: { client: 'two' } },
  {
    name: 'the version that is asked for',
    match: { resourceVersion: '0' },
    hit: { search: 'resourceVersion=0' },
    miss: {},
  },
  { name: 'page', match: { page: { from: 2 } }, hit: { search: 'page=3' }, miss: { search: 'page=1' } },
])('a rule matches by $name', ({ match, hit, miss }) => {
  const made = plan({ name: 'r', match, effect: RESET });
  expect(fired(made, request(hit))).toEqual(['r']);
  expect(fired(made, request(miss))).toEqual([]);
});

test('a rule fires so many times, and counts what it matched', () => {
  const made = plan({ name: 'twice', effect: RESET, times: 2 });
  expect([1, 2, 3].map(() => fired(made, request()).length)).toEqual([1, 1, 0]);
  expect(made.rules).toMatchObject([{ name: 'twice', matched: 3, fired: 2 }]);
});

test.each([
  {
    name: 'where the store stands',
    match: { revision: { from: 30, to: 40 } },
    other: { revision: { to: 39 } },
  },
])('a rule matches by $name', ({ match, other }) => {
  const made = plan({ name: 'r', match, effect: RESET }, { name: 'other', match: other, effect: RESET });
  expect(fired(made, request())).toEqual(['r']);
});

test('a rule is in force for a span of time', () => {
  const made = plan({ name: 'r', effect: RESET, fromMs: 100, toMs: 200 });
  const seen = [0, 99, 1, 99, 1].map((ms) => {
    clock.advance(ms);
    return fired(made, request()).length;
  });
  expect(seen).toEqual([0, 0, 1, 1, 0]);
});

test('a rule is in force between two signals', () => {
  const made = plan({ name: 'r', effect: RESET, signal: 'go', untilSignal: 'stop' });
  const seen = ['', 'go', 'stop'].map((signal) => {
    made.signal(signal);
    return fired(made, request()).length;
  });
  expect(seen).toEqual([0, 1, 0]);
});

test('a rule ends when another has fired', () => {
  const made = plan(
    { name: 'first', effect: RESET, until: 'second' },
    { name: 'second', match: { verb: 'watch' }, effect: RESET },
  );
  expect(fired(made, request())).toEqual(['first']);
  expect(fired(made, request({ verb: 'watch' }))).toEqual(['first', 'second']);
  expect(fired(made, request())).toEqual([]);
});

test('an effect takes place where it can alone, whatever its rule matches', () => {
  const made = plan({ name: 'r', effect: { kind: 'fail-commit' } });
  expect(fired(made, request())).toEqual([]);
  expect(fired(made, request({ verb: 'update' }))).toEqual(['r']);
});

test('a rule waits for another to have fired', () => {
  const made = plan(
    { name: 'second', effect: RESET, after: 'first' },
    { name: 'first', match: { verb: 'watch' }, effect: RESET },
  );
  expect(fired(made, request())).toEqual([]);
  expect(fired(made, request({ verb: 'watch' }))).toEqual(['first']);
  expect(fired(made, request())).toEqual(['second']);
});

test('a rule counts the events of each watch apart', () => {
  const made = plan({
    name: 'second',
    match: { event: { number: 2, type: 'ADDED' } },
    effect: { kind: 'drop' },
  });
  const event = { type: 'ADDED', phase: 'live', namespace: 'ns', name: 'a', revision: 5 } as const;
  for (let watch = 0; watch < 2; watch++) {
    const [candidate] = made.candidates(request({ verb: 'watch' }));
    if (candidate === undefined) throw new Error('the rule is no candidate');
    expect([1, 2, 3].map(() => made.fire(candidate, event)?.rule)).toEqual([undefined, 'second', undefined]);
    expect(made.fire(candidate, { ...event, type: 'MODIFIED' })).toBeUndefined();
  }
});

test('firings are numbered, and a rule that is taken out fires no more', () => {
  const made = plan({ name: 'r', effect: RESET });
  const [candidate] = made.candidates(request());
  if (candidate === undefined) throw new Error('the rule is no candidate');
  expect(made.fire(candidate)).toEqual({ id: 'fault-1', rule: 'r', effect: RESET, at: clock.now() });
  expect(made.remove('r')).toBe(true);
  expect(made.fire(candidate)).toBeUndefined();
});

test('a name is taken once', () => {
  expect(() => plan({ name: 'r', effect: RESET }, { name: 'r', effect: RESET })).toThrow(
    'a rule named r is in the plan already',
  );
});

test('the same seed gives the same firings, whatever other rules do', () => {
  const chancy: FaultRule = {
    name: 'chancy',
    match: { resource: 'gauges' },
    effect: RESET,
    probability: 0.4,
  };
  const run = (...others: readonly FaultRule[]): boolean[] => {
    const made = plan(chancy, ...others);
    return Array.from({ length: 200 }, () => fired(made, request()).includes('chancy'));
  };
  const first = run();
  expect(run()).toEqual(first);
  expect(run({ name: 'other', effect: RESET, probability: 0.5 })).toEqual(first);
  const share = first.filter(Boolean).length / first.length;
  expect(share).toBeGreaterThan(0.25);
  expect(share).toBeLessThan(0.55);
});

const WORD = fc.constantFrom('', 'a', 'b', 'ab', 'gauges');
const PATTERN = fc.oneof(
  fc.constantFrom('a', 'b', '*', 'a*', 'gauges', '?'),
  fc.constantFrom({ regex: '^a' }, { regex: 'b' }),
  fc.constantFrom(['a', 'gauges'], ['a', 'a', 'b*']),
);
const MATCH = fc.record(
  {
    verb: PATTERN,
    group: PATTERN,
    resource: PATTERN,
    subresource: PATTERN,
    namespace: PATTERN,
    name: PATTERN,
    userAgent: PATTERN,
    client: PATTERN,
    user: PATTERN,
    url: PATTERN,
    labelSelector: PATTERN,
  },
  { requiredKeys: [] },
);
const VIEW = fc.record({
  verb: WORD,
  group: WORD,
  resource: WORD,
  subresource: WORD,
  namespace: WORD,
  name: WORD,
  userAgent: WORD,
  client: WORD,
  url: WORD,
  user: WORD.map((name) => ({ name, uid: '', groups: [], extra: {} })),
  search: WORD.map((text) => `labelSelector=${text}`),
});

test('exactly the rules fire whose matchers match, in order, however long the plan', () => {
  fc.assert(
    fc.property(fc.array(MATCH, { maxLength: 30 }), fc.array(VIEW, { maxLength: 6 }), (matches, views) => {
      const made = plan(...matches.map((one, i) => ({ name: String(i), match: one, effect: RESET })));
      // Twice: what is found the second time is remembered.
      for (const one of [...views, ...views]) {
        const asked = request(one);
        const expected = matches.flatMap((each, i) => (requestTest(each)(asked, facts) ? [String(i)] : []));
        expect(fired(made, asked)).toEqual(expected);
      }
    }),
  );
});

test('rules are found anew when the plan has changed', () => {
  const made = plan({ name: 'one', effect: RESET });
  expect(fired(made, request())).toEqual(['one']);
  made.add({ name: 'two', match: { name: 'a' }, effect: RESET });
  expect(fired(made, request({ name: 'a' }))).toEqual(['one', 'two']);
  made.remove('one');
  expect(fired(made, request({ name: 'a' }))).toEqual(['two']);
});

test('more sorts and names of requests than are remembered find their rules all the same', () => {
  const made = plan({ name: 'r', match: { name: 'n-5*', userAgent: 'agent-3*' }, effect: RESET });
  const found = Array.from({ length: 600 }, (_, i) =>
    fired(made, request({ name: `n-${i}`, userAgent: `agent-${i}` })),
  );
  expect(found.flatMap((names, i) => (names.length > 0 ? [i] : []))).toEqual([]);
  expect(fired(made, request({ name: 'n-51', userAgent: 'agent-33' }))).toEqual(['r']);
});

test('the rules that may be about an event are those whose event names allow it, in order', () => {
  const event = fc.record({ name: PATTERN, type: fc.constantFrom('ADDED', 'DELETED') }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), fc.array(WORD), (events, names) => {
      const made = plan(
        ...events.map((one, i) => ({
          name: String(i),
          match: { verb: 'watch', event: one },
          effect: { kind: 'drop' } as const,
        })),
      );
      const all = made.candidates(request({ verb: 'watch' }));
      const index = new EventCandidates(all);
      for (const name of names) {
        const seen = { type: 'ADDED', phase: 'live', namespace: 'ns', name, revision: 4 } as const;
        const firing = (some: typeof all): string[] =>
          some.flatMap((candidate) => made.fire(candidate, seen)?.rule ?? []);
        expect(firing(index.about(name))).toEqual(firing(all));
      }
    }),
  );
});

test('rules at events that come later are about an open watch, unless they count requests or act when it opens', () => {
  const watch = request({ verb: 'watch' });
  const drop: FaultRule = { match: { resource: 'gauges' }, effect: { kind: 'drop' } };
  const made = plan({ ...drop, name: 'before' });
  const { edition } = made;
  for (const rule of [
    { ...drop, name: 'later' },
    { ...drop, name: 'of-others', match: { resource: 'widgets' } },
    { ...drop, name: 'counting', match: { resource: 'gauges', request: 1 } },
    { name: 'at-opening', effect: { kind: 'stall' } } as const,
  ])
    made.add(rule);
  const names = (since: number): string[] => made.candidatesSince(since, watch).map(({ rule }) => rule.name);
  expect(names(edition)).toEqual(['later']);
  expect(names(made.edition)).toEqual([]);
  made.clear();
  made.add({ ...drop, name: 'after-all-were-removed' });
  expect(names(edition)).toEqual(['after-all-were-removed']);
});
