/** The listening server: sockets, time limits, and requests that are refused before anybody serves them. */
import {
  createServer as createHttpServer,
  ServerResponse,
  type IncomingMessage,
  type Server,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';
import { realClock, type Clock } from '../ground/clock.js';
import { parserErrorAnswer, plainAnswer, requestError } from './connection-errors.js';
import { type ApiHandler } from './exchange.js';
import { parsePath } from './path.js';
import { asksForWebSocket } from './websocket-handshake.js';

/** Request line and headers together. Source: Go net/http, DefaultMaxHeaderBytes and its slack. */
const MAX_HEADER_BYTES = 1_048_576 + 4096;

/** A real server closes after 90 s; clients that reuse connections up to then must not meet one that is closing. */
const KEEP_ALIVE_MS = 185_000;

/** Connections without a complete request head are closed after this. */
const HEADERS_MS = 32_000;

/** How often that is looked at. */
const CHECK_MS = 4000;

/** How long answers that have begun may take when the server stops. */
const STOP_GRACE_MS = 30;

export interface ListenerOptions {
  readonly handler: ApiHandler;
  /** PEM. Absent: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Called first when the server stops: ends what would not end by itself (watches). */
  readonly onStop?: () => void;
  /** Told of what goes wrong with the listening itself, once it has begun. @default nobody is told */
  readonly onError?: (message: string, cause: unknown) => void;
  /** @default the real one */
  readonly clock?: Clock;
}

export interface ListenAddress {
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** @default 0, a free one */
  readonly port?: number;
}

export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #stopped: Promise<void> | undefined;
  #address: { readonly host: string; readonly port: number } | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    const settings = {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      // No limit on slow bodies, as on a real server; watches are requests that were complete long ago.
      requestTimeout: 0,
      connectionsCheckingInterval: CHECK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      noDelay: true,
      requireHostHeader: false,
      // Lines that end in LF alone, Content-Length beside chunks: Go's server takes them. requestError refuses the rest.
      insecureHTTPParser: true,
    };
    this.#server =
      options.tls === undefined
        ? createHttpServer(settings)
        : createHttpsServer({ ...settings, ...options.tls, ALPNProtocols: ['http/1.1'] });
    this.#server.maxHeadersCount = 0;
    this.#listen();
  }

  /** Begins to listen. Shape: the address in use. Errors: what binding fails with (EADDRINUSE, …). */
  listen({ host = '127.0.0.1', port = 0 }: ListenAddress = {}): Promise<{ host: string; port: number }> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        // A server that listens on TCP has an AddressInfo; only pipes and closed servers have not.
        const address = this.#server.address() as AddressInfo;
        this.#address = { host, port: address.port };
        resolve(this.#address);
      });
    });
  }

  /** Resets every connection and refuses new ones, until `resume`. Idempotent. */
  pause(): void {
    if (this.#stopped !== undefined || !this.#server.listening) return;
    this.#server.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Listens again at the address of before. Idempotent. Errors: told to `onError`: the address may be taken by now. */
  resume(): void {
    const address = this.#address;
    if (this.#stopped !== undefined || this.#server.listening || address === undefined) return;
    this.#server.listen(address.port, address.host);
  }

  /**
   * Stops listening, ends open watches, closes idle connections and, after a moment, all others. Idempotent.
   *
   * Shape: resolves when no socket and no timer is left.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      // The error of a server that never listened is no error here.
      this.#server.close(() => resolve());
    });
    this.#options.onStop?.();
    this.#server.closeIdleConnections();
    const timer = (this.#options.clock ?? realClock).after(STOP_GRACE_MS, () => {
      for (const socket of this.#sockets) socket.destroy();
    });
    const gone = Promise.all(
      [...this.#sockets].map(
        (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
      ),
    );
    await closed;
    await gone;
    timer.cancel();
  }

  #listen(): void {
    const server = this.#server;
    // With TLS too these are the TCP sockets, so that one in the middle of its handshake is known as well.
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    // Before there is an address, `listen` tells whoever waits for it.
    server.on('error', (error: Error) => {
      if (this.#address !== undefined) this.#options.onError?.('listening failed', error);
    });
    server.on('request', (req: IncomingMessage, res: ServerResponse) => this.#serve(req, res));
    server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => this.#serve(req, res));
    server.on('checkExpectation', (_req: IncomingMessage, res: ServerResponse) => {
      res.writeHead(417, ['Connection', 'close', 'Content-Length', '0']).end();
    });
    server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#upgrade(req, socket, head),
    );
    server.on('connect', (req: IncomingMessage, socket: Socket) => {
      this.#serve(req, detachedResponse(req, socket));
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const bytes = parserErrorAnswer(error.code);
      if (bytes === undefined || !socket.writable) socket.destroy();
      else refuse(socket, bytes);
    });
    server.on('tlsClientError', (_error: Error, socket: Socket) => {
      socket.destroy();
    });
  }

  #serve(req: IncomingMessage, res: ServerResponse): void {
    const bytes = requestError(req) ?? targetError(req);
    if (bytes !== undefined) {
      refuse(req.socket, bytes);
      return;
    }
    if (this.#stopped !== undefined) res.shouldKeepAlive = false;
    this.#options.handler(req, res);
  }

  #upgrade(req: IncomingMessage, socket: Socket, head: Buffer): void {
    const bytes = requestError(req) ?? targetError(req);
    if (bytes !== undefined) {
      refuse(socket, bytes);
    } else if (req.method === 'GET' && asksForWebSocket(req)) {
      socket.on('error', () => socket.destroy());
      this.#options.handler(req, detachedResponse(req, socket), { socket, head });
    } else {
      this.#again(req, socket, head);
    }
  }

  /** An upgrade that nobody offers (h2c, a WebSocket by POST): the request is read again without it. */
  #again(req: IncomingMessage, socket: Socket, head: Buffer): void {
    const lines = [`${req.method ?? 'GET'} ${req.url ?? '/'} HTTP/${req.httpVersion}`];
    for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
      const name = req.rawHeaders[i] ?? '';
      if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${req.rawHeaders[i + 1] ?? ''}`);
    }
    socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
    this.#server.emit(this.#options.tls === undefined ? 'connection' : 'secureConnection', socket);
  }
}

/** A response on a socket that Node's server has let go of; the connection ends with it. */
function detachedResponse(req: IncomingMessage, socket: Socket): ServerResponse {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  res.once('finish', () => {
    res.detachSocket(socket);
    socket.end();
  });
  socket.once('close', () => {
    if (!res.writableFinished) res.destroy();
  });
  return res;
}

/** Targets that Go's parser refuses before any handler sees them. */
function targetError(req: IncomingMessage): Buffer | undefined {
  const { method, url = '' } = req;
  // Every path without an escape can be read.
  if (method === 'CONNECT' || (url.startsWith('/') && !url.includes('%'))) return undefined;
  const path = parsePath(url);
  return path.kind === 'bad' && path.code === 400 ? plainAnswer(path.text) : undefined;
}

function refuse(socket: Socket, bytes: Buffer): void {
  socket.on('error', () => socket.destroy());
  socket.end(bytes, () => socket.destroySoon());
}
