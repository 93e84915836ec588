/** Log lines as a kubelet sends them: the last ones, those since a time, with their times, up to a number of bytes. */
import { formatTimeMs } from '../../ground/clock.js';
import { type LogLine } from '../log-book.js';
import { type LogOptions, sinceMs } from './pod-log-options.js';

/**
 * The last lines are counted before the time is looked at; bytes are counted with the times in front of the lines.
 *
 * Source: kubernetes cri-client pkg/logs/logs.go, ReadLogs and logWriter.
 */
export class LogText {
  readonly #options: LogOptions;
  readonly #sinceMs: number;
  #left: number;

  constructor(options: LogOptions, nowMs: number) {
    this.#options = options;
    this.#sinceMs = sinceMs(options, nowMs);
    this.#left = options.limitBytes ?? Infinity;
  }

  /** Whether no more bytes are wanted. */
  get full(): boolean {
    return this.#left <= 0;
  }

  /** The text of what was there when the log was asked for. */
  first(lines: readonly LogLine[]): Buffer {
    const { tailLines } = this.#options;
    return this.further(tailLines === undefined ? lines : lines.slice(Math.max(0, lines.length - tailLines)));
  }

  /** The text of lines that were written later. */
  further(lines: readonly LogLine[]): Buffer {
    const { timestamps } = this.#options;
    const text = lines
      .filter(({ atMs }) => atMs >= this.#sinceMs)
      .map((line) => `${timestamps ? `${timestamp(line.atMs)} ` : ''}${line.text}\n`)
      .join('');
    const bytes = Buffer.from(text).subarray(0, Math.min(this.#left, Number.MAX_SAFE_INTEGER));
    this.#left -= bytes.length;
    return bytes;
  }
}

/** Nanoseconds, as many as can be known. */
const timestamp = (ms: number): string => formatTimeMs(ms).replace('Z', '000000Z');
