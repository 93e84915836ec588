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
  /**
   * Runs `callback` once, `delayMs` from now (not before). Does not keep the process alive.
   *
   * @param kind `upkeep`: what comes again and again as long as the clock runs (progress, compaction, bookmarks) or ends
   * what is merely old (watches): a clock that runs until nothing is left to do does not wait for it
   */
  after(delayMs: number, callback: () => void, kind?: 'upkeep'): Timer;
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
  /** undefined: it has been cancelled, or has run. */
  callback: (() => void) | undefined;
}

/** Cancelled appointments that a virtual clock keeps at least before it looks for them. */
const CANCELLED_KEPT = 1000;

/** A clock that stands still until it is told to move; callbacks run in the order of their times. */
export class VirtualClock implements Clock {
  #now: number;
  #order = 0;
  /** A binary heap: none is due before the one at half its index. */
  #appointments: Appointment[] = [];
  /** How many of them have been cancelled. */
  #cancelled = 0;

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
    const appointment: Appointment = {
      at: this.#now + Math.max(0, delayMs),
      order: this.#order++,
      callback,
    };
    this.#add(appointment);
    return {
      cancel: () => {
        if (appointment.callback === undefined) return;
        appointment.callback = undefined; // it leaves the heap when its time comes
        this.#cancelled++;
        if (this.#cancelled > CANCELLED_KEPT && this.#cancelled * 2 > this.#appointments.length) this.#tidy();
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
      const next = this.#appointments[0];
      if (next === undefined || next.at > target) break;
      this.#takeFirst();
      const { callback } = next;
      if (callback === undefined) {
        this.#cancelled--;
        continue;
      }
      next.callback = undefined; // to cancel it now changes nothing
      this.#now = Math.max(this.#now, next.at);
      callback();
    }
    this.#now = target;
  }

  /** Lets go of what has been cancelled. */
  #tidy(): void {
    // What is sorted is a heap.
    this.#appointments = this.#appointments
      .filter(({ callback }) => callback !== undefined)
      .sort((a, b) => (isBefore(a, b) ? -1 : 1));
    this.#cancelled = 0;
  }

  #add(appointment: Appointment): void {
    const heap = this.#appointments;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = heap[above];
      if (other === undefined || isBefore(other, appointment)) break;
      heap[at] = other;
      at = above;
    }
    heap[at] = appointment;
  }

  #takeFirst(): void {
    const heap = this.#appointments;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      if (left === undefined) break;
      const onRight = right !== undefined && isBefore(right, left);
      const least = onRight ? right : left;
      if (isBefore(last, least)) break;
      heap[at] = least;
      at = 2 * at + (onRight ? 2 : 1);
    }
    heap[at] = last;
  }
}

const isBefore = (a: Appointment, b: Appointment): boolean =>
  a.at < b.at || (a.at === b.at && a.order < b.order);

/** The last moment that the time form of the API can show: the end of the year 9999. Milliseconds since 1970. */
export const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

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

/** Milliseconds since 1970 of a time as RFC 3339 writes it. Shape: undefined for what is none. */
export function parseTime(text: string): number | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** `2026-11-29T12:14:06Z`: the time form of the API, whole seconds in UTC. */
export function formatTime(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/** `2026-11-29T12:14:06.250Z`: with milliseconds. */
export const formatTimeMs = (ms: number): string => new Date(ms).toISOString();

/** Milliseconds since 1970 of a time as objects show it; NaN for another text. */
export const timeMs = (text: string): number => Date.parse(text);
