/** Requests as hooks see them. */
import { type User } from '../access/user.js';
import { booleanValue, type Query } from '../registry/query.js';
import { type Exchange, firstHeader } from './exchange.js';
import { type RequestView } from './exchange-hooks.js';
import { type Route } from './resource-route.js';

/** By which clients of one user agent may tell themselves apart. */
const CLIENT_HEADER = 'x-mock-client';

/** A request for a document about the API. */
export const documentView = (exchange: Exchange, url: string, query: Query, user: User): RequestView => {
  const method = exchange.req.method ?? 'GET';
  return {
    verb: method.toLowerCase(),
    method,
    url,
    group: '',
    version: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    query,
    userAgent: firstHeader(exchange.req, 'user-agent') ?? '',
    client: firstHeader(exchange.req, CLIENT_HEADER) ?? '',
    connection: exchange.connection,
    user,
  };
};

/** A request for a verb on a resource. */
export const verbView = (
  exchange: Exchange,
  url: string,
  query: Query,
  route: Extract<Route, { kind: 'verb' }>,
  user: User,
): RequestView => ({
  verb: route.verb === 'list' && booleanValue(query, 'watch') === true ? 'watch' : route.verb,
  method: exchange.req.method ?? 'GET',
  url,
  group: route.resource.group,
  version: route.resource.version,
  resource: route.resource.resource,
  subresource: route.subresource?.name ?? '',
  namespace: route.namespace,
  name: route.name,
  query,
  userAgent: firstHeader(exchange.req, 'user-agent') ?? '',
  client: firstHeader(exchange.req, CLIENT_HEADER) ?? '',
  connection: exchange.connection,
  user,
});
