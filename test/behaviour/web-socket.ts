/** As much of a WebSocket client as watches need: it reads messages, and says goodbye. */
import { type IncomingMessage } from 'node:http';
import { type Duplex } from 'node:stream';
import { type Place, prepare } from './connection.js';

export interface Message {
  readonly kind: 'text' | 'binary' | 'close' | 'other';
  readonly payload: Buffer;
}

const KINDS: Readonly<Record<number, Message['kind']>> = { 1: 'text', 2: 'binary', 8: 'close' };

export class WebSocketStream {
  readonly #socket: Duplex;
  #bytes: Buffer;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(socket: Duplex, head: Buffer) {
    this.#socket = socket;
    this.#bytes = head;
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#wake?.();
    });
    const finish = (): void => {
      this.#ended = true;
      this.#wake?.();
    };
    socket.on('end', finish).on('close', finish).on('error', finish);
  }

  /** Errors: an Error when the connection ends instead. */
  async next(): Promise<Message> {
    for (;;) {
      const message = this.#read();
      if (message !== undefined) return message;
      if (this.#ended) throw new Error('the WebSocket has ended');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  /** One whole frame: servers send neither fragments nor masks here. */
  #read(): Message | undefined {
    const bytes = this.#bytes;
    if (bytes.length < 2) return undefined;
    const short = bytes.readUInt8(1) & 127;
    const start = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (bytes.length < start) return undefined;
    const length =
      short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
    if (bytes.length < start + length) return undefined;
    this.#bytes = bytes.subarray(start + length);
    return {
      kind: KINDS[bytes.readUInt8(0) & 15] ?? 'other',
      payload: bytes.subarray(start, start + length),
    };
  }
}

/** Shape: the stream, or the answer where the server did not switch. */
export function openWebSocket(
  place: Place,
  path: string,
  headers: Readonly<Record<string, string>> = { Origin: 'http://localhost' },
): Promise<WebSocketStream | IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = prepare(place, 'GET', path, {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    });
    request.on('upgrade', (_response, socket, head) => resolve(new WebSocketStream(socket, head)));
    request.on('response', resolve).on('error', reject);
    request.end();
  });
}
