/** WebSocket frames: as much as a server needs that only talks. Source: RFC 6455, section 5. */

const OPCODES = { text: 1, binary: 2, close: 8, pong: 10 } as const;
const PING = 9;
const CLOSE = 8;

/** Reasons of a close. */
export const CLOSE_CODES = { normal: 1000, protocolError: 1002 } as const;

/** One unmasked, unfragmented frame. */
export function encodeFrame(opcode: keyof typeof OPCODES, payload: Buffer): Buffer {
  const { length } = payload;
  let head: Buffer;
  if (length < 126) {
    head = Buffer.from([0x80 | OPCODES[opcode], length]);
  } else if (length < 65_536) {
    head = Buffer.from([0x80 | OPCODES[opcode], 126, 0, 0]);
    head.writeUInt16BE(length, 2);
  } else {
    head = Buffer.alloc(10);
    head[0] = 0x80 | OPCODES[opcode];
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

export function closeFrame(code: number): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return encodeFrame('close', payload);
}

export type ClientSignal =
  | { readonly kind: 'ping'; readonly payload: Buffer }
  | { readonly kind: 'close' }
  /** The client breaks the protocol. */
  | { readonly kind: 'violation' };

/** Longest payload of a control frame. */
const LONGEST_CONTROL_BYTES = 125;

/** Reads what a client sends and keeps only what must be answered; messages are skipped whatever their length. */
export class ClientFrames {
  #held: Buffer = Buffer.alloc(0);
  #skip = 0n;
  #closed = false;

  /** Signals in the bytes so far, in order. After a close or a violation there are no more. */
  push(bytes: Buffer): readonly ClientSignal[] {
    const signals: ClientSignal[] = [];
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    while (!this.#closed && this.#held.length > 0) {
      if (this.#skip > 0n) {
        const skipped = Math.min(this.#held.length, Number(this.#skip));
        this.#skip -= BigInt(skipped);
        this.#held = this.#held.subarray(skipped);
        continue;
      }
      const frame = readHead(this.#held);
      if (frame === undefined) break;
      if (!frame.masked) {
        this.#close(signals, 'violation');
      } else if (frame.opcode < 8) {
        this.#held = this.#held.subarray(frame.headLength);
        this.#skip = frame.length;
      } else {
        if (frame.length > LONGEST_CONTROL_BYTES || frame.opcode === CLOSE) {
          this.#close(signals, frame.opcode === CLOSE ? 'close' : 'violation');
          break;
        }
        const end = frame.headLength + Number(frame.length);
        if (this.#held.length < end) break;
        if (frame.opcode === PING) {
          signals.push({ kind: 'ping', payload: unmasked(this.#held.subarray(0, end), frame.headLength) });
        }
        this.#held = this.#held.subarray(end);
      }
    }
    return signals;
  }

  #close(signals: ClientSignal[], kind: 'close' | 'violation'): void {
    this.#closed = true;
    this.#held = Buffer.alloc(0);
    signals.push({ kind });
  }
}

interface FrameHead {
  readonly opcode: number;
  readonly masked: boolean;
  readonly length: bigint;
  /** Mask included. */
  readonly headLength: number;
}

/** Undefined while the head is incomplete. */
function readHead(bytes: Buffer): FrameHead | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const masked = (second & 0x80) !== 0;
  const short = second & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  const headLength = 2 + extra + (masked ? 4 : 0);
  if (bytes.length < headLength) return undefined;
  const length =
    extra === 0 ? BigInt(short) : extra === 2 ? BigInt(bytes.readUInt16BE(2)) : bytes.readBigUInt64BE(2);
  return { opcode: first & 0x0f, masked, length, headLength };
}

/** The payload of a whole masked frame. */
function unmasked(frame: Buffer, headLength: number): Buffer {
  const mask = frame.subarray(headLength - 4, headLength);
  const payload = Buffer.from(frame.subarray(headLength));
  payload.forEach((byte, i) => {
    payload[i] = byte ^ (mask[i & 3] ?? 0);
  });
  return payload;
}
