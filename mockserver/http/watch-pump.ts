/** Moving frames from a watch to a socket, as fast as the socket takes them. */
import { type FrameSource } from './answer.js';

/** The far end of a watch, or of another answer that goes on. */
export interface FrameSink<Frame> {
  /** Frames of one burst, in order, not empty. Answers false when it wants no more for now. */
  write(frames: readonly Frame[]): boolean;
  /** Calls back once, when it takes more. */
  onDrain(callback: () => void): void;
  /** The watch is over: end the answer in good order. */
  end(): void;
}

export interface Pump {
  /** Stops without a word to the sink, for a client that is gone. Idempotent. */
  stop(): void;
  /** Ends the watch before its time: the sink is ended in good order. Idempotent. */
  finish(): void;
  /** Resolves when the watch is over. Rejects with what the source or the sink threw. */
  readonly over: Promise<void>;
}

/** Frames taken at a time. Few, because a frame taken counts as delivered even if the socket then stalls. */
const BURST = 16;

/**
 * Starts pumping. Every road out of it closes the source.
 *
 * Nothing is taken while the sink wants no more, so that a client that stalls is felt by the source. When the source
 * calls back, taking begins in a microtask, so that a burst is written at once, unless the source's queue is full: then
 * it begins now, in the middle of the commit, since the source would take the client for stuck.
 */
export function startPump<Frame>(source: FrameSource<Frame>, sink: FrameSink<Frame>): Pump {
  let running = true;
  let resolveOver: () => void = () => undefined;
  let rejectOver: (error: unknown) => void = () => undefined;
  const over = new Promise<void>((resolve, reject) => {
    resolveOver = resolve;
    rejectOver = reject;
  });

  const stop = (): void => {
    if (!running) return;
    running = false;
    source.close();
    resolveOver();
  };
  const finish = (): void => {
    if (!running) return;
    running = false;
    source.close();
    sink.end();
    resolveOver();
  };
  let scheduled = false;
  let blocked = false;
  const pump = (): void => {
    scheduled = false;
    try {
      move();
    } catch (error) {
      running = false;
      source.close();
      rejectOver(error);
    }
  };
  const move = (): void => {
    while (running && !blocked) {
      const frames = source.take(BURST);
      if (frames.length === 0) {
        if (source.ended) finish();
        return;
      }
      if (!sink.write(frames)) {
        blocked = true;
        sink.onDrain(() => {
          blocked = false;
          pump();
        });
      }
    }
  };
  source.onReady((readiness) => {
    if (!running) return;
    if (blocked) {
      // Its time is over, or it was closed: what the sink holds is the last of it.
      if (source.ended) finish();
      return;
    }
    if (readiness === 'now') pump();
    else if (!scheduled) {
      scheduled = true;
      queueMicrotask(pump);
    }
  });
  pump();
  return { stop, finish, over };
}
