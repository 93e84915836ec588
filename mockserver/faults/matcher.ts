/** Whether a request or an event is what a rule is about. */
import { booleanValue, textValue } from '../registry/query.js';
import { type RequestView } from '../http/exchange-hooks.js';
import { isWithin, textTest } from './pattern.js';
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

/** All that a rule asks of a request but its number. */
export function requestTest(match: Match = {}): RequestTest {
  const { resource, subresource = resource === undefined ? undefined : '', watchList, continued } = match;
  const { page, revision } = match;
  const tests: RequestTest[] = [];
  const texts = [
    [match.resource, (view: RequestView) => view.resource],
    [match.verb, (view: RequestView) => view.verb],
    [match.group, (view: RequestView) => view.group],
    [match.version, (view: RequestView) => view.version],
    [subresource, (view: RequestView) => view.subresource],
    [match.namespace, (view: RequestView) => view.namespace],
    [match.name, (view: RequestView) => view.name],
    [match.userAgent, (view: RequestView) => view.userAgent],
    [match.client, (view: RequestView) => view.client],
    [match.user, (view: RequestView) => view.user?.name ?? ''],
    [match.url, (view: RequestView) => view.url],
    [match.labelSelector, ({ query }: RequestView) => textValue(query, 'labelSelector')],
    [match.fieldSelector, ({ query }: RequestView) => textValue(query, 'fieldSelector')],
    [match.resourceVersion, ({ query }: RequestView) => textValue(query, 'resourceVersion')],
  ] as const;
  for (const [pattern, of] of texts) {
    const test = textTest(pattern);
    if (test !== undefined) tests.push((view) => test(of(view)));
  }
  if (watchList !== undefined) tests.push(({ query }) => asksForInitialEvents(query) === watchList);
  if (continued !== undefined) tests.push(({ query }) => isContinued(query) === continued);
  if (revision !== undefined) tests.push((_, facts) => isWithin(revision, facts.revision()));
  if (page !== undefined)
    tests.push((view, facts) => view.verb === 'list' && isWithin(page, facts.pageOf(view)));
  return (view, facts) => tests.every((test) => test(view, facts));
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
