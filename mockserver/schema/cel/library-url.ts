/** Functions of URLs. Source: apiserver pkg/cel/library/urls.go; Go's net/url. */
import { goQuote } from '../../ground/revision.js';
import { isRequestUri } from '../structural/format-uri.js';
import { CelError, noSuchOverload } from './cel-error.js';
import { type Overload, func, method } from './overload.js';
import { text } from './readers.js';
import { EntryMap, ListValue, Opaque, type Value } from './values.js';

class UrlValue extends Opaque {
  readonly typeName = 'kubernetes.URL';
  readonly source: string;
  readonly scheme: string;
  /** With the port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
  constructor(source: string) {
    super();
    this.source = source;
    const [withoutFragment = ''] = source.split('#', 1);
    const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(withoutFragment)?.[1] ?? '';
    const afterScheme = scheme === '' ? withoutFragment : withoutFragment.slice(scheme.length + 1);
    const mark = afterScheme.indexOf('?');
    const hierarchy = mark < 0 ? afterScheme : afterScheme.slice(0, mark);
    const hasHost = hierarchy.startsWith('//') && (scheme !== '' || !hierarchy.startsWith('///'));
    const slash = hasHost ? hierarchy.indexOf('/', 2) : 0;
    const authority = hasHost ? hierarchy.slice(2, slash < 0 ? undefined : slash) : '';
    this.scheme = scheme.toLowerCase();
    this.host = unescaped(authority.slice(authority.lastIndexOf('@') + 1)) ?? '';
    // What follows a scheme without a slash is opaque, and no path.
    const isOpaque = scheme !== '' && !hierarchy.startsWith('/');
    this.path = isOpaque || (hasHost && slash < 0) ? '' : hierarchy.slice(slash);
    this.query = mark < 0 ? '' : afterScheme.slice(mark + 1);
  }
  equals(other: Opaque): boolean {
    return other instanceof UrlValue && other.source === this.source;
  }
}

function unescaped(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function url(source: string): UrlValue {
  if (isRequestUri(source)) return new UrlValue(source);
  const why = source === '' ? 'empty url' : 'invalid URI for request';
  throw new CelError(`URL parse error during conversion from string: parse ${goQuote(source)}: ${why}`);
}

function read(value: Value): UrlValue {
  if (value instanceof UrlValue) return value;
  throw noSuchOverload();
}

const PORT = /:([0-9]*)$/;
const hostname = ({ host }: UrlValue): string => {
  const bare = host.replace(PORT, '');
  return bare.startsWith('[') && bare.endsWith(']') ? bare.slice(1, -1) : bare;
};

/** As it was written where that is a valid escaping, which a request has. */
const escapedPath = ({ path }: UrlValue): string =>
  path.replaceAll(/[^\x21-\x7e]|["<>\\^`{|}]/gu, (one) => encodeURIComponent(one));

function query({ query: source }: UrlValue): EntryMap {
  const values = new Map<string, string[]>();
  for (const pair of source.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const plain = (part: string): string | undefined => unescaped(part.replaceAll('+', ' '));
    const name = plain(equals < 0 ? pair : pair.slice(0, equals));
    const value = plain(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const out = new EntryMap();
  for (const [name, list] of values) out.insert(name, new ListValue(list));
  return out;
}

export const URL_LIBRARY: readonly Overload[] = [
  func('url(string): url', (a) => url(text(a))),
  func('isURL(string): bool', (a) => isRequestUri(text(a))),
  method('url.getScheme(): string', (a) => read(a).scheme),
  method('url.getHost(): string', (a) => read(a).host),
  method('url.getHostname(): string', (a) => hostname(read(a))),
  method('url.getPort(): string', (a) => PORT.exec(read(a).host)?.[1] ?? ''),
  method('url.getEscapedPath(): string', (a) => escapedPath(read(a))),
  method('url.getQuery(): map(string, list(string))', (a) => query(read(a))),
];
