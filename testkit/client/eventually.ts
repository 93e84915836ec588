/** Waiting for something to become so. */
import { realClock } from '../../mockserver/ground/clock.js';

export interface Patience {
  /** Milliseconds of real time. @default 5000 */
  readonly withinMs?: number;
  /** Pause between two tries, in milliseconds. @default 10 */
  readonly everyMs?: number;
}

const WITHIN_MS = 5000;
const EVERY_MS = 10;

/**
 * Tries until it does not throw.
 *
 * Shape: what the last try answered. Errors: those of the last try, when the time is over.
 */
export async function eventually<T>(
  work: () => T | Promise<T>,
  { withinMs = WITHIN_MS, everyMs = EVERY_MS }: Patience = {},
): Promise<T> {
  const began = realClock.elapsed();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (realClock.elapsed() - began >= withinMs) throw error;
      await pause(everyMs);
    }
  }
}

/** Rejects when the time is over. Shape: what the promise answers. */
export async function within<T>(work: Promise<T>, withinMs: number, message: () => string): Promise<T> {
  let timer: { cancel: () => void } | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = keptAlive(withinMs, () => reject(new Error(message())));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    timer?.cancel();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void keptAlive(ms, resolve));

/** The clock's timers do not keep a program alive; somebody who waits does. */
function keptAlive(ms: number, done: () => void): { cancel: () => void } {
  const alive = new MessageChannel();
  alive.port1.ref();
  const end = (): void => alive.port1.close();
  const timer = realClock.after(ms, () => {
    end();
    done();
  });
  return {
    cancel: () => {
      timer.cancel();
      end();
    },
  };
}
