/** Ending a connection as a crash does. */
import { type Exchange } from './exchange.js';

/** Resets the connection under whatever was being said on it (RST; under TLS it is closed without a word). */
export function resetConnection({ req, res }: Exchange): void {
  const { socket } = req;
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
  res.destroy();
}
