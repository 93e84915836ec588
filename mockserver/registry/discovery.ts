/** Which path asks for which discovery document, and what it is answered. */
import { createHash } from 'node:crypto';
import { type JsonObject, type JsonValue } from '../ground/json.js';
import { writeJson } from '../ground/json-write.js';
import {
  type StatusError,
  methodNotAllowed,
  notAcceptable,
  pathNotFound,
  unsupportedMediaType,
} from '../ground/status.js';
import { type Conversion, OBJECT_TYPES, negotiate, routeAccepts, routeConsumes } from './accept.js';
import {
  aggregatedCore,
  aggregatedGroups,
  apiVersions,
  groupDocument,
  groupList,
  resourceList,
  rootPaths,
} from './discovery-documents.js';
import { answerHealth, isHealthEndpoint } from './discovery-health.js';
import {
  type DocumentAnswer,
  type Query,
  type RequestHeaders,
  headerOf,
  emptyAnswer,
  indentedAnswer,
  objectAnswer,
  pathNotServed,
  statusAnswer,
} from './document-answer.js';
import { type ServedApi } from './served-api.js';

const DEFAULT_ISSUER = 'https://kubernetes.default.svc.cluster.local';
const AGGREGATED_MESSAGE = 'k8s.io.api.apidiscovery.v2.APIGroupDiscoveryList';

interface DiscoveryRequest {
  readonly method: string;
  readonly headers: RequestHeaders;
  readonly accept: string;
}

/**
 * Answers a request for a document about the API: discovery, `/`, `/version`, health, token issuer.
 *
 * Shape: undefined when the path is none of these (resources, and paths that nobody serves). `//` is never one.
 * An answer to HEAD has the body that GET would have; the caller leaves it away.
 *
 * @param path the decoded path, one trailing slash allowed where a real server allows it.
 * @param headers by lower-cased name.
 * @param method built-in version, resource and issuer documents take only GET; the others answer any method.
 * Source: kube-aggregator handler_apis.go, apiserver discovery, observed on 1.36.3.
 */
export function answerDiscovery(
  path: string,
  query: Query,
  headers: RequestHeaders,
  served: ServedApi,
  method = 'GET',
): DocumentAnswer | undefined {
  if (path === '/') return indentedAnswer(200, rootPaths(served));
  if (!path.startsWith('/')) return undefined;
  const request = { method, headers, accept: headerOf(headers, 'accept') };
  const segments = path.slice(1).split('/');
  const [first] = segments;
  if (isHealthEndpoint(first)) {
    // Health paths are exact: a trailing slash makes another path.
    if (path.endsWith('/')) return pathNotServed();
    return answerHealth(first, segments.slice(1).join('/'), served.healthChecks[first], query);
  }
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  if (segments.includes('')) return undefined;
  switch (first) {
    case 'api':
      return answerCore(segments, request, served);
    case 'apis':
      return answerGroups(segments, request, served);
    case 'version':
      return onRoute(request, segments.length === 1, ['application/json'], ['application/json'], () =>
        indentedAnswer(200, served.version),
      );
    case 'openid':
    case '.well-known':
      return answerIssuer(segments, request, served);
    default:
      return undefined;
  }
}

/** `/api` and `/api/<version>`. */
function answerCore(
  segments: readonly string[],
  request: DiscoveryRequest,
  served: ServedApi,
): DocumentAnswer | undefined {
  if (segments.length > 2) return undefined;
  const version = segments[1];
  const list = served.groupVersions.find((one) => one.group === '' && one.version === version);
  return onRoute(request, version === undefined || list !== undefined, OBJECT_TYPES, OBJECT_TYPES, () =>
    list === undefined
      ? withAggregation(request, () => aggregatedCore(served), apiVersions(served), 'APIVersions')
      : objectAnswer(resourceList(list), 'APIResourceList', request.accept),
  );
}

/** `/apis`, `/apis/<group>` and `/apis/<group>/<version>`. */
function answerGroups(
  segments: readonly string[],
  request: DiscoveryRequest,
  served: ServedApi,
): DocumentAnswer | undefined {
  if (segments.length > 3) return undefined;
  const [, group, version] = segments;
  if (group === undefined) {
    return withAggregation(request, () => aggregatedGroups(served), groupList(served), 'APIGroupList');
  }
  if (version === undefined) {
    const document = groupDocument(served, group);
    return document === undefined ? pathNotServed() : objectAnswer(document, 'APIGroup', request.accept);
  }
  const list = served.groupVersions.find((one) => one.group === group && one.version === version);
  if (list?.origin === 'custom') return objectAnswer(resourceList(list), 'APIResourceList', request.accept);
  const isBuiltIn = served.groupVersions.some((one) => one.group === group && one.origin === 'built-in');
  if (!isBuiltIn) return pathNotServed();
  return onRoute(request, list !== undefined, OBJECT_TYPES, OBJECT_TYPES, () =>
    list === undefined
      ? pathNotServed()
      : objectAnswer(resourceList(list), 'APIResourceList', request.accept),
  );
}

/** The keys and the self-description of the issuer of service account tokens. */
function answerIssuer(
  segments: readonly string[],
  request: DiscoveryRequest,
  served: ServedApi,
): DocumentAnswer | undefined {
  const path = segments.join('/');
  const cached = { 'Cache-Control': 'public, max-age=3600' };
  if (path === 'openid/v1/jwks' || path.startsWith('openid/v1/jwks/')) {
    const type = 'application/jwk-set+json';
    return onRoute(request, path === 'openid/v1/jwks', [], [type], () => ({
      code: 200,
      contentType: type,
      headers: cached,
      body: writeJson({ keys: served.serviceAccountKeys?.() ?? [] }),
    }));
  }
  const known = '.well-known/openid-configuration';
  if (path !== known && !path.startsWith(`${known}/`)) return undefined;
  return onRoute(request, path === known, [], ['application/json'], () => ({
    code: 200,
    contentType: 'application/json',
    headers: cached,
    body: writeJson({
      issuer: served.serviceAccountIssuer ?? DEFAULT_ISSUER,
      jwks_uri: `https://${served.serverAddress}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
  }));
}

/**
 * What the router of built-in paths checks before a document is made: path, method, body type, accepted types.
 *
 * Source: go-restful jsr311.go, detectRoute.
 */
function onRoute(
  { method, headers, accept }: DiscoveryRequest,
  found: boolean,
  consumes: readonly string[],
  produces: readonly string[],
  document: () => DocumentAnswer,
): DocumentAnswer {
  const refused = (error: StatusError): DocumentAnswer => statusAnswer(error, accept);
  if (!found) return refused(pathNotFound());
  if (method !== 'GET') return refused(methodNotAllowed());
  if (!routeConsumes(headerOf(headers, 'content-type'), consumes)) {
    return refused(unsupportedMediaType('415: Unsupported Media Type', true));
  }
  if (!routeAccepts(accept, produces)) {
    const types = produces.join(', ');
    return refused(notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${types}`, true));
  }
  return document();
}

const isAggregation = (wanted: Conversion | undefined): boolean =>
  wanted?.group === 'apidiscovery.k8s.io' &&
  wanted.version === 'v2' &&
  wanted.kind === 'APIGroupDiscoveryList';

/**
 * The aggregated list where the client accepts it at all, however little it likes it; else the plain document.
 *
 * The entity tag is the SHA-512 of the list's JSON without kind and apiVersion.
 * Source: KEP-3352; apiserver discovery/aggregated/etag.go, ServeHTTPWithETag.
 */
function withAggregation(
  { headers, accept }: DiscoveryRequest,
  aggregated: () => JsonObject,
  plain: JsonValue,
  plainKind: string,
): DocumentAnswer {
  const negotiated = accept === '' ? undefined : negotiate(accept, isAggregation);
  if (negotiated === undefined) return objectAnswer(plain, plainKind, accept);
  const body = aggregated();
  const etag = `"${entityTag({ metadata: body['metadata'] ?? {}, items: body['items'] ?? [] })}"`;
  const cacheHeaders = { ETag: etag, Vary: 'Accept', 'Cache-Control': 'public' };
  if (headerOf(headers, 'if-none-match') === etag) return emptyAnswer(304, cacheHeaders);
  return {
    code: 200,
    contentType: `${negotiated.type};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`,
    headers: cacheHeaders,
    body,
    message: AGGREGATED_MESSAGE,
    ...(negotiated.pretty ? { pretty: true } : {}),
  };
}

const entityTag = (value: JsonValue): string =>
  createHash('sha512').update(writeJson(value)).digest('hex').toUpperCase();
