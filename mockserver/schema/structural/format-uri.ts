/** URIs as they stand in a request: absolute ones, or absolute paths. */
import { isIPv6 } from 'node:net';

/** Source: Go's net/url ParseRequestURI. */
export function isRequestUri(text: string): boolean {
  if (/[\0-\x1f\x7f]/.test(text) || text === '') return false;
  if (text === '*') return true;
  if (text.startsWith(':')) return false;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
  const afterScheme = scheme === '' ? text : text.slice(scheme.length + 1);
  const query = afterScheme.indexOf('?');
  let rest = query < 0 ? afterScheme : afterScheme.slice(0, query);
  // What follows a scheme without a slash is opaque.
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme !== '' && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
    if (!isAuthority(scheme.toLowerCase(), authority)) return false;
    rest = slash < 0 ? '' : rest.slice(slash);
  }
  return isEscaped(rest);
}

/** Every per cent sign is followed by two hexadecimal digits. */
const isEscaped = (text: string): boolean => !/%(?![0-9A-Fa-f]{2})/.test(text);

function isAuthority(scheme: string, authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  return (
    isHost(scheme, authority.slice(at + 1)) &&
    /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) &&
    isEscaped(user)
  );
}

const PORT = /^(?::[0-9]*)?$/;

function isHost(scheme: string, host: string): boolean {
  const open = host.lastIndexOf('[');
  if (open > 0) return false;
  if (open === 0) {
    const close = host.lastIndexOf(']');
    if (close < 0 || !PORT.test(host.slice(close + 1))) return false;
    const [address = '', zone] = host.slice(1, close).split('%25');
    return (
      isIPv6(address) && !address.includes('%') && (zone === undefined || (zone !== '' && isHostText(zone)))
    );
  }
  const strict = scheme === 'http' || scheme === 'https';
  const colon = strict ? host.indexOf(':') : host.lastIndexOf(':');
  return (colon < 0 || PORT.test(host.slice(colon))) && isHostText(host);
}

/** Only bytes beyond ASCII, and the per cent sign, may be escaped. */
const isHostText = (text: string): boolean =>
  /^(?:[^\0-\x7f]|[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]|%(?:25|[89A-Fa-f][0-9A-Fa-f]))*$/.test(text);
