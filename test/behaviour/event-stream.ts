/** An open watch as its client sees it. */
import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { begin, type Place, type RequestParts } from './connection.js';
import { type WatchEvent } from './documents.js';

export class EventStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly #response: IncomingMessage;
  readonly #lines: string[] = [];
  #rest = '';
  #end: 'open' | 'ended' | 'broken' = 'open';
  #wake: (() => void) | undefined;

  /** Resolves when the head of the answer has come, so the watch is registered then. */
  static async open(place: Place, path: string, parts: RequestParts = {}): Promise<EventStream> {
    return new EventStream(await begin(place, 'GET', path, parts));
  }

  private constructor(response: IncomingMessage) {
    this.#response = response;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      this.#lines.push(...lines);
      this.#wake?.();
    });
    const finish = (end: 'ended' | 'broken') => () => {
      if (this.#end === 'open') this.#end = end;
      this.#wake?.();
    };
    response.on('end', finish('ended'));
    response.on('error', finish('broken'));
    response.on('close', finish('broken'));
  }

  /** The text of the next frame, without its newline. Errors: an Error when the stream ends instead. */
  async nextFrame(): Promise<string> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return line;
      if (this.#end !== 'open') throw new Error(`the watch has ${this.#end}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async next(): Promise<WatchEvent> {
    return JSON.parse(await this.nextFrame()) as WatchEvent; // the tests say what they expect of it
  }

  async take(count: number): Promise<readonly WatchEvent[]> {
    const events: WatchEvent[] = [];
    while (events.length < count) events.push(await this.next());
    return events;
  }

  /** Events up to the first of a type, that one last. */
  async upTo(type: WatchEvent['type']): Promise<readonly WatchEvent[]> {
    const events: WatchEvent[] = [];
    do events.push(await this.next());
    while (events.at(-1)?.type !== type);
    return events;
  }

  /** What still comes until the server ends the stream. Errors: an Error when the connection breaks instead. */
  async rest(): Promise<readonly WatchEvent[]> {
    const events: WatchEvent[] = [];
    while (this.#lines.length > 0 || this.#end === 'open') {
      if (this.#lines.length > 0) events.push(await this.next());
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
    if (this.#end === 'broken' || this.#rest !== '') throw new Error('the watch broke off');
    return events;
  }

  /** Stops reading from the connection, as a client does that is stuck. */
  stall(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  close(): void {
    this.#response.destroy();
  }
}
