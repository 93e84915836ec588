/** Whether a request or an event is what a rule is about. */
import { booleanValue, firstValue } from '../registry/query.js';
import { type RequestView } from '../http/exchange-hooks.js';
import { textTest } from './pattern.js';
import { type EventKind, type EventMatch, type Match } from './rule.js';

export type RequestTest = (request: RequestView) => boolean;

/** An event as rules see it. */
export interface EventView {
  readonly type: EventKind;
  readonly phase: 'initial' | 'live';
  readonly namespace: string;
  readonly name: string;
}

export type EventTest = (event: EventView) => boolean;

/** All that a rule asks of a request but its number. */
export function requestTest(match: Match = {}): RequestTest {
  const { resource, subresource = resource === undefined ? undefined : '', watchList, continued } = match;
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
    [match.user, (view: RequestView) => view.user?.name ?? ''],
    [match.url, (view: RequestView) => view.url],
  ] as const;
  for (const [pattern, of] of texts) {
    const test = textTest(pattern);
    if (test !== undefined) tests.push((view) => test(of(view)));
  }
  if (watchList !== undefined) tests.push(({ query }) => asksForInitialEvents(query) === watchList);
  if (continued !== undefined) tests.push(({ query }) => isContinued(query) === continued);
  return (view) => tests.every((test) => test(view));
}

const asksForInitialEvents = (query: RequestView['query']): boolean =>
  booleanValue(query, 'sendInitialEvents') === true;

const isContinued = (query: RequestView['query']): boolean => (firstValue(query, 'continue') ?? '') !== '';

/** All that a rule asks of an event but its number. */
export function eventTest(match: EventMatch = {}): EventTest {
  const { type, phase } = match;
  const tests: EventTest[] = [];
  if (type !== undefined) {
    const types = new Set(typeof type === 'string' ? [type] : type);
    tests.push((event) => types.has(event.type));
  }
  if (phase !== undefined) tests.push((event) => event.phase === phase);
  const namespace = textTest(match.namespace);
  if (namespace !== undefined) tests.push((event) => namespace(event.namespace));
  const name = textTest(match.name);
  if (name !== undefined) tests.push((event) => name(event.name));
  return (event) => tests.every((test) => test(event));
}
