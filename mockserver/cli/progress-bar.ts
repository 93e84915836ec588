/** A line that tells how far something is, on a terminal that somebody looks at. */
import { type LogStream } from './log-sink.js';

const WIDTH = 30;
/** Milliseconds between two drawings. */
const PAUSE_MS = 100;
/** What is done sooner shows no bar. */
const PATIENCE_MS = 500;

export class ProgressBar {
  readonly #stream: LogStream;
  readonly #elapsed: () => number;
  readonly #began: number;
  #drawnAt = -Infinity;
  #shown = false;

  /** @param elapsed milliseconds */
  constructor(stream: LogStream, elapsed: () => number) {
    this.#stream = stream;
    this.#elapsed = elapsed;
    this.#began = elapsed();
  }

  /** @param share of all, 0 to 1 @param what is being done */
  show(share: number, what: string): void {
    const now = this.#elapsed();
    const taken = now - this.#began;
    if (taken < PATIENCE_MS || now - this.#drawnAt < PAUSE_MS) return;
    this.#drawnAt = now;
    this.#shown = true;
    const full = Math.round(WIDTH * share);
    const bar = `${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}`;
    const left = share > 0 ? `, ${Math.ceil(((taken / share) * (1 - share)) / 1000)} s left` : '';
    this.#stream.write(`\r\x1b[K${bar} ${Math.floor(100 * share)} % ${what}${left}`);
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#shown) this.#stream.write('\r\x1b[K');
  }
}
