/** The opening of a WebSocket: what the server answers to a request for one. */
import { createHash } from 'node:crypto';
import { type IncomingMessage } from './exchange.js';
import { firstHeader } from './exchange.js';

const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Whether a request asks for a WebSocket. Source: apimachinery httpstream, IsUpgradeRequest, and wsstream. */
export function asksForWebSocket(req: IncomingMessage): boolean {
  if (firstHeader(req, 'upgrade')?.toLowerCase() !== 'websocket') return false;
  return /(^|.*,\s*)upgrade($|\s*,)/.test((firstHeader(req, 'connection') ?? '').toLowerCase());
}

/**
 * Whether the socket opens, and the bytes to send first.
 *
 * Refusals: 400 for another version than 13, for an absent key, for more than one protocol; 403 without an Origin that
 * is a URL. Of one protocol offered nothing is said in the answer that would not be in the request.
 * Source: golang.org/x/net/websocket hybi.go and server.go.
 */
export function handshake(req: IncomingMessage): { readonly open: boolean; readonly bytes: Buffer } {
  const version = firstHeader(req, 'sec-websocket-version');
  if (version !== '13') {
    return refused('400 Bad Request\r\nSec-WebSocket-Version: 13', 'missing or bad WebSocket Version');
  }
  const key = firstHeader(req, 'sec-websocket-key');
  if (key === undefined || key === '') return refused('400 Bad Request', 'mismatch challenge/response');
  if (!isOrigin(firstHeader(req, 'origin'))) return refused('403 Forbidden');
  const protocols = (firstHeader(req, 'sec-websocket-protocol') ?? '')
    .split(',')
    .filter((one) => one.trim() !== '');
  if (protocols.length > 1) return refused('400 Bad Request');

  const accept = createHash('sha1').update(`${key}${ACCEPT_SUFFIX}`).digest('base64');
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    ...protocols.map((one) => `Sec-WebSocket-Protocol: ${one.trim()}`),
  ];
  return { open: true, bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1') };
}

function refused(head: string, body = ''): { readonly open: boolean; readonly bytes: Buffer } {
  return { open: false, bytes: Buffer.from(`HTTP/1.1 ${head}\r\n\r\n${body}`) };
}

/** Source: Go url.ParseRequestURI; the word `null` counts as absent. */
function isOrigin(origin: string | undefined): boolean {
  if (origin === undefined || origin === '' || origin === 'null') return false;
  if (/%(?![0-9A-Fa-f]{2})/.test(origin)) return false;
  return origin.startsWith('/') || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(origin);
}
