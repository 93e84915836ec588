/** A watcher as the source of frames, with somebody who may step in at each event. */
import { type WatchEvent } from '../watch/watch-event.js';
import { type Watcher } from '../watch/watcher.js';
import { type EventFrame, type WatchSource } from './answer.js';
import { type EventForm, eventSource, frameFor, isShown } from './event-source.js';
import { type Exchange } from './exchange.js';
import { type Format } from './format.js';
import { type WatchCounts } from './http-counts.js';
import { type Clock, type Timer } from '../ground/clock.js';
import { type EventFate, type ExchangeHook, type Piece, type WatchHook } from './exchange-hooks.js';
import { resetConnection } from './reset-connection.js';

type State =
  | 'open'
  /** What has been taken is written first, then the stream ends. */
  | 'ending'
  /** What has been taken is written first, then the connection is reset. */
  | 'resetting'
  /** Events are taken and dropped; the stream stays open for its time. */
  | 'silent'
  | 'ended';

/** Formats whose frames may be cut into pieces: each piece of a WebSocket would be a message of its own. */
const streams = (exchange: Exchange): boolean => exchange.upgrade === undefined;

export interface HookedStream {
  readonly exchange: Exchange;
  readonly hook: ExchangeHook;
  readonly format: Format;
  readonly counts: WatchCounts;
  /** The cluster's: delays of events pass on it. */
  readonly clock: Clock;
}

/** What goes out in a chunk of its own, maybe later. */
interface Single {
  readonly frame: EventFrame;
  readonly waitMs: number;
}

export function hookedSource(watcher: Watcher, form: EventForm, stream: HookedStream): WatchSource {
  return new HookedSource(watcher, form, stream);
}

class HookedSource implements WatchSource {
  readonly #watcher: Watcher;
  readonly #form: EventForm;
  readonly #exchange: Exchange;
  readonly #hook: WatchHook;
  readonly #format: Format;
  readonly #counts: WatchCounts;
  readonly #clock: Clock;
  /** Serves while there is nothing to step in for. */
  readonly #plain: WatchSource;
  readonly #single: Single[] = [];
  /** The first of them waits for its time. */
  #wait: Timer | undefined;
  #state: State = 'open';
  #opened = false;
  #told = false;
  #callback: ((readiness: 'soon' | 'now') => void) | undefined;

  constructor(watcher: Watcher, form: EventForm, { exchange, hook, format, counts, clock }: HookedStream) {
    this.#watcher = watcher;
    this.#form = form;
    this.#exchange = exchange;
    this.#format = format;
    this.#counts = counts;
    this.#plain = eventSource(watcher, form, counts);
    this.#clock = clock;
    this.#hook = hook.opens({
      hold: () => watcher.hold(),
      drip: (events) => watcher.drip(events),
      timeOut: () => watcher.close('timeout'),
      send: (fate) => {
        if (this.#state === 'ended') return;
        this.#follow(fate, []);
        this.#callback?.('soon');
      },
      release: () => watcher.release(),
      end: () => {
        if (this.#state === 'open' || this.#state === 'silent') this.#state = 'ending';
        this.#callback?.('soon');
      },
    });
    watcher.observe((state) => this.#hook.moved(state, watcher.queued));
  }

  take(max: number): readonly EventFrame[] {
    if (!this.#opened) {
      this.#opened = true;
      this.#follow(this.#hook.opened(), []);
    }
    if (this.#single.length === 0 && this.#state === 'open') {
      if (!this.#hook.watchful) return this.#plain.take(max);
      const frames = this.#frames(max);
      if (frames.length > 0) return frames;
    }
    if (this.#single.length > 0) return this.#nextSingle();
    this.#conclude();
    return [];
  }

  onReady(callback: (readiness: 'soon' | 'now') => void): void {
    this.#callback = callback;
    this.#watcher.onReady(callback);
  }

  get ended(): boolean {
    if (this.#state === 'ended') return true;
    const idle = this.#state === 'open' || this.#state === 'silent';
    const ended = idle && this.#single.length === 0 && this.#watcher.ended;
    if (ended) this.#tell('server');
    return ended;
  }

  close(): void {
    this.#counts.closed();
    this.#wait?.cancel();
    this.#watcher.close('client');
    this.#tell(this.#state === 'ended' ? 'server' : 'client');
    this.#state = 'ended';
  }

  #frames(max: number): EventFrame[] {
    const frames: EventFrame[] = [];
    while (frames.length < max && this.#state === 'open' && this.#single.length === 0) {
      const event = this.#watcher.take();
      if (event === undefined) break;
      if (this.#form.kind === 'impossible') {
        this.#watcher.close('error');
        break;
      }
      if (!isShown(event, this.#form)) continue;
      const fate = this.#hook.beforeDeliver(event);
      if (fate === undefined) frames.push(frameFor(event, this.#form, this.#counts));
      else this.#follow(fate, frames);
    }
    return frames;
  }

  /** Shape: empty while it is not due. */
  #nextSingle(): readonly EventFrame[] {
    if (this.#wait !== undefined) return [];
    const [first] = this.#single;
    if (first === undefined) return [];
    if (first.waitMs === 0) {
      this.#single.shift();
      return [first.frame];
    }
    this.#wait = this.#clock.after(first.waitMs, () => {
      this.#wait = undefined;
      this.#single[0] = { frame: first.frame, waitMs: 0 };
      this.#callback?.('soon');
    });
    return [];
  }

  #follow(fate: EventFate | undefined, frames: EventFrame[]): void {
    if (fate === undefined) return;
    const { events, cut, waitMs = 0, then } = fate;
    if (cut === undefined || !streams(this.#exchange)) {
      const whole = events.map((event) => this.#frame(event)).filter((frame) => frame !== undefined);
      // Behind what this burst holds already; before a burst has begun, or behind what is to come later, on their own.
      if (frames.length > 0 && waitMs === 0 && this.#single.length === 0) frames.push(...whole);
      else this.#single.push(...whole.map((frame, i) => ({ frame, waitMs: i === 0 ? waitMs : 0 })));
    } else {
      const bytes = Buffer.concat(events.flatMap((event) => this.#frame(event)?.bytes(this.#format) ?? []));
      this.#single.push(...cut(bytes).map((piece, i) => singleOf(piece, i === 0 ? waitMs : 0)));
    }
    if (then === 'end') this.#state = 'ending';
    else if (then === 'reset') this.#state = 'resetting';
    else if (then === 'silence') this.#state = 'silent';
  }

  #frame(event: WatchEvent): EventFrame | undefined {
    return this.#form.kind === 'impossible' ? undefined : frameFor(event, this.#form, this.#counts);
  }

  /** Everything taken so far has been handed to the socket. */
  #conclude(): void {
    switch (this.#state) {
      case 'ending':
        this.#state = 'ended';
        this.#watcher.close('client');
        this.#tell('server');
        return;
      case 'resetting':
        this.#state = 'ended';
        this.#watcher.close('client');
        this.#tell('client');
        resetConnection(this.#exchange);
        return;
      case 'silent':
        // Dropped rather than left in the channel: the watch cache would take the client for stuck.
        while (this.#watcher.take() !== undefined);
        return;
      case 'open':
      case 'ended':
        return;
    }
  }

  #tell(by: 'server' | 'client'): void {
    if (this.#told) return;
    this.#told = true;
    this.#hook.closed(by);
  }
}

const singleOf = ({ bytes, waitMs = 0 }: Piece, more: number): Single => ({
  frame: { bytes: () => bytes },
  waitMs: waitMs + more,
});
