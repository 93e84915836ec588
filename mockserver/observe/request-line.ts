/** One request in a few words: what was asked, of what, by whom. */
import { qualifiedName } from '../ground/kind.js';
import { parsePath, splitTarget, type ResourcePath } from '../http/path.js';
import { type SeenRequest } from '../http/request-observer.js';
import { parseQuery } from '../registry/query.js';

export interface RequestWords {
  /** A verb of the API for resources, the method in lower case for other paths. */
  readonly verb: string;
  /** `deployments.apps/web/status -n shop`; the path where it names no resource. */
  readonly target: string;
  /** The first product of the User-Agent header, without its version; `-` when there is none. */
  readonly client: string;
}

export function requestWords({ method, url, userAgent }: SeenRequest): RequestWords {
  const client = printable(/^[^\s/]+/.exec(userAgent ?? '')?.[0] ?? '-');
  const { path: escaped, query } = splitTarget(url);
  // Clusters beside the default one have their name before the path.
  const cluster = /^\/clusters\/[^/]+(?=\/)/.exec(escaped)?.[0] ?? '';
  const path = parsePath(escaped.slice(cluster.length));
  if (path.kind !== 'resource') return { verb: method.toLowerCase(), target: printable(escaped), client };
  const target = `${targetOf(path)}${cluster === '' ? '' : ` of ${cluster.slice(1)}`}`;
  return { verb: verbOf(path, method, query), target: printable(target), client };
}

function targetOf({ group, resource, name, subresource, namespace }: ResourcePath): string {
  const parts = [qualifiedName({ group, resource }), name, subresource].filter((part) => part !== undefined);
  return `${parts.join('/')}${namespace === undefined || namespace === '' ? '' : ` -n ${namespace}`}`;
}

function verbOf({ name, legacyWatch }: ResourcePath, method: string, query: string): string {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (legacyWatch || isTrue(parseQuery(query).get('watch')?.[0])) return 'watch';
      return name === undefined ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'DELETE':
      return name === undefined ? 'deletecollection' : 'delete';
    default:
      return method.toLowerCase();
  }
}

/** As the API reads booleans of a query: `watch=` is true. */
const isTrue = (text: string | undefined): boolean =>
  text !== undefined && text !== '0' && text.toLowerCase() !== 'false';

/** Control characters mean something to a terminal, and clients choose these texts. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?');

/** `1.3 ms`, `250 ms`, `12.3 s`. */
export function shownDuration(ms: number): string {
  if (ms < 100) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
