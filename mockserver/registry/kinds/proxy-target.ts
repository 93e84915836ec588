/** What a proxy request names: `name`, `name:port` or `scheme:name:port`. */
import { badRequest } from '../../ground/status.js';

export interface ProxyTarget {
  readonly name: string;
  /** A number, or a port's name; `''`: none. */
  readonly port: string;
}

/** @param what for the error: `pod` Errors: 400. Source: apimachinery util/net/port_split.go. */
export function proxyTarget(id: string, what: string): ProxyTarget {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] =
    parts.length === 3 ? parts : ['', parts[0] ?? '', parts[1] ?? ''];
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme)) {
    throw badRequest(`invalid ${what} request "${id}"`);
  }
  return { name, port };
}
