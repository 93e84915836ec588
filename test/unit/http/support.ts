/** What the tests of this folder share: a raw client, stored objects, a watch source played by hand. */
import { connect, type Socket } from 'node:net';
import { realClock } from '../../../mockserver/ground/clock.js';
import { type JsonObject } from '../../../mockserver/ground/json.js';
import { writeJson } from '../../../mockserver/ground/json-write.js';
import { type ApiObject } from '../../../mockserver/ground/object.js';
import { realRandom } from '../../../mockserver/ground/random.js';
import { revision } from '../../../mockserver/ground/revision.js';
import { StoredObject } from '../../../mockserver/ground/stored-object.js';
import { type EventFrame, type WatchSource } from '../../../mockserver/http/answer.js';
import { AnswerWriter } from '../../../mockserver/http/answer-writer.js';
import { Exchange, type ApiHandler } from '../../../mockserver/http/exchange.js';
import { silentLogger } from '../../../mockserver/http/logger.js';
import { Listener, type ListenerOptions } from '../../../mockserver/http/listener.js';

export const FLOW = { flowSchemaUid: 'flow-uid', priorityLevelUid: 'level-uid' };

/** A connection that is written to and read from as bytes (latin1 text). */
export class RawClient {
  readonly socket: Socket;
  #text = '';
  #closed = false;
  #waiting: (() => void)[] = [];

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1' });
    this.socket.on('data', (bytes: Buffer) => {
      this.#text += bytes.toString('latin1');
      this.#wake();
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  send(bytes: string | Buffer): this {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    return this;
  }

  get text(): string {
    return this.#text;
  }

  /** All that came, once it holds `part` (or the connection is closed). */
  async until(part: string | RegExp): Promise<string> {
    await this.#when(() => (typeof part === 'string' ? this.#text.includes(part) : part.test(this.#text)));
    return this.#text;
  }

  /** All that came, once the server has closed the connection. */
  async closed(): Promise<string> {
    await this.#when(() => false);
    return this.#text;
  }

  destroy(): void {
    this.socket.destroy();
  }

  async #when(condition: () => boolean): Promise<void> {
    while (!this.#closed && !condition()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

export interface TestServer {
  readonly port: number;
  readonly writer: AnswerWriter;
  readonly listener: Listener;
  client(): RawClient;
  stop(): Promise<void>;
}

/** A listener on a free port whose requests are served by `serve`. */
export async function startTestServer(
  serve: (exchange: Exchange, writer: AnswerWriter) => unknown,
  options: Partial<ListenerOptions> = {},
): Promise<TestServer> {
  const writer = new AnswerWriter({ logger: silentLogger });
  const handler: ApiHandler = (req, res, upgrade) => {
    const exchange = new Exchange(req, res, { random: realRandom, clock: realClock, upgrade });
    exchange.flow = FLOW;
    void serve(exchange, writer);
  };
  const listener = new Listener({ handler, onStop: () => writer.endWatches(), ...options });
  const { port } = await listener.listen();
  const clients: RawClient[] = [];
  return {
    port,
    writer,
    listener,
    client: () => {
      const client = new RawClient(port);
      clients.push(client);
      return client;
    },
    stop: async () => {
      for (const client of clients) client.destroy();
      await listener.stop();
    },
  };
}

/** `GET path` with further header lines, ready to send. */
export function get(path: string, ...headers: readonly string[]): string {
  return [`GET ${path} HTTP/1.1`, 'Host: test', ...headers, '', ''].join('\r\n');
}

export function stored(
  object: JsonObject & { kind: string; apiVersion: string; metadata: JsonObject },
): StoredObject {
  const whole: ApiObject = object;
  return new StoredObject('/registry/test', revision(1), whole);
}

/** An object of a built-in kind, in the order of the wire. */
export function configMap(name: string, text = 'v'): StoredObject {
  return stored({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { k: text } });
}

/** A custom object, sorted. */
export function widget(name: string): StoredObject {
  return stored({ apiVersion: 'ex.io/v1', kind: 'Widget', metadata: { name }, spec: { a: 1 } });
}

export function frameOf(value: JsonObject): EventFrame {
  const bytes = Buffer.from(`${writeJson(value)}\n`);
  return { bytes: () => bytes };
}

/** A watch whose frames the test hands out. */
export class PlayedSource implements WatchSource {
  ended = false;
  closed = 0;
  /** Frames taken so far. */
  taken = 0;
  #frames: EventFrame[] = [];
  #ready: ((readiness: 'soon' | 'now') => void) | undefined;

  offer(...frames: readonly EventFrame[]): void {
    this.#frames.push(...frames);
    this.#call();
  }

  end(): void {
    this.ended = true;
    this.#call();
  }

  take(max: number): readonly EventFrame[] {
    const frames = this.#frames.splice(0, max);
    this.taken += frames.length;
    return frames;
  }

  onReady(callback: (readiness: 'soon' | 'now') => void): void {
    this.#ready = callback;
    if (this.#frames.length > 0 || this.ended) this.#call();
  }

  close(): void {
    this.closed += 1;
  }

  #call(): void {
    this.#ready?.('soon');
  }
}

/** Removes the chunks of a body. */
export function unchunked(response: string): string {
  let rest = response.slice(response.indexOf('\r\n\r\n') + 4);
  let body = '';
  for (;;) {
    const end = rest.indexOf('\r\n');
    const length = Number.parseInt(rest.slice(0, end), 16);
    if (!(length > 0)) return body;
    body += rest.slice(end + 2, end + 2 + length);
    rest = rest.slice(end + 2 + length + 2);
  }
}
