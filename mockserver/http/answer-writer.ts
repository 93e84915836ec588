/** Writes answers to responses. */
import { type Answer } from './answer.js';
import { finish, writeBody } from './body-writer.js';
import { type Exchange } from './exchange.js';
import { FrameChunks } from './frame-chunks.js';
import { type Logger } from './logger.js';
import { tableJson } from '../registry/tables/table-json.js';
import { tableValue } from '../registry/tables/table.js';
import { utf8Of } from './representations.js';
import { writeHead, type Head } from './response-head.js';
import { type Pump } from './watch-pump.js';
import { streamWatch } from './watch-stream.js';
import { streamWebSocket } from './websocket-watch.js';

export class AnswerWriter {
  readonly #logger: Logger;
  readonly #chunks = new FrameChunks();
  readonly #watches = new Set<Pump>();

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
   * Shape: resolves when it is written, or nobody is left to read it; for a watch that is when the watch is over.
   * Errors: what encoding throws, as long as nothing was sent; later the connection is cut, since nothing better can
   * be said, and the error is logged.
   */
  async write(exchange: Exchange, answer: Answer): Promise<void> {
    try {
      await this.#write(exchange, answer);
    } catch (error) {
      // A watch has always begun: a WebSocket's head does not go through the response.
      if (!exchange.res.headersSent && answer.kind !== 'watch') throw error;
      this.#logger.error('an answer was cut short', error);
      exchange.req.socket.destroy();
    }
  }

  /** Ends all open watches in good order: the server stops. */
  endWatches(): void {
    for (const pump of this.#watches) pump.finish();
  }

  async #write(exchange: Exchange, answer: Answer): Promise<void> {
    const extras: Pick<Head, 'warnings' | 'headers'> = { warnings: answer.warnings, headers: answer.headers };
    switch (answer.kind) {
      case 'object': {
        const { format, pretty } = answer.encoding;
        const head = { ...extras, code: answer.code, contentType: format.mediaType };
        await writeBody(exchange, head, format.object(answer.object, pretty));
        return;
      }
      case 'value': {
        const { format, pretty } = answer.encoding;
        const head = { ...extras, code: answer.code, contentType: answer.contentType ?? format.mediaType };
        return writeBody(exchange, head, format.value(answer.value, pretty));
      }
      case 'table': {
        const { format, pretty } = answer.encoding;
        const head = { ...extras, code: answer.code, contentType: format.mediaType };
        const piecewise = format.name === 'json' && !pretty;
        return writeBody(
          exchange,
          head,
          piecewise ? tableJson(answer.table, utf8Of) : format.value(tableValue(answer.table), pretty),
        );
      }
      case 'list': {
        const { format, pretty } = answer.encoding;
        const head = { ...extras, code: 200, contentType: format.mediaType };
        return writeBody(exchange, head, format.list(answer, pretty));
      }
      case 'text': {
        const head = {
          ...extras,
          code: answer.code,
          contentType: 'text/plain; charset=utf-8',
          nosniff: true,
        };
        return writeBody(exchange, head, [Buffer.from(answer.text)]);
      }
      case 'bytes': {
        const { code, contentType, bytes } = answer;
        writeHead(exchange, { ...extras, code, contentType, contentLength: bytes.length });
        finish(exchange, bytes);
        return;
      }
      case 'empty': {
        const { code } = answer;
        const bodiless = code === 204 || code === 304;
        writeHead(exchange, { ...extras, code, contentLength: bodiless ? undefined : 0 });
        finish(exchange);
        return;
      }
      case 'watch': {
        const pump =
          exchange.upgrade === undefined
            ? streamWatch(exchange, answer, this.#chunks)
            : streamWebSocket(exchange, exchange.upgrade, answer);
        if (pump === undefined) return;
        this.#watches.add(pump);
        try {
          await pump.over;
        } finally {
          this.#watches.delete(pump);
        }
      }
    }
  }
}
