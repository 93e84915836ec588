/** Where the lines of a log go: to a stream, some at a time, and never in the way of the server. */
import { type Clock, type Timer } from '../ground/clock.js';

/** What is asked of a stream: `process.stderr` is one. */
export interface LogStream {
  write(text: string): unknown;
  /** Characters that nobody has read yet. */
  readonly writableLength: number;
}

/** Lines are gathered for so long. */
const GATHER_MS = 20;

/** Past this nobody reads, and lines are dropped rather than kept. */
const MAX_UNREAD = 1_000_000;

export class LogSink {
  readonly #stream: LogStream;
  readonly #clock: Clock;
  #lines: string[] = [];
  #timer: Timer | undefined;
  #dropped = 0;

  constructor(stream: LogStream, clock: Clock) {
    this.#stream = stream;
    this.#clock = clock;
  }

  readonly write = (line: string): void => {
    this.#lines.push(line);
    this.#timer ??= this.#clock.after(GATHER_MS, () => this.flush());
  };

  /** Writes what has been gathered. */
  flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length === 0) return;
    if (this.#stream.writableLength > MAX_UNREAD) {
      this.#dropped += lines.length;
      return;
    }
    if (this.#dropped > 0) lines.unshift(`(${this.#dropped} lines left out: nobody read them)`);
    this.#dropped = 0;
    this.#stream.write(`${lines.join('\n')}\n`);
  }
}

/** Colours are for people at terminals that want them. Source: no-color.org. */
export const wantsColours = (
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): boolean => isTerminal && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';
