/** Reading request bodies. */
import { tooLargeEntity } from '../ground/status.js';
import { firstHeader, type Exchange } from './exchange.js';

/** 3 MiB; a body of exactly this length passes. Source: apiserver server/config.go, MaxRequestBodyBytes. */
export const BODY_LIMIT_BYTES = 3_145_728;

/** What Go's server reads of an unread body before it gives the connection up. Source: net/http, maxPostHandlerReadBytes. */
const WORTH_DRAINING_BYTES = 256 * 1024;

/** The client went away before its body was complete: nothing is done and nobody is answered. */
export class ClientGoneError extends Error {
  constructor() {
    super('the client went away before its request was complete');
    this.name = 'ClientGoneError';
  }
}

/** The whole body, read once, however often it is asked for. Errors: as `readWhole`. */
export const readBody = (exchange: Exchange, limitBytes = BODY_LIMIT_BYTES): Promise<Buffer> =>
  (exchange.body ??= readWhole(exchange, limitBytes));

/**
 * Reads the whole body; `100 Continue` is sent now if the client waits for it.
 *
 * Shape: empty when there is none. Content-Encoding is not looked at.
 * Errors: StatusError 413 beyond the limit; ClientGoneError.
 */
function readWhole(exchange: Exchange, limitBytes: number): Promise<Buffer> {
  const { req, res } = exchange;
  exchange.bodyTouched = true;
  if (expectsContinue(exchange)) res.writeContinue();
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const done = (finish: () => void): void => {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      finish();
    };
    const onData = (piece: Buffer): void => {
      length += piece.length;
      if (length <= limitBytes) {
        pieces.push(piece);
        return;
      }
      req.pause();
      done(() => reject(tooLargeEntity(`Request entity too large: limit is ${limitBytes}`)));
    };
    const onEnd = (): void => {
      const [only] = pieces;
      done(() => resolve(only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces, length)));
    };
    const onGone = (): void => done(() => reject(new ClientGoneError()));
    if (req.destroyed && !req.readableEnded) {
      reject(new ClientGoneError());
      return;
    }
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** Whether the client waits for `100 Continue` before it sends its body. */
function expectsContinue({ req }: Exchange): boolean {
  return (
    req.httpVersionMinor > 0 &&
    firstHeader(req, 'expect')?.toLowerCase() === '100-continue' &&
    declaresBody(req.headers)
  );
}

function declaresBody(headers: Exchange['req']['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Whether the connection ends with this answer because too much of the body is unread, or because the client was
 * never told to send it.
 */
export function endsConnection(exchange: Exchange): boolean {
  const { req } = exchange;
  if (req.complete || !declaresBody(req.headers)) return false;
  if (!exchange.bodyTouched && expectsContinue(exchange)) return true;
  const declared = req.headers['transfer-encoding'] === undefined ? Number(req.headers['content-length']) : 0;
  const read = exchange.bodyTouched ? Math.min(declared, BODY_LIMIT_BYTES + 1) : 0;
  return declared - read >= WORTH_DRAINING_BYTES;
}
