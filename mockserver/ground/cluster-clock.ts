/** The clock of one cluster: it runs with real time until it is frozen, then moves when it is told to. */
import { type Clock, LAST_MS, type Timer } from './clock.js';

interface Appointment {
  at: number;
  readonly order: number;
  readonly upkeep: boolean;
  readonly callback: () => void;
  /** While the clock runs. */
  timer: Timer | undefined;
}

export interface ClusterClockOptions {
  /** What it runs with while it is not frozen. */
  readonly real: Clock;
  /** Milliseconds since 1970 that it shows first, frozen. @default it runs, and shows real time */
  readonly frozenAt?: number | undefined;
}

/** Turns of the event loop in which what follows from one appointment may begin something else. */
const TURNS = 2;

/** How far `runToIdle` goes by default: an hour. */
const FURTHEST_MS = 3_600_000;

export class ClusterClock implements Clock {
  readonly #real: Clock;
  readonly #startsAt: number | undefined;
  /** While it runs: what it is ahead of real time. */
  #ahead = 0;
  /** While it is frozen: what it shows. */
  #frozenAt: number | undefined;
  #order = 0;
  readonly #appointments = new Set<Appointment>();
  #closed = false;
  #settle: (() => Promise<void>) | undefined;

  constructor({ real, frozenAt }: ClusterClockOptions) {
    this.#real = real;
    this.#startsAt = frozenAt;
    this.#frozenAt = frozenAt;
  }

  now(): number {
    return this.#frozenAt ?? this.#real.now() + this.#ahead;
  }

  elapsed(): number {
    return this.#frozenAt ?? this.#real.elapsed() + this.#ahead;
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  after(delayMs: number, callback: () => void, kind?: 'upkeep'): Timer {
    const at = this.now() + Math.max(0, delayMs);
    const appointment: Appointment = {
      at,
      order: this.#order++,
      upkeep: kind === 'upkeep',
      callback,
      timer: undefined,
    };
    if (!this.#closed) {
      this.#appointments.add(appointment);
      if (!this.frozen) this.#arm(appointment);
    }
    return {
      cancel: () => {
        appointment.timer?.cancel();
        this.#appointments.delete(appointment);
      },
    };
  }

  /** A turn of the event loop is no matter of time: it comes on a frozen clock too. */
  soon(callback: () => void): Timer {
    return this.#real.soon(callback);
  }

  /**
   * Stops the time.
   *
   * @param at milliseconds since 1970 that it then shows, not before what it shows now. @default now
   * Errors: RangeError for a moment before that, or after the year 9999.
   */
  freeze(at?: number): void {
    const now = this.now();
    if (at !== undefined && at < now) throw new RangeError(`freeze: ${at} lies before ${now}`);
    if (at !== undefined && !(at <= LAST_MS))
      throw new RangeError(`freeze: ${at} is no moment up to the year 9999`);
    this.#frozenAt = at ?? now;
    this.#disarm();
  }

  /** Lets the time run on from where it stands. */
  run(): void {
    if (this.#frozenAt === undefined) return;
    this.#ahead = this.#frozenAt - this.#real.now();
    this.#frozenAt = undefined;
    for (const appointment of this.#appointments) this.#arm(appointment);
  }

  /**
   * Freezes the clock and moves it forward: what falls due on the way runs in the order of its times, each with all that
   * follows from it before the next. Somebody who lets it run meanwhile ends that.
   *
   * Errors: RangeError for a negative number, and for one that leads beyond the year 9999.
   */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`advance: ${ms} must be at least 0`);
    const target = this.now() + ms;
    if (target > LAST_MS) throw new RangeError(`advance: ${ms} leads beyond the year 9999`);
    this.freeze();
    for (;;) {
      await this.#settled();
      if (!this.frozen) return;
      const next = this.#earliest(() => true);
      if (next === undefined || next.at > target) break;
      this.#ring(next);
    }
    this.#frozenAt = Math.max(target, this.now());
  }

  /**
   * Freezes the clock and moves it on until nothing waits for it but upkeep.
   *
   * Shape: the milliseconds that have passed; never more than `withinMs`. @default an hour
   */
  async runToIdle({ withinMs = FURTHEST_MS }: { readonly withinMs?: number } = {}): Promise<number> {
    this.freeze();
    const began = this.now();
    for (;;) {
      await this.#settled();
      const next = this.#earliest(({ upkeep }) => !upkeep);
      if (!this.frozen || next === undefined || next.at > began + withinMs) return this.now() - began;
      await this.advance(Math.max(0, next.at - this.now()));
    }
  }

  /** @param settle resolves when those who work in turns of their own have come to rest; asked between two times */
  settleBy(settle: () => Promise<void>): void {
    this.#settle = settle;
  }

  /** Shows what it showed first, frozen or running as it was then; appointments keep the delays that are left. */
  restart(): void {
    const before = this.now();
    this.#disarm();
    this.#ahead = 0;
    this.#frozenAt = this.#startsAt;
    const shift = this.now() - before;
    for (const appointment of this.#appointments) {
      appointment.at += shift;
      if (!this.frozen) this.#arm(appointment);
    }
  }

  /** Forgets every appointment; further ones are not kept. Idempotent. */
  close(): void {
    this.#closed = true;
    this.#disarm();
    this.#appointments.clear();
  }

  /** Resolves when what has begun at this time has come to rest: promises, and turns of the event loop. */
  async #settled(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++)
      await new Promise<void>((resolve) => void this.#real.soon(resolve));
    await this.#settle?.();
  }

  #ring(appointment: Appointment): void {
    this.#appointments.delete(appointment);
    if (this.#frozenAt !== undefined) this.#frozenAt = Math.max(this.#frozenAt, appointment.at);
    appointment.callback();
  }

  #earliest(counts: (appointment: Appointment) => boolean): Appointment | undefined {
    let best: Appointment | undefined;
    for (const one of this.#appointments) {
      if (!counts(one)) continue;
      if (best === undefined || one.at < best.at || (one.at === best.at && one.order < best.order))
        best = one;
    }
    return best;
  }

  #arm(appointment: Appointment): void {
    appointment.timer = this.#real.after(appointment.at - this.now(), () => this.#ring(appointment));
  }

  #disarm(): void {
    for (const appointment of this.#appointments) appointment.timer?.cancel();
  }
}
