/** A watcher as the source of frames, with somebody who may step in at each event. */
import { type WatchEvent } from '../watch/watch-event.js';
import { type Watcher } from '../watch/watcher.js';
import { type EventFrame, type WatchSource } from './answer.js';
import { type EventForm, frameFor } from './event-source.js';
import { type Exchange } from './exchange.js';
import { type Format } from './format.js';
import { type WatchCounts } from './http-counts.js';
import { type EventFate, type ExchangeHook, type WatchHook } from './exchange-hooks.js';
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
  /** Frames that go out one by one, each in a chunk of its own. */
  #single: EventFrame[] = [];
  #state: State = 'open';
  #opened = false;
  #told = false;
  #callback: ((readiness: 'soon' | 'now') => void) | undefined;

  constructor(watcher: Watcher, form: EventForm, { exchange, hook, format, counts }: HookedStream) {
    this.#watcher = watcher;
    this.#form = form;
    this.#exchange = exchange;
    this.#format = format;
    this.#counts = counts;
    this.#hook = hook.opens({
      hold: () => watcher.hold(),
      release: () => watcher.release(),
      end: () => {
        if (this.#state === 'open' || this.#state === 'silent') this.#state = 'ending';
        this.#callback?.('soon');
      },
    });
  }

  take(max: number): readonly EventFrame[] {
    if (!this.#opened) {
      this.#opened = true;
      this.#follow(this.#hook.opened(), []);
    }
    const single = this.#single.shift();
    if (single !== undefined) return [single];
    if (this.#state === 'open') {
      const frames = this.#frames(max);
      if (frames.length > 0) return frames;
      const first = this.#single.shift();
      if (first !== undefined) return [first];
    }
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
      const fate = this.#hook.beforeDeliver(event);
      if (fate === undefined) frames.push(frameFor(event, this.#form, this.#counts));
      else this.#follow(fate, frames);
    }
    return frames;
  }

  #follow(fate: EventFate | undefined, frames: EventFrame[]): void {
    if (fate === undefined) return;
    const { events, cut, then } = fate;
    if (cut === undefined || !streams(this.#exchange)) {
      const whole = events.map((event) => this.#frame(event)).filter((frame) => frame !== undefined);
      // Behind what this burst holds already; before a burst has begun, on their own.
      (frames.length > 0 ? frames : this.#single).push(...whole);
    } else {
      const bytes = Buffer.concat(events.flatMap((event) => this.#frame(event)?.bytes(this.#format) ?? []));
      const kept = cut === 'half' ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes;
      if (cut === 'half') this.#single.push({ bytes: () => kept });
      else for (let i = 0; i < kept.length; i++) this.#single.push({ bytes: () => kept.subarray(i, i + 1) });
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
