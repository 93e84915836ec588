/** What rules may ask of requests and events: each member declared once. */
import { flag, objectOf, oneOf, pattern, someOf, span, type ValuesOf } from './member.js';

export const EVENT_KINDS = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'MARKER', 'ERROR'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** What a rule may ask of an event. */
export const EVENT_MEMBERS = {
  type: someOf(EVENT_KINDS, '`MARKER`: the bookmark that ends the initial events; `BOOKMARK`: the others'),
  number: span('only the n-th event of the watch that matches the rest, or those from one to another'),
  phase: oneOf(['initial', 'live'], '`initial` up to the marker, `live` after it'),
  namespace: pattern('of the object'),
  name: pattern('of the object'),
  revision: span('the version of the event', 0),
};

/** What a rule may ask of a request. */
export const MATCH_MEMBERS = {
  verb: pattern(
    'get, list, watch, create, update, patch, delete, deletecollection; of discovery and the like the HTTP method in lower case',
  ),
  group: pattern("`''` is the core group"),
  version: pattern('of the API'),
  resource: pattern("the plural; `''` are documents: discovery, OpenAPI, health"),
  subresource: pattern('none by default when there is a `resource`, else any'),
  namespace: pattern('of the path'),
  name: pattern('of the path'),
  labelSelector: pattern('as sent'),
  fieldSelector: pattern('as sent'),
  userAgent: pattern('the header'),
  client: pattern('the header `X-Mock-Client`, for clients that share a user agent'),
  user: pattern('who asks'),
  url: pattern('path and query as sent'),
  watchList: flag('whether initial events are asked for (`sendInitialEvents`)'),
  continued: flag('whether the request goes on with a list (`continue`)'),
  page: span('which page of its list it asks for, counted from 1'),
  resourceVersion: pattern("the parameter as sent, `''` for none"),
  request: span('only the n-th request that matches the rest, or those from one to another'),
  revision: span('where the store stands', 0),
  event: objectOf(EVENT_MEMBERS, 'only events such as these; the effect then takes place at the event'),
};

export type EventMatch = ValuesOf<typeof EVENT_MEMBERS>;
export type Match = ValuesOf<typeof MATCH_MEMBERS>;
