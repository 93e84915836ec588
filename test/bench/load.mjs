/** A tight HTTP/1.1 client: keep-alive sockets, one request at a time on each, no more parsing than it takes. */
import net from 'node:net';
import tls from 'node:tls';

const HEAD_END = Buffer.from('\r\n\r\n');

/** What stands between two chunks of a body. A real server cuts frames there, and so the mark that is looked for. */
const CHUNK_HEAD = /\r\n[0-9a-f]+\r\n/g;
const CHUNK_HEAD_BYTES = 16;

/** Where to send and what to say who we are. Shape: `{ host, port, secure, token, connect() }`. */
export function endpoint(url, token) {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === 'https:';
  return {
    host: hostname,
    port: Number(port),
    secure,
    token,
    connect: () =>
      new Promise((resolve, reject) => {
        const options = { host: hostname, port: Number(port), rejectUnauthorized: false, noDelay: true };
        const socket = secure ? tls.connect(options) : net.connect(options);
        socket.once(secure ? 'secureConnect' : 'connect', () => {
          socket.removeListener('error', reject);
          socket.setNoDelay(true);
          resolve(socket);
        });
        socket.once('error', reject);
      }),
  };
}

/** The bytes of one request. `body` is an object or nothing. */
export function requestBytes(
  target,
  method,
  path,
  body,
  contentType = 'application/json',
  accept = 'application/json',
) {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${target.host}:${target.port}`,
    `Accept: ${accept}`,
    ...(target.token === undefined ? [] : [`Authorization: Bearer ${target.token}`]),
    ...(text === '' ? [] : [`Content-Type: ${contentType}`, `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** One connection: `send(bytes)` resolves to `{ status, bytes }`, and to the body where asked. */
export class Connection {
  #socket;
  #parts = [];
  #size = 0;
  #waiting;
  #head;

  constructor(socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('closed by the server')));
  }

  static async open(target) {
    return new Connection(await target.connect());
  }

  send(bytes, wantsBody = false) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject, wantsBody };
      this.#socket.write(bytes);
    });
  }

  close() {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  #fail(error) {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }

  #take(chunk) {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    if (this.#head === undefined) {
      const whole = this.#joined();
      const end = whole.indexOf(HEAD_END);
      if (end < 0) return;
      const text = whole.toString('latin1', 0, end);
      const length = /\r\ncontent-length: *(\d+)/i.exec(text);
      this.#head = {
        status: Number(text.slice(9, 12)),
        start: end + 4,
        length: length === null ? undefined : Number(length[1]),
      };
    }
    const { status, start, length } = this.#head;
    if (length === undefined ? !this.#endsChunked() : this.#size < start + length) return;
    const { resolve, wantsBody } = this.#waiting;
    const answer = { status, bytes: this.#size - start };
    if (wantsBody) {
      const body = this.#joined().subarray(start);
      answer.body = length === undefined ? unchunk(body) : body;
    }
    this.#parts = [];
    this.#size = 0;
    this.#head = undefined;
    this.#waiting = undefined;
    resolve(answer);
  }

  /** One request is under way, so the last chunk's mark can only be the end of what has come. */
  #endsChunked() {
    let last = this.#parts.at(-1);
    if (last.length < 5) last = this.#joined();
    return last.length >= 5 && last.toString('latin1', last.length - 5) === '0\r\n\r\n';
  }

  #joined() {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0];
  }
}

function unchunk(bytes) {
  const parts = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    const size = parseInt(bytes.toString('latin1', at, end), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

/** One request on a connection of its own. Shape: `{ status, json }`. */
export async function ask(target, method, path, body, contentType) {
  const connection = await Connection.open(target);
  try {
    const answer = await connection.send(requestBytes(target, method, path, body, contentType), true);
    return { status: answer.status, bytes: answer.body, json: () => JSON.parse(answer.body.toString()) };
  } finally {
    connection.close();
  }
}

/**
 * Sends `next()`'s bytes on each of the connections, as fast as they are answered, until `ms` are over or `count` are sent.
 * Shape: `{ perSecond, answered, ms }`. Errors: on the first answer that is not 2xx.
 */
export async function hammer(target, { connections, ms = Infinity, count = Infinity, next }) {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(target)));
  const begun = performance.now();
  let sent = 0;
  let answered = 0;
  await Promise.all(
    open.map(async (connection) => {
      while (sent < count && performance.now() - begun < ms) {
        const bytes = next(sent++);
        const { status } = await connection.send(bytes);
        if (status < 200 || status > 299) {
          throw new Error(`answered ${status} to ${bytes.toString('latin1', 0, bytes.indexOf('\r\n'))}`);
        }
        answered++;
      }
    }),
  );
  const took = performance.now() - begun;
  for (const connection of open) connection.close();
  return { perSecond: (1000 * answered) / took, answered, ms: took };
}

/**
 * Opens `count` streams of `path` and counts the JSON lines that come, and those streams that have brought `mark`.
 * Shape: `{ lines(), marked(), close() }`. A line whose end falls between two chunks of the body is not counted, so only
 * servers that do not cut frames can be counted exactly.
 */
export async function openStreams(target, path, count, mark) {
  let counted = 0;
  let marked = 0;
  const sockets = [];
  const bytes = requestBytes(target, 'GET', path);
  for (let begun = 0; begun < count; begun += 50) {
    await Promise.all(
      Array.from({ length: Math.min(50, count - begun) }, async () => {
        const socket = await target.connect();
        sockets.push(socket);
        socket.on('error', () => {});
        await new Promise((resolve, reject) => {
          let seen = '';
          let lastByte = 0;
          let tail = '';
          let hasMark = mark === undefined;
          const read = (chunk) => {
            if (!hasMark) {
              tail = (tail + chunk.toString('latin1')).slice(-chunk.length - mark.length - CHUNK_HEAD_BYTES);
              hasMark = tail.replace(CHUNK_HEAD, '').includes(mark);
              if (hasMark) marked++;
            }
            // A line of JSON holds no line feed, so `}` before one is always the end of a frame.
            if (lastByte === 0x7d && chunk[0] === 0x0a) counted++;
            for (let at = chunk.indexOf('}\n'); at >= 0; at = chunk.indexOf('}\n', at + 2)) counted++;
            lastByte = chunk[chunk.length - 1];
          };
          const readHead = (chunk) => {
            seen += chunk.toString('latin1');
            const end = seen.indexOf('\r\n\r\n');
            if (end < 0) return;
            socket.removeListener('data', readHead);
            socket.on('data', read);
            if (!seen.startsWith('HTTP/1.1 200')) return reject(new Error(`stream: ${seen.slice(0, 200)}`));
            read(Buffer.from(seen.slice(end + 4), 'latin1'));
            resolve();
          };
          socket.on('data', readHead);
          socket.once('close', () => reject(new Error('a stream was closed before it began')));
          socket.write(bytes);
        });
      }),
    );
  }
  return {
    lines: () => counted,
    marked: () => marked,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The middle value. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Asks both in turn, so that whatever else the machine does falls on both. Shape: `{ limit, ours }`, medians. */
export async function inTurn(rounds, { limit, ours }) {
  const of = { limit: [], ours: [] };
  await limit();
  await ours();
  for (let round = 0; round < rounds; round++) {
    of.limit.push(await limit());
    of.ours.push(await ours());
  }
  return { limit: median(of.limit), ours: median(of.ours) };
}
