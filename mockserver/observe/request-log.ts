/** A log of requests for a terminal: one short line each; watches that are opened again and again have one together. */
import { type Clock } from '../ground/clock.js';
import { type Observation, type RequestObserver, type SeenRequest } from '../http/request-observer.js';
import { printable, requestWords, shownDuration, type RequestWords } from './request-line.js';

export interface RequestLogOptions {
  readonly clock: Clock;
  /** Takes one line, without its end. */
  readonly write: (line: string) => void;
  /** Whether codes have colours. */
  readonly colours: boolean;
  /** Every watch, when it ends too, and the whole User-Agent. */
  readonly verbose: boolean;
}

/** A client that opens the same watch again within this time gets no line of its own. */
const FOLD_MS = 60_000;

/** So many different watches are remembered. */
const FOLD_KEYS = 1000;

const TARGET_WIDTH = 44;

interface Folded {
  readonly shownAt: number;
  /** How often it was opened since. */
  more: number;
}

export class RequestLog implements RequestObserver {
  readonly #options: RequestLogOptions;
  readonly #watches = new Map<string, Folded>();

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  begin(request: SeenRequest): Observation {
    const { clock, verbose } = this.#options;
    const begun = clock.elapsed();
    let code: number | undefined;
    let opened = false;
    const words = (): RequestWords => {
      const found = requestWords(request);
      return verbose ? { ...found, client: printable(request.userAgent ?? '-') } : found;
    };
    return {
      answered: (answered) => {
        code = answered;
        // Most requests are no watches, which is cheap to see; who is one is looked at when it is told.
        if (answered >= 300 || !request.url.includes('watch')) return;
        const found = words();
        opened = found.verb === 'watch';
        if (opened) this.#watch(found, answered, clock.elapsed() - begun);
      },
      ended: () => {
        const took = clock.elapsed() - begun;
        if (!opened) this.#line(words(), code, shownDuration(took));
        else if (verbose) this.#line(words(), code, `ended after ${shownDuration(took)}`);
      },
    };
  }

  #watch(words: RequestWords, code: number, took: number): void {
    const { clock, verbose } = this.#options;
    const key = `${words.target} ${code} ${words.client}`;
    const before = this.#watches.get(key);
    if (!verbose && before !== undefined && clock.elapsed() - before.shownAt < FOLD_MS) {
      before.more++;
      return;
    }
    this.#watches.delete(key);
    this.#watches.set(key, { shownAt: clock.elapsed(), more: 0 });
    // The one that was shown longest ago is forgotten first.
    for (const oldest of this.#watches.keys()) {
      if (this.#watches.size <= FOLD_KEYS) break;
      this.#watches.delete(oldest);
    }
    const again = before === undefined || before.more === 0 ? '' : `  (and ${before.more} before)`;
    this.#line(words, code, shownDuration(took), again);
  }

  #line({ verb, target, client }: RequestWords, code: number | undefined, took: string, again = ''): void {
    const shown = code === undefined ? '---' : `${code}`;
    const coloured = this.#options.colours ? `${colourOf(code)}${shown}\x1b[0m` : shown;
    this.#options.write(
      `${verb.padEnd(6)} ${target.padEnd(TARGET_WIDTH)} ${coloured} ${took.padStart(8)}  ${client}${again}`,
    );
  }
}

/** Green for what went well, cyan for what the client has already, yellow for what it got wrong, red for the server's own. */
function colourOf(code: number | undefined): string {
  if (code === undefined || code >= 500) return '\x1b[31m';
  if (code >= 400) return '\x1b[33m';
  return code >= 300 ? '\x1b[36m' : '\x1b[32m';
}
