/** The one thread of a simulated server: work takes its time, and what falls due meanwhile waits. */
import { type Clock, type Timer, type VirtualClock } from '../ground/clock.js';
import { type Histogram } from './histogram.js';

/** Something that waits for the thread. */
interface Waiting {
  readonly due: number;
  callback: (() => void) | undefined;
}

export class ServerLoop implements Clock {
  readonly #clock: VirtualClock;
  /** How late callbacks ran, milliseconds. */
  readonly #delays: Histogram;
  /** Milliseconds of the current turn so far. */
  #worked = 0;
  #busyUntil = -Infinity;
  #busyMs = 0;
  /** In the order in which they fell due; those before `#head` have run. */
  #waiting: Waiting[] = [];
  #head = 0;
  #endOfTurn: (() => void)[] = [];

  constructor(clock: VirtualClock, delays: Histogram) {
    this.#clock = clock;
    this.#delays = delays;
  }

  /** Within a turn its work counts as time that has passed. */
  now(): number {
    return this.#clock.now() + this.#worked;
  }

  elapsed(): number {
    return this.now();
  }

  /** Milliseconds in which the thread has worked by now: of work that has begun, the part that is done. */
  get busyMs(): number {
    return this.#busyMs - Math.max(0, this.#busyUntil - this.#clock.now());
  }

  after(delayMs: number, callback: () => void): Timer {
    const one: Waiting = { due: this.now() + Math.max(0, delayMs), callback };
    const timer = this.#clock.after(this.#worked + Math.max(0, delayMs), () => this.#fallDue(one));
    return {
      cancel: () => {
        one.callback = undefined;
        timer.cancel();
      },
    };
  }

  soon(callback: () => void): Timer {
    return this.after(0, callback);
  }

  /** Something arrives from outside, now. */
  arrive(callback: () => void): void {
    this.#fallDue({ due: this.#clock.now(), callback });
  }

  /** Time that the current turn takes. */
  work(microseconds: number): void {
    this.#worked += microseconds / 1000;
  }

  /** Runs when the current turn has done all else, as a microtask would. To be called within a turn. */
  atEndOfTurn(callback: () => void): void {
    this.#endOfTurn.push(callback);
  }

  #fallDue(one: Waiting): void {
    if (one.callback === undefined) return;
    const free = this.#head === this.#waiting.length && this.#busyUntil <= this.#clock.now();
    if (free) {
      this.#turn(one);
      return;
    }
    this.#waiting.push(one);
    if (this.#waiting.length - this.#head === 1) this.#wakeWhenFree();
  }

  #wakeWhenFree(): void {
    this.#clock.after(Math.max(0, this.#busyUntil - this.#clock.now()), () => this.#next());
  }

  #next(): void {
    const one = this.#waiting[this.#head];
    if (one === undefined) return;
    this.#head++;
    if (this.#head === this.#waiting.length) {
      this.#waiting = [];
      this.#head = 0;
    } else if (this.#head > 1024 && this.#head * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    this.#turn(one);
    if (this.#head < this.#waiting.length) this.#wakeWhenFree();
  }

  #turn(one: Waiting): void {
    const { callback } = one;
    if (callback === undefined) return;
    one.callback = undefined;
    this.#delays.add(this.#clock.now() - one.due);
    callback();
    for (const last of this.#endOfTurn) last(); // also those that these add
    this.#endOfTurn = [];
    this.#busyUntil = this.#clock.now() + this.#worked;
    this.#busyMs += this.#worked;
    this.#worked = 0;
  }
}
