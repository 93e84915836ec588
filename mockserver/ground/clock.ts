/** Time, handed in: what runs on a clock runs the same on a real and on a virtual one. */

export interface Timer {
  /** Idempotent. After it the callback does not run. */
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds, with fractions, since some moment: for measuring how long something takes. */
  elapsed(): number;
  /** Runs `callback` once, `delayMs` from now (not before). Does not keep the process alive. */
  after(delayMs: number, callback: () => void): Timer;
  /** Runs `callback` in a later turn of the event loop, after pending input and output. */
  soon(callback: () => void): Timer;
}

/** setTimeout takes at most 2^31-1 ms; longer delays are cut into pieces. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

export const realClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, callback) {
    let left = Math.max(0, delayMs);
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const piece = Math.min(left, LONGEST_DELAY_MS);
      left -= piece;
      handle = setTimeout(left > 0 ? arm : callback, piece);
      handle.unref();
    };
    arm();
    return { cancel: () => clearTimeout(handle) };
  },
  soon(callback) {
    const handle = setImmediate(callback);
    return { cancel: () => clearImmediate(handle) };
  },
};

interface Appointment {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that stands still until it is told to move; callbacks run in the order of their times. */
export class VirtualClock implements Clock {
  #now: number;
  #order = 0;
  #appointments: Appointment[] = [];

  /** @param startMs milliseconds since 1970 that it shows first. */
  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now;
  }

  after(delayMs: number, callback: () => void): Timer {
    const appointment = { at: this.#now + Math.max(0, delayMs), order: this.#order++, callback };
    this.#appointments.push(appointment);
    return {
      cancel: () => {
        this.#appointments = this.#appointments.filter((other) => other !== appointment);
      },
    };
  }

  soon(callback: () => void): Timer {
    return this.after(0, callback);
  }

  /** Moves the time forward by `ms`, running what falls due on the way, also what that schedules. */
  advance(ms: number): void {
    const target = this.#now + ms;
    for (;;) {
      const next = this.#earliest();
      if (next === undefined || next.at > target) break;
      this.#appointments = this.#appointments.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = target;
  }

  #earliest(): Appointment | undefined {
    let best: Appointment | undefined;
    for (const one of this.#appointments) {
      if (best === undefined || one.at < best.at || (one.at === best.at && one.order < best.order))
        best = one;
    }
    return best;
  }
}

/** The texts of formatTime, of which many in a row are of one second. */
export class TimeTexts {
  #second = Number.NaN;
  #text = '';

  at(ms: number): string {
    const second = Math.floor(ms / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = formatTime(ms);
    }
    return this.#text;
  }
}

/** `2026-11-29T12:14:06Z`: the time form of the API, whole seconds in UTC. */
export function formatTime(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}
