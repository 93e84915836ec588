/** An answer that goes on for as long as its text does: a log that somebody follows. */
import { type TextStream } from '../registry/connection.js';
import { type FrameSource, type StreamAnswer } from './answer.js';
import { type Exchange } from './exchange.js';
import { writeHead } from './response-head.js';
import { startPump, type Pump } from './watch-pump.js';

/** What comes from behind the server, held until it is taken. */
export function byteSource(stream: TextStream): FrameSource<Buffer> {
  const waiting: Buffer[] = [];
  let ended = false;
  let tell: (readiness: 'soon' | 'now') => void = () => undefined;
  const stop = stream({
    write(bytes) {
      if (bytes.length === 0) return;
      waiting.push(bytes);
      tell('soon');
    },
    end() {
      ended = true;
      tell('soon');
    },
  });
  return {
    take: (max) => waiting.splice(0, max),
    onReady(callback) {
      tell = callback;
    },
    get ended() {
      return ended && waiting.length === 0;
    },
    close: stop,
  };
}

/** Headers go out at once, then each piece as it comes. Source: apiserver responsewriters/writers.go, StreamObject. */
export function streamBytes(
  exchange: Exchange,
  { code, contentType, headers, warnings, source }: StreamAnswer,
): Pump {
  const { req, res } = exchange;
  writeHead(exchange, { code, contentType, headers, warnings });
  res.flushHeaders();
  const pump = startPump(source, {
    write: (pieces) => res.write(Buffer.concat(pieces)),
    onDrain: (callback) => void res.once('drain', callback),
    end: () => void res.end(),
  });
  if (req.method === 'HEAD') pump.finish();
  res.once('close', () => pump.stop());
  if (exchange.gone) pump.stop();
  return pump;
}
