/** A watch over a WebSocket: one message for each event. */
import { type Format } from './format.js';
import { type EventFrame, type WatchAnswer } from './answer.js';
import { type Exchange, type Upgrade } from './exchange.js';
import { CLOSE_CODES, ClientFrames, closeFrame, encodeFrame } from './websocket-frames.js';
import { handshake } from './websocket-handshake.js';
import { startPump, type FrameSink, type Pump } from './watch-pump.js';

/** How long the client has to answer the close before its socket is taken down. */
const CLOSE_GRACE_MS = 1000;

/**
 * Opens the WebSocket, or refuses to, and streams the watch. What the client sends is ignored, but for ping and close.
 *
 * Shape: undefined when it was refused; the source is closed then.
 * Source: apiserver endpoints/handlers/watch.go, HandleWS.
 */
export function streamWebSocket(exchange: Exchange, upgrade: Upgrade, answer: WatchAnswer): Pump | undefined {
  const { req, clock } = exchange;
  const { socket, head } = upgrade;
  const { source, format } = answer;
  const opening = handshake(req);
  if (!opening.open || socket.destroyed) {
    source.close();
    socket.end(opening.bytes);
    return undefined;
  }
  exchange.observation?.answered(101);
  socket.setTimeout(0);
  socket.setNoDelay(true);
  socket.write(opening.bytes);

  const pump = startPump(source, {
    ...socketSink(upgrade, format),
    end: () => {
      socket.end(closeFrame(CLOSE_CODES.normal));
      const timer = clock.after(CLOSE_GRACE_MS, () => socket.destroy());
      socket.once('close', () => timer.cancel());
    },
  });
  const frames = new ClientFrames();
  const receive = (bytes: Buffer): void => {
    for (const signal of frames.push(bytes)) {
      if (signal.kind === 'ping') {
        socket.write(encodeFrame('pong', signal.payload));
        continue;
      }
      if (signal.kind === 'violation') socket.write(closeFrame(CLOSE_CODES.protocolError));
      pump.finish();
    }
  };
  socket.on('data', receive);
  socket.on('end', () => pump.finish());
  socket.on('error', () => pump.stop());
  socket.on('close', () => pump.stop());
  if (head.length > 0) receive(head);
  return pump;
}

function socketSink({ socket }: Upgrade, format: Format): Omit<FrameSink<EventFrame>, 'end'> {
  return {
    write(frames) {
      const opcode = format.text ? 'text' : 'binary';
      return socket.write(Buffer.concat(frames.map((frame) => encodeFrame(opcode, frame.bytes(format)))));
    },
    onDrain: (callback) => {
      socket.once('drain', callback);
    },
  };
}
