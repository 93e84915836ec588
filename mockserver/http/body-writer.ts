/** Writing response bodies: with a length when short, in chunks when long, compressed when long and wanted. */
import { createGzip } from 'node:zlib';
import { endsConnection } from './body.js';
import { drainedOrClosed } from './drain.js';
import { firstHeader, type Exchange } from './exchange.js';
import { writeHead, type Head } from './response-head.js';

/** Bodies up to this length have a Content-Length. Source: Go net/http, bufferBeforeChunkingSize. */
const WITH_LENGTH_BYTES = 2048;

/** Bodies above this length are compressed for clients that accept it. Source: apiserver responsewriters/writers.go. */
const GZIP_ABOVE_BYTES = 128 * 1024;

/** Small pieces are joined to blocks of about this length. */
const BLOCK_BYTES = 64 * 1024;

/**
 * Writes head and body.
 *
 * Takes pieces only as fast as the client reads them; at most a block of them is held here. A client that goes away
 * ends it quietly.
 * Errors: what `pieces` throws. Before the head is out (`res.headersSent` is false) it can still become an answer.
 */
export async function writeBody(exchange: Exchange, head: Head, pieces: Iterable<Buffer>): Promise<void> {
  const { req } = exchange;
  const gzip = acceptsGzip(exchange);
  const wanted = gzip ? GZIP_ABOVE_BYTES : WITH_LENGTH_BYTES;
  const iterator = pieces[Symbol.iterator]();
  const first: Buffer[] = [];
  let length = 0;
  let ended = false;
  while (length <= wanted) {
    const next = iterator.next();
    if (next.done === true) {
      ended = true;
      break;
    }
    first.push(next.value);
    length += next.value.length;
  }
  if (ended && length <= WITH_LENGTH_BYTES) {
    writeHead(exchange, { ...head, contentLength: length });
    finish(exchange, join(first));
    return;
  }
  const compressed = gzip && length > GZIP_ABOVE_BYTES;
  writeHead(exchange, { ...head, gzip: compressed });
  if (req.method === 'HEAD') {
    iterator.return?.();
    finish(exchange);
    return;
  }
  const blocks = intoBlocks(first, iterator);
  if (compressed) await writeCompressed(exchange, blocks);
  else await writeBlocks(exchange, blocks);
}

/** How long a connection that ends is kept for a client that is still sending. Source: Go net/http, rstAvoidanceDelay. */
const LINGER_MS = 500;

/**
 * Ends the answer; it must have begun. What the client has sent and nobody read is let go of.
 *
 * A connection that ends under a client that is still sending lingers, because closing it at once would reset it and
 * the client might lose the answer.
 */
export function finish(exchange: Exchange, last?: Buffer): void {
  const { req, res, clock } = exchange;
  const lingers = endsConnection(exchange);
  if (!req.complete) req.resume();
  const body = req.method === 'HEAD' ? undefined : last;
  if (!lingers) {
    if (body === undefined) res.end();
    else res.end(body);
    return;
  }
  if (body !== undefined) res.write(body);
  else res.flushHeaders();
  const end = (): void => {
    timer.cancel();
    req.off('end', end).off('close', end);
    res.end();
  };
  const timer = clock.after(LINGER_MS, end);
  req.once('end', end).once('close', end);
}

async function writeBlocks(exchange: Exchange, blocks: Iterable<Buffer>): Promise<void> {
  const { res } = exchange;
  for (const block of blocks) {
    if (exchange.gone) return;
    if (!res.write(block)) await drainedOrClosed(res);
  }
  finish(exchange);
}

async function writeCompressed(exchange: Exchange, blocks: Iterable<Buffer>): Promise<void> {
  const { res } = exchange;
  const gzip = createGzip({ level: 1 });
  const closed = (): void => {
    gzip.destroy();
  };
  res.once('close', closed);
  gzip.on('error', () => undefined);
  gzip.pipe(res);
  try {
    for (const block of blocks) {
      if (exchange.gone) return;
      if (!gzip.write(block)) await drainedOrClosed(gzip);
    }
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

function* intoBlocks(first: readonly Buffer[], rest: Iterator<Buffer>): Generator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  try {
    for (let i = 0; ; i++) {
      let piece = first[i];
      if (piece === undefined) {
        const next = rest.next();
        if (next.done === true) break;
        piece = next.value;
      }
      held.push(piece);
      length += piece.length;
      if (length >= BLOCK_BYTES) {
        yield join(held);
        held = [];
        length = 0;
      }
    }
    if (length > 0) yield join(held);
  } finally {
    rest.return?.();
  }
}

function join(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}

function acceptsGzip({ req }: Exchange): boolean {
  const header = firstHeader(req, 'accept-encoding');
  return header?.split(',').some((token) => token.trim() === 'gzip') ?? false;
}
