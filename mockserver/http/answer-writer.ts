/** Writes answers to responses. */
import { type Answer, type WatchAnswer } from './answer.js';
import { finish, writeBody } from './body-writer.js';
import { type Exchange } from './exchange.js';
import { FrameChunks } from './frame-chunks.js';
import { type Logger } from './logger.js';
import { tableJson } from '../registry/tables/table-json.js';
import { tableValue } from '../registry/tables/table.js';
import { writeHead } from './response-head.js';
import { type Pump } from './watch-pump.js';
import { streamWatch } from './watch-stream.js';
import { streamBytes } from './byte-stream.js';
import { streamWebSocket } from './websocket-watch.js';

export class AnswerWriter {
  readonly #logger: Logger;
  readonly #chunks = new FrameChunks();
  readonly #watches = new Set<Pump>();
  readonly #streams = new Set<Pump>();

  constructor(options: { readonly logger: Logger }) {
    this.#logger = options.logger;
  }

  /** Watches that are open. */
  get openWatches(): number {
    return this.#watches.size;
  }

  /**
   * Writes one answer.
   *
   * Shape: undefined when it is written; a promise when there is something to wait for, which resolves when it is
   * written, or nobody is left to read it. For a watch that is when the watch is over.
   * Errors: what encoding throws, as long as nothing was sent; later the connection is cut, since nothing better can
   * be said, and the error is logged.
   */
  write(exchange: Exchange, answer: Answer): Promise<void> | undefined {
    try {
      return this.#write(exchange, answer)?.catch((error: unknown) =>
        this.#cutShort(exchange, answer, error),
      );
    } catch (error) {
      this.#cutShort(exchange, answer, error);
      return undefined;
    }
  }

  #cutShort(exchange: Exchange, answer: Answer, error: unknown): void {
    // A watch has always begun: a WebSocket's head does not go through the response.
    if (!exchange.res.headersSent && answer.kind !== 'watch') throw error;
    this.#logger.error('an answer was cut short', error);
    exchange.req.socket.destroy();
  }

  /** Ends all open watches, and what else goes on, in good order: the server stops. */
  endWatches(): void {
    for (const pump of [...this.#watches, ...this.#streams]) pump.finish();
  }

  #write(exchange: Exchange, answer: Answer): Promise<void> | undefined {
    const { warnings, headers } = answer;
    switch (answer.kind) {
      case 'object': {
        const { format, pretty } = answer.encoding;
        const head = { code: answer.code, contentType: format.mediaType, warnings, headers };
        return writeBody(exchange, head, format.object(answer.object, pretty));
      }
      case 'value': {
        const { format, pretty } = answer.encoding;
        const contentType = answer.contentType ?? format.mediaType;
        const head = { code: answer.code, contentType, warnings, headers };
        return writeBody(exchange, head, format.value(answer.value, pretty));
      }
      case 'table': {
        const { format, pretty } = answer.encoding;
        const head = { code: answer.code, contentType: format.mediaType, warnings, headers };
        const piecewise = format.name === 'json' && !pretty;
        return writeBody(
          exchange,
          head,
          piecewise ? tableJson(answer.table) : format.value(tableValue(answer.table), pretty),
        );
      }
      case 'list': {
        const { format, pretty } = answer.encoding;
        const head = { code: 200, contentType: format.mediaType, warnings, headers };
        return writeBody(exchange, head, format.list(answer, pretty));
      }
      case 'text': {
        const contentType = 'text/plain; charset=utf-8';
        const head = { code: answer.code, contentType, nosniff: true, warnings, headers };
        return writeBody(exchange, head, [Buffer.from(answer.text)]);
      }
      case 'bytes': {
        const { code, contentType, bytes } = answer;
        if (exchange.pacing !== undefined)
          return writeBody(exchange, { code, contentType, warnings, headers }, [bytes]);
        writeHead(exchange, { code, contentType, warnings, headers }, { contentLength: bytes.length });
        finish(exchange, bytes);
        return undefined;
      }
      case 'empty': {
        const { code } = answer;
        const bodiless = code === 204 || code === 304;
        writeHead(exchange, { code, warnings, headers }, bodiless ? {} : { contentLength: 0 });
        finish(exchange);
        return undefined;
      }
      case 'stream':
        if (exchange.pacing !== undefined) {
          const { code, contentType, source } = answer;
          const written = source.take(Infinity);
          source.close();
          return writeBody(exchange, { code, contentType, warnings, headers }, written);
        }
        return untilOver(streamBytes(exchange, answer), this.#streams);
      case 'watch':
        return untilOver(this.#pumpOf(exchange, answer), this.#watches);
    }
  }

  #pumpOf(exchange: Exchange, answer: WatchAnswer): Pump | undefined {
    return exchange.upgrade === undefined
      ? streamWatch(exchange, answer, this.#chunks)
      : streamWebSocket(exchange, exchange.upgrade, answer);
  }
}

/** @param open holds it meanwhile */
async function untilOver(pump: Pump | undefined, open: Set<Pump>): Promise<void> {
  if (pump === undefined) return;
  open.add(pump);
  try {
    await pump.over;
  } finally {
    open.delete(pump);
  }
}
