/** Entries as they are held until somebody reads them: what is there anyway, with a number and a time. */
import { type RequestView } from '../http/exchange-hooks.js';
import { booleanValue, firstValue } from '../registry/query.js';
import { type EventEntry, type RequestEntry } from './journal-entry.js';

/** What an event is, whoever it is sent to: one for all the watches that it is sent to. */
export type SentEvent = Pick<EventEntry, 'type' | 'namespace' | 'name' | 'resourceVersion'>;

/** Which entry it is, of which request, and when it was written down. */
export interface Mark {
  readonly request: number;
  readonly seq: number;
  /** Milliseconds since 1970, on the cluster's clock. */
  readonly at: number;
  /** Milliseconds since 1970 of real time. */
  readonly realAt: number;
}

const realTimeOf = ({ at, realAt }: Mark): { readonly realAt?: number } => (realAt === at ? {} : { realAt });

export function eventEntry(event: SentEvent, mark: Mark): EventEntry {
  const { type, namespace, name, resourceVersion } = event;
  const { request, seq, at } = mark;
  return {
    kind: 'event',
    request,
    type,
    namespace,
    name,
    resourceVersion,
    seq,
    at,
    ...realTimeOf(mark),
  };
}

export function requestEntry(view: RequestView, mark: Mark): RequestEntry {
  const { query } = view;
  const { request, seq, at } = mark;
  const resourceVersion = firstValue(query, 'resourceVersion');
  return {
    kind: 'request',
    request,
    connection: view.connection,
    client: view.userAgent,
    user: view.user?.name ?? '',
    verb: view.verb,
    group: view.group,
    version: view.version,
    resource: view.resource,
    subresource: view.subresource,
    namespace: view.namespace,
    name: view.name,
    url: view.url,
    watchList: booleanValue(query, 'sendInitialEvents') === true,
    continued: (firstValue(query, 'continue') ?? '') !== '',
    seq,
    at,
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(view.client === '' ? {} : { clientId: view.client }),
    ...realTimeOf(mark),
  };
}
