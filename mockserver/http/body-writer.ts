/** Writing response bodies: with a length when short, in chunks when long, compressed when long and wanted. */
import { createGzip, gzipSync } from 'node:zlib';
import { endsConnection } from './body.js';
import { drainedOrClosed, type Drainable } from './drain.js';
import { firstHeader, type Exchange } from './exchange.js';
import { type Pacing } from './exchange-hooks.js';
import { type Piece } from './format.js';
import { resetConnection } from './reset-connection.js';
import { writeHead, type Head } from './response-head.js';

/** Bodies up to this length have a Content-Length. Source: Go net/http, bufferBeforeChunkingSize. */
const WITH_LENGTH_BYTES = 2048;

/** Bodies above this length are compressed for clients that accept it. Source: apiserver responsewriters/writers.go. */
const GZIP_ABOVE_BYTES = 128 * 1024;

/** Small pieces are joined to blocks of this length; pieces that are longer go as they are. */
const BLOCK_BYTES = 64 * 1024;

/**
 * Writes head and body.
 *
 * Takes pieces only as fast as the client reads them and holds one block of them at a time. A client that goes away
 * ends it quietly.
 *
 * Shape: a promise only when there is something to wait for: a short body is written at once.
 * Errors: what `pieces` throws. Before the head is out (`res.headersSent` is false) it can still become an answer.
 */
export function writeBody(
  exchange: Exchange,
  head: Head,
  pieces: Iterable<Piece>,
): Promise<void> | undefined {
  if (exchange.pacing !== undefined) return writePaced(exchange, exchange.pacing, { head, pieces });
  const gzip = acceptsGzip(exchange);
  const wanted = gzip ? GZIP_ABOVE_BYTES : WITH_LENGTH_BYTES;
  const iterator = pieces[Symbol.iterator]();
  const first: Piece[] = [];
  let length = 0;
  let ended = false;
  while (length <= wanted) {
    const next = iterator.next();
    if (next.done === true) {
      ended = true;
      break;
    }
    first.push(next.value);
    length += lengthOf(next.value);
  }
  if (ended && length <= WITH_LENGTH_BYTES) {
    writeHead(exchange, head, { contentLength: length });
    finish(exchange, joined(first));
    return undefined;
  }
  const compressed = gzip && length > GZIP_ABOVE_BYTES;
  writeHead(exchange, head, { gzip: compressed });
  if (exchange.req.method === 'HEAD') {
    iterator.return?.();
    finish(exchange);
    return undefined;
  }
  return writeLong(exchange, remaining(first, iterator), compressed);
}

/** A body of which everything is known before anything is sent, piece by piece. */
async function writePaced(
  exchange: Exchange,
  { cut, clock, then }: Pacing,
  { head, pieces }: { readonly head: Head; readonly pieces: Iterable<Piece> },
): Promise<void> {
  const plain = Buffer.from(joined([...pieces]), 'latin1');
  const gzip = acceptsGzip(exchange) && plain.length > GZIP_ABOVE_BYTES;
  const { res } = exchange;
  writeHead(exchange, head, { gzip });
  res.flushHeaders();
  if (exchange.req.method === 'HEAD') {
    finish(exchange);
    return;
  }
  for (const { bytes, waitMs = 0 } of cut(gzip ? gzipSync(plain) : plain)) {
    if (waitMs > 0) await new Promise<void>((resolve) => clock.after(waitMs, resolve));
    if (exchange.gone) return;
    // A chunk of no bytes would end the body.
    if (bytes.length > 0 && !res.write(bytes)) await drainedOrClosed(res);
  }
  if (then === 'end') finish(exchange);
  // What was written is sent first: a reset would overtake it.
  else res.write('', () => resetConnection(exchange));
}

async function writeLong(exchange: Exchange, pieces: Iterable<Piece>, compressed: boolean): Promise<void> {
  if (compressed) await writeCompressed(exchange, pieces);
  else if (await writeBlocks(exchange, exchange.res, pieces)) finish(exchange);
}

/** How long a connection that ends is kept for a client that is still sending. Source: Go net/http, rstAvoidanceDelay. */
const LINGER_MS = 500;

/**
 * Ends the answer; it must have begun. What the client has sent and nobody read is let go of.
 *
 * A connection that ends under a client that is still sending lingers, because closing it at once would reset it and
 * the client might lose the answer.
 */
export function finish(exchange: Exchange, last?: Buffer | string): void {
  const { req, res, clock } = exchange;
  const lingers = endsConnection(exchange);
  if (!req.complete) req.resume();
  const body = req.method === 'HEAD' ? undefined : last;
  if (!lingers) {
    if (body === undefined) res.end();
    else res.end(body, 'latin1');
    return;
  }
  if (body !== undefined) res.write(body, 'latin1');
  else res.flushHeaders();
  const end = (): void => {
    timer.cancel();
    req.off('end', end).off('close', end);
    res.end();
  };
  const timer = clock.after(LINGER_MS, end);
  req.once('end', end).once('close', end);
}

/** A stream that is written to block by block. */
interface BlockSink extends Drainable {
  write(block: Buffer): boolean;
}

/**
 * Writes the pieces in blocks. Answers whether all were written: false when the client is gone.
 *
 * The block is filled again and again: a stream that asked to be waited for and has drained keeps nothing of it.
 */
async function writeBlocks(exchange: Exchange, sink: BlockSink, pieces: Iterable<Piece>): Promise<boolean> {
  let block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  let filled = 0;
  const write = async (bytes: Buffer): Promise<boolean> => {
    if (exchange.gone) return false;
    if (!sink.write(bytes)) await drainedOrClosed(sink);
    else if (bytes.buffer === block.buffer) block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    return !exchange.gone;
  };
  for (const piece of pieces) {
    for (const part of typeof piece === 'string' || Buffer.isBuffer(piece) ? [piece] : piece) {
      if (filled > 0 && filled + part.length > BLOCK_BYTES) {
        if (!(await write(block.subarray(0, filled)))) return false;
        filled = 0;
      }
      if (part.length > BLOCK_BYTES) {
        if (!(await write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part))) return false;
      } else {
        filled += typeof part === 'string' ? block.write(part, filled, 'latin1') : part.copy(block, filled);
      }
    }
  }
  return filled === 0 || write(block.subarray(0, filled));
}

async function writeCompressed(exchange: Exchange, pieces: Iterable<Piece>): Promise<void> {
  const { res } = exchange;
  const gzip = createGzip({ level: 1 });
  const closed = (): void => {
    gzip.destroy();
  };
  res.once('close', closed);
  gzip.on('error', () => undefined);
  gzip.pipe(res);
  try {
    if (!(await writeBlocks(exchange, gzip, pieces))) return;
    gzip.end();
    await new Promise<void>((resolve) => {
      if (res.closed || exchange.gone) resolve();
      else res.once('finish', resolve).once('close', resolve);
    });
  } finally {
    res.off('close', closed);
    if (!gzip.writableEnded) gzip.destroy();
  }
}

function* remaining(first: readonly Piece[], rest: Iterator<Piece>): Generator<Piece> {
  try {
    yield* first;
    for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
  } finally {
    rest.return?.();
  }
}

function lengthOf(piece: Piece): number {
  if (typeof piece === 'string' || Buffer.isBuffer(piece)) return piece.length;
  return piece.reduce((sum, text) => sum + text.length, 0);
}

/** One byte string, since Node puts a text behind the head and sends both at once; bytes would be a second buffer. */
function joined(pieces: readonly Piece[]): string {
  const [only] = pieces;
  if (pieces.length === 1 && typeof only === 'string') return only;
  return pieces
    .flat()
    .map((piece) => (typeof piece === 'string' ? piece : piece.toString('latin1')))
    .join('');
}

function acceptsGzip({ req }: Exchange): boolean {
  const header = firstHeader(req, 'accept-encoding');
  return header?.split(',').some((token) => token.trim() === 'gzip') ?? false;
}
