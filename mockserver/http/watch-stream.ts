/** A watch as an HTTP response that does not end. */
import { type Socket } from 'node:net';
import { type EventFrame, type WatchAnswer } from './answer.js';
import { type Exchange } from './exchange.js';
import { type Format } from './format.js';
import { type FrameChunks } from './frame-chunks.js';
import { writeHead } from './response-head.js';
import { startPump, type FrameSink, type Pump } from './watch-pump.js';

/**
 * Begins the answer and streams the watch. Headers go out at once, Nagle's delay is off.
 *
 * Source: apiserver endpoints/handlers/watch.go, HandleHTTP.
 */
export function streamWatch(exchange: Exchange, answer: WatchAnswer, chunks: FrameChunks): Pump {
  const { req, res } = exchange;
  const { source, format } = answer;
  writeHead(exchange, {
    code: 200,
    contentType: format.watchMediaType ?? format.mediaType,
    warnings: answer.warnings,
    headers: answer.headers,
  });
  res.flushHeaders();
  req.socket.setNoDelay(true);
  const pump = startPump(source, responseSink(exchange, format, chunks));
  if (req.method === 'HEAD') pump.finish();
  // The response closes when it is finished, and when the client goes away before that.
  res.once('close', () => pump.stop());
  if (exchange.gone) pump.stop();
  return pump;
}

/**
 * Writes chunks straight to the socket when it is this response's turn on it and the body is chunked: one system call
 * a burst and bytes that all watchers share, where the response would put each into a chunk of its own. What remains
 * (HTTP/1.0, responses that wait behind others on their connection) goes through the response.
 */
function responseSink({ res }: Exchange, format: Format, chunks: FrameChunks): FrameSink<EventFrame> {
  const socket: Socket | null = res.chunkedEncoding ? res.socket : null;
  return {
    write(frames) {
      const buffers = frames.map((frame) => frame.bytes(format));
      if (socket !== null && res.socket === socket) return socket.write(chunks.chunkOf(buffers));
      const [only] = buffers;
      return res.write(only !== undefined && buffers.length === 1 ? only : Buffer.concat(buffers));
    },
    onDrain: (callback) => {
      if (socket !== null && res.socket === socket) socket.once('drain', callback);
      else res.once('drain', callback);
    },
    end: () => {
      res.end();
    },
  };
}
