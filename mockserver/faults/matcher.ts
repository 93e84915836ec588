/** Whether a request or an event is what a rule is about. */
import { booleanValue, textValue } from '../registry/query.js';
import { type RequestView } from '../http/exchange-hooks.js';
import { type Pattern } from './member.js';
import { isWithin, textTest, type TextTest } from './pattern.js';
import { type EventKind, type EventMatch, type Match } from './match.js';

/** What rules may ask of a request that it does not say itself. */
export interface RequestFacts {
  /** Where the store stands. */
  revision(): number;
  /** Which page of a list it asks for, counted from 1. */
  pageOf(request: RequestView): number;
}

export type RequestTest = (request: RequestView, facts: RequestFacts) => boolean;

/** An event as rules see it. */
export interface EventView {
  readonly type: EventKind;
  readonly phase: 'initial' | 'live';
  readonly namespace: string;
  readonly name: string;
  /** 0 for an ERROR. */
  readonly revision: number;
}

export type EventTest = (event: EventView) => boolean;

/** What a rule asks of a request, but its number: in parts, since few requests differ in the first. */
export interface RequestTests {
  /** Who asks, and for what sort of thing: verb, resource, namespace, client and so on. */
  readonly sort: (request: RequestView) => boolean;
  /** Undefined: any name. */
  readonly name: TextTest | undefined;
  /** What is new with each request. Undefined: anything. */
  readonly rest: RequestTest | undefined;
}

/** Errors: SyntaxError for a regular expression that is none. */
export function requestTests(match: Match = {}): RequestTests {
  const { resource, subresource = resource === undefined ? undefined : '' } = match;
  const sorts = textTests([
    [resource, (view) => view.resource],
    [match.verb, (view) => view.verb],
    [match.group, (view) => view.group],
    [match.version, (view) => view.version],
    [subresource, (view) => view.subresource],
    [match.namespace, (view) => view.namespace],
    [match.userAgent, (view) => view.userAgent],
    [match.client, (view) => view.client],
    [match.user, (view) => view.user?.name ?? ''],
  ]);
  const rest = restTests(match);
  return {
    sort: (view) => sorts.every((test) => test(view)),
    name: textTest(match.name),
    rest: rest.length === 0 ? undefined : (view, facts) => rest.every((test) => test(view, facts)),
  };
}

function restTests({
  url,
  labelSelector,
  fieldSelector,
  resourceVersion,
  watchList,
  continued,
  page,
  revision,
}: Match): RequestTest[] {
  const tests: RequestTest[] = textTests([
    [url, (view) => view.url],
    [labelSelector, ({ query }) => textValue(query, 'labelSelector')],
    [fieldSelector, ({ query }) => textValue(query, 'fieldSelector')],
    [resourceVersion, ({ query }) => textValue(query, 'resourceVersion')],
  ]);
  if (watchList !== undefined) tests.push(({ query }) => asksForInitialEvents(query) === watchList);
  if (continued !== undefined) tests.push(({ query }) => isContinued(query) === continued);
  if (revision !== undefined) tests.push((_, facts) => isWithin(revision, facts.revision()));
  if (page !== undefined)
    tests.push((view, facts) => view.verb === 'list' && isWithin(page, facts.pageOf(view)));
  return tests;
}

type TextOf = (view: RequestView) => string;

const textTests = (
  asked: readonly (readonly [Pattern | undefined, TextOf])[],
): ((view: RequestView) => boolean)[] =>
  asked.flatMap(([pattern, of]) => {
    const test = textTest(pattern);
    return test === undefined ? [] : [(view: RequestView) => test(of(view))];
  });

/** What must be true of both. */
export const bothTests = (one: RequestTests, other: RequestTests): RequestTests => ({
  sort: (view) => one.sort(view) && other.sort(view),
  name: both(one.name, other.name),
  rest: both(one.rest, other.rest),
});

type Test<Given extends readonly unknown[]> = ((...given: Given) => boolean) | undefined;

function both<Given extends readonly unknown[]>(one: Test<Given>, other: Test<Given>): Test<Given> {
  if (one === undefined) return other;
  return other === undefined ? one : (...given) => one(...given) && other(...given);
}

/** All that a rule asks of a request but its number. */
export function requestTest(match?: Match): RequestTest {
  const { sort, name, rest } = requestTests(match);
  return (view, facts) => sort(view) && (name?.(view.name) ?? true) && (rest?.(view, facts) ?? true);
}

export const asksForInitialEvents = (query: RequestView['query']): boolean =>
  booleanValue(query, 'sendInitialEvents') === true;

export const isContinued = (query: RequestView['query']): boolean => textValue(query, 'continue') !== '';

/** All that a rule asks of an event but its number. */
export function eventTest(match: EventMatch = {}): EventTest {
  const { type, phase, revision } = match;
  const tests: EventTest[] = [];
  if (type !== undefined) {
    const types = new Set(typeof type === 'string' ? [type] : type);
    tests.push((event) => types.has(event.type));
  }
  if (phase !== undefined) tests.push((event) => event.phase === phase);
  if (revision !== undefined) tests.push((event) => isWithin(revision, event.revision));
  const namespace = textTest(match.namespace);
  if (namespace !== undefined) tests.push((event) => namespace(event.namespace));
  const name = textTest(match.name);
  if (name !== undefined) tests.push((event) => name(event.name));
  return (event) => tests.every((test) => test(event));
}
