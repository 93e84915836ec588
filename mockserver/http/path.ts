/** The path of a request, taken apart as kube-apiserver takes it apart. */
import { badRequest, type StatusError } from '../ground/status.js';
import { goQuote } from '../ground/revision.js';

/** A path below `/api/{version}/` or `/apis/{group}/{version}/`. Whether such a resource exists is not asked here. */
export interface ResourcePath {
  readonly kind: 'resource';
  readonly prefix: 'api' | 'apis';
  /** `''` below `/api`. */
  readonly group: string;
  /** May be `''` (`/api//pods`), which no registry serves. */
  readonly version: string;
  /**
   * Present when `/namespaces/{namespace}/` stands before the resource. `''` (two slashes) counts as all namespaces.
   * A path that names a namespace itself has resource `namespaces`, the name, and no namespace.
   */
  readonly namespace?: string;
  /** The plural; `''` when two slashes hide it. */
  readonly resource: string;
  /** Absent for collections; `''` for two slashes before a subresource. Not checked: see `nameParameterError`. */
  readonly name?: string;
  readonly subresource?: string;
  /** What follows the subresource, decoded (`proxy/a/b` → `['a', 'b']`). */
  readonly rest: readonly string[];
  /** The deprecated `/watch/` stood before the resource: the request is a watch whatever its query says. */
  readonly legacyWatch: boolean;
}

/** Any other path: discovery, health, version, or nothing at all. */
export interface DocumentPath {
  readonly kind: 'document';
  /** Decoded, as sent otherwise: with its slashes at either end. */
  readonly path: string;
}

/** A path that is answered without a look at the registry, by plain text. */
export interface BadPath {
  readonly kind: 'bad';
  readonly code: 400 | 500;
  readonly text: string;
}

export type RequestPath = ResourcePath | DocumentPath | BadPath;

/** Subresources whose requests last as long as the client wants; fairness among requests leaves them out. */
const LONG_RUNNING: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/**
 * Watches are not meant: they take part until they are begun.
 * Source: kubernetes cmd/kube-apiserver/app/server.go, BasicLongRunningRequestCheck; apiserver server/filters/priority-and-fairness.go.
 */
export const isLongRunning = (path: RequestPath): boolean =>
  path.kind === 'resource' && path.subresource !== undefined && LONG_RUNNING.has(path.subresource);

export interface RequestTarget {
  /** Still escaped. */
  readonly path: string;
  /** Still escaped, without the question mark; `''` when there is none. */
  readonly query: string;
}

/**
 * Splits the target of a request line; scheme and host of an absolute URL are dropped.
 *
 * Source: RFC 9112, section 3.2. A `#` is an ordinary character, as Go's url.ParseRequestURI has it.
 */
export function splitTarget(rawUrl: string): RequestTarget {
  const absolute = rawUrl.startsWith('/') ? null : /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?]*/.exec(rawUrl);
  const rest = absolute === null ? rawUrl : rawUrl.slice(absolute[0].length);
  const mark = rest.indexOf('?');
  const path = mark < 0 ? rest : rest.slice(0, mark);
  return {
    path: absolute !== null && path === '' ? '/' : path,
    query: mark < 0 ? '' : rest.slice(mark + 1),
  };
}

const BAD_REQUEST: BadPath = Object.freeze({ kind: 'bad', code: 400, text: '400 Bad Request' });

/** Words that may stand before a resource; alone they are an error. */
const SPECIAL_WORDS: ReadonlySet<string> = new Set(['watch', 'proxy']);

/** Behind a namespace's name these are its subresources, not resources within it. */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'finalize']);

/**
 * Reads the target of a request line.
 *
 * Shape: slashes at the end do not count, slashes in the middle make empty parts, `%2F` is a slash, `.` and `..` are
 * parts like any other. Bytes that are not UTF-8 become U+FFFD.
 * Errors: a bad path for a wrong escape, and for `/watch` or `/proxy` without a resource.
 * Source: apiserver endpoints/request/requestinfo.go, NewRequestInfo.
 */
export function parsePath(rawUrl: string): RequestPath {
  const target = splitTarget(rawUrl);
  const path = percentDecode(target.path);
  if (path === undefined || (!path.startsWith('/') && path !== '*')) return BAD_REQUEST;
  // The multiplexer compares the path as sent, so a second slash in front hides every known prefix.
  if (path.startsWith('//')) return { kind: 'document', path };

  const parts = path.replace(/^\/+|\/+$/g, '').split('/');
  const prefix = parts[0];
  if (prefix !== 'api' && prefix !== 'apis') return { kind: 'document', path };
  const first = prefix === 'api' ? 2 : 3;
  if (parts.length <= first) return { kind: 'document', path };

  const group = prefix === 'api' ? '' : (parts[1] ?? '');
  const version = parts[first - 1] ?? '';
  let rest = parts.slice(first);
  let legacyWatch = false;
  const word = rest[0] ?? '';
  if (SPECIAL_WORDS.has(word)) {
    if (rest.length < 2) return undeterminedPath(rawUrl);
    // `/proxy/` has not been served for long: it stays in place and is a resource that nobody knows.
    if (word === 'watch') {
      legacyWatch = true;
      rest = rest.slice(1);
    }
  }

  let namespace: string | undefined;
  if (rest[0] === 'namespaces' && rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2] ?? '')) {
    namespace = rest[1] ?? '';
    rest = rest.slice(2);
  }
  const [resource = '', name, subresource, ...more] = rest;
  return {
    kind: 'resource',
    prefix,
    group,
    version,
    ...(namespace === undefined ? {} : { namespace }),
    resource,
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
    rest: more,
    legacyWatch,
  };
}

/**
 * The 400 of a name that cannot be part of a key, as storage answers it (so after authorization, and for writes
 * after the body was read). Undefined when the name will do.
 *
 * Source: apiserver registry/generic/registry/store.go and apimachinery api/validate/content.
 */
export function nameParameterError(name: string): StatusError | undefined {
  if (name === '') return badRequest('Name parameter required.');
  const problems: string[] = [];
  if (name === '.' || name === '..') problems.push(`may not be '${name}'`);
  for (const character of ['/', '%']) {
    if (name.includes(character)) problems.push(`may not contain '${character}'`);
  }
  if (problems.length === 0) return undefined;
  return badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`);
}

function undeterminedPath(rawUrl: string): BadPath {
  const shown = `Internal Server Error: ${goQuote(rawUrl)}: failed to create RequestInfo: unable to determine kind and namespace from url, ${rawUrl}`;
  return { kind: 'bad', code: 500, text: escapeMarkup(shown) };
}

/** `&`, `<` and `>` as HTML entities: how plain-text errors show what a client sent. */
export function escapeMarkup(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Undefined when an escape is wrong. Blanks and plus signs stay what they are. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    // Not UTF-8: byte by byte, as the real server keeps them.
    const bytes = Buffer.from(
      text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    );
    return bytes.toString('utf8');
  }
}
