/** One client with its connection: what it watches, how it reads, when it comes back. */
import { type VirtualClock } from '../ground/clock.js';
import { type ApiObject } from '../ground/object.js';
import { type Random } from '../ground/random.js';
import { type Revision } from '../ground/revision.js';
import { type Scope } from '../watch/scope.js';
import { type WatchCache } from '../watch/watch-cache.js';
import { type WatchStart } from '../watch/watch-request.js';
import { type WatchEvent } from '../watch/watch-event.js';
import { type Readiness, type Watcher } from '../watch/watcher.js';
import { type Costs } from './costs.js';
import { type Commits } from './object-load.js';
import { type ReadSpec, type WatcherSpec } from './scenario.js';
import { type ServerLoop } from './server-loop.js';

/** What a client watches. */
export interface Interest {
  readonly scope: Scope;
  readonly selects?: ((object: ApiObject) => boolean) | undefined;
  readonly trigger?: 'used' | undefined;
}

/** Told of what happens to a client. */
export interface ClientLog {
  /** It has read an event. */
  read(committedAt: number, readAt: number): void;
  /** An event was encoded. */
  encoded(revision: Revision): void;
  /** Its watch was ended for lag. */
  ended(client: Client, reason: string): void;
  reconnected(): void;
  /** It reads the state anew. */
  relisted(): void;
  /** Its watcher may have fallen behind, or have caught up. */
  look(client: Client): void;
}

export interface ClientParts {
  readonly number: number;
  readonly spec: WatcherSpec;
  readonly interest: Interest;
  readonly cache: WatchCache;
  readonly clock: VirtualClock;
  readonly loop: ServerLoop;
  readonly random: Random;
  readonly commits: Commits;
  readonly costs: Costs;
  readonly log: ClientLog;
}

/** Longer than any simulation. */
const TIMEOUT_MS = 400 * 24 * 3_600_000;

/** Bytes of an event without an object. */
const SMALL_EVENT = 200;
/** Bytes of an event around its object. */
const ENVELOPE = 30;

const NO_BYTES = Buffer.alloc(0);

/** On its way, or in a socket, until the client has read it. */
interface Unread {
  readonly readAt: number;
  readonly bytes: number;
  readonly event: WatchEvent;
}

export class Client {
  readonly number: number;
  readonly #parts: ClientParts;
  readonly #latencyMs: number;
  readonly #msPerByte: number;
  readonly #socketBytes: number;
  readonly #gapMs: number;
  readonly #stalled: (at: number) => number;
  #watcher: Watcher | undefined;
  #unread: Unread[] = [];
  #head = 0;
  /** Bytes of what is unread, as the server knows it. */
  #occupied = 0;
  #linkFree = 0;
  #lastReadAt = -Infinity;
  #lastRevision: Revision | undefined;
  #wake: { cancel(): void } | undefined;
  #willDrain = false;
  #opening = false;
  /** The end of the current watch has been told. */
  #endTold = false;
  #over = false;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.number = parts.number;
    const { link = {}, reads = {} } = parts.spec;
    this.#latencyMs = link.latencyMs ?? 0;
    this.#msPerByte = link.kbPerSecond === undefined ? 0 : 1 / link.kbPerSecond;
    this.#socketBytes = link.socketBytes ?? 262_144;
    this.#gapMs = reads.perSecond === undefined ? 0 : 1000 / reads.perSecond;
    this.#stalled = stalls(reads.stall, parts.random);
  }

  get watcher(): Watcher | undefined {
    return this.#watcher;
  }

  /** Its first request arrives. */
  join(): void {
    const { clock, spec } = this.#parts;
    this.#open(spec.start === 'state' ? STATE : undefined);
    const every = spec.reconnect?.everyMs;
    if (every === undefined) return;
    const again = (): void => {
      this.#comeBack(false);
      clock.after(every, again);
    };
    clock.after(every, again);
  }

  /** Counts what has been read by now: at the end, and whenever somebody looks. */
  settle(now: number): void {
    for (let one = this.#unread[this.#head]; one !== undefined; one = this.#unread[this.#head]) {
      if (one.readAt + this.#latencyMs > now) break;
      this.#head++;
      this.#occupied -= one.bytes;
      this.#read(one);
    }
    if (this.#head === this.#unread.length) {
      this.#unread = [];
      this.#head = 0;
    } else if (this.#head > 64 && this.#head * 2 > this.#unread.length) {
      this.#unread = this.#unread.slice(this.#head);
      this.#head = 0;
    }
  }

  /** The connection is gone: what the client has not read by now it never will. */
  abandon(now: number): void {
    for (const one of this.#unread.slice(this.#head)) if (one.readAt <= now) this.#read(one);
    this.#unread = [];
    this.#head = 0;
    this.#occupied = 0;
    this.#wake?.cancel();
    this.#wake = undefined;
  }

  #open(from: WatchStart | undefined): void {
    const { loop, cache, costs, interest, log } = this.#parts;
    loop.arrive(() => {
      loop.work(costs.openUs);
      const { scope, selects, trigger } = interest;
      const start = from ?? { kind: 'after' as const, revision: this.#lastRevision ?? cache.revision };
      if (start.kind === 'after') this.#lastRevision = start.revision;
      const watcher = cache.watch({
        start,
        scope,
        matches: (object) => {
          loop.work(costs.selectUs);
          return selects === undefined || selects(object);
        },
        bookmarks: true,
        timeoutMs: TIMEOUT_MS,
        trigger,
      });
      this.#watcher = watcher;
      this.#endTold = false;
      this.#over = false;
      this.#lastReadAt = -Infinity;
      this.#linkFree = 0;
      this.#opening = true;
      watcher.onReady((readiness) => {
        if (watcher === this.#watcher) this.#ready(watcher, readiness);
      });
      this.#opening = false;
      log.look(this);
    });
  }

  #ready(watcher: Watcher, readiness: Readiness): void {
    const { state } = watcher;
    const { loop, log, costs } = this.#parts;
    if ((state.kind === 'ending' || state.kind === 'closed') && !this.#endTold) {
      this.#endTold = true;
      if (state.reason === 'error')
        log.ended(this, this.#opening ? 'expired before it began' : watcher.expiryReason);
      else if (state.reason !== 'client' && state.reason !== 'shutdown') log.ended(this, state.reason);
    }
    if (readiness === 'now') this.#drain(watcher);
    else if (!this.#opening && !this.#endTold) loop.work(costs.pushUs);
    if (this.#willDrain) return;
    this.#willDrain = true;
    loop.atEndOfTurn(() => {
      this.#willDrain = false;
      if (this.#watcher !== undefined) this.#drain(this.#watcher);
      log.look(this); // the engine knows by now whether it is stuck
    });
  }

  /** Writes what waits as far as the socket takes it. Within a turn of the server. */
  #drain(watcher: Watcher): void {
    if (this.#over) return;
    const { loop } = this.#parts;
    this.settle(loop.now());
    while (this.#occupied === 0 || this.#occupied < this.#socketBytes) {
      const event = watcher.take();
      if (event === undefined) break;
      this.#send(event);
    }
    if (watcher.state.kind === 'closed') this.#closed();
    else if (this.#occupied >= this.#socketBytes) this.#wakeWithRoom();
  }

  #send(event: WatchEvent): void {
    const { loop, costs } = this.#parts;
    const bytes = this.#encode(event);
    loop.work(costs.writeUs);
    const sentAt = loop.now();
    this.#linkFree = Math.max(this.#linkFree, sentAt) + bytes * this.#msPerByte;
    const arrivesAt = this.#linkFree + this.#latencyMs;
    const readAt = this.#stalled(Math.max(arrivesAt, this.#lastReadAt + this.#gapMs));
    this.#lastReadAt = readAt;
    if (readAt <= sentAt) {
      this.#read({ readAt, bytes, event });
      return;
    }
    this.#unread.push({ readAt, bytes, event });
    this.#occupied += bytes;
  }

  /** Shape: bytes of the frame. */
  #encode(event: WatchEvent): number {
    const { loop, costs, commits, log } = this.#parts;
    if (event.kind === 'bookmark' || event.kind === 'error') return SMALL_EVENT;
    const bytes = commits.bytesOf(event.kind === 'object' ? event.revision : event.object.revision);
    const encode = (): Buffer => {
      loop.work(costs.wrapUs + costs.encodeUs + (bytes / 1000) * costs.encodeKbUs);
      return NO_BYTES;
    };
    // An object's JSON is kept, and so is the frame of a change: watchers share them.
    if (event.kind === 'initial') event.object.encoded('simulated', encode);
    else {
      event.frame('simulated', () => {
        log.encoded(event.revision);
        return encode();
      });
    }
    return bytes + ENVELOPE;
  }

  #read({ event, readAt }: Unread): void {
    const { log, commits } = this.#parts;
    if (event.kind === 'object') {
      log.read(commits.atOf(event.revision), readAt);
      this.#lastRevision = event.revision;
    } else if (event.kind === 'bookmark') this.#lastRevision = event.revision;
  }

  /** When half of the socket is free the server hears of it, one way later. */
  #wakeWithRoom(): void {
    if (this.#wake !== undefined) return;
    let left = this.#occupied;
    for (const { readAt, bytes } of this.#unread.slice(this.#head)) {
      left -= bytes;
      if (left > this.#socketBytes / 2) continue;
      if (!Number.isFinite(readAt)) return; // it never reads
      const { clock, loop } = this.#parts;
      this.#wake = clock.after(readAt + this.#latencyMs - clock.now(), () => {
        this.#wake = undefined;
        loop.arrive(() => {
          if (this.#watcher !== undefined) this.#drain(this.#watcher);
          this.#parts.log.look(this);
        });
      });
      return;
    }
  }

  /** The server has ended the watch: the client sees that once it has read what came before. */
  #closed(): void {
    if (this.#over) return;
    this.#over = true;
    const { clock, spec, loop } = this.#parts;
    const watcher = this.#watcher;
    const now = loop.now();
    const seenAt =
      (Number.isFinite(this.#lastReadAt) ? Math.max(now, this.#lastReadAt) : now) + this.#latencyMs;
    const failed = watcher?.state.kind === 'closed' && watcher.state.reason === 'error';
    clock.after(seenAt + (spec.reconnect?.afterMs ?? 1000) - clock.now(), () => {
      if (this.#watcher === watcher) this.#comeBack(failed);
    });
  }

  #comeBack(anew: boolean): void {
    const { clock, loop, log, spec } = this.#parts;
    this.abandon(clock.now());
    const before = this.#watcher;
    this.#watcher = undefined;
    log.look(this);
    if (before !== undefined) loop.arrive(() => before.close('client'));
    log.reconnected();
    if (anew) log.relisted();
    else if (spec.reconnect?.from === 'now') this.#lastRevision = undefined;
    this.#open(anew ? STATE : undefined);
  }
}

const STATE: WatchStart = Object.freeze({ kind: 'state', bookmark: true });

/** When something is read that could be read at a moment: later where the client stalls then; Infinity: never. */
function stalls(stall: ReadSpec['stall'], random: Random): (at: number) => number {
  if (stall === undefined) return (at) => at;
  const { fromMs, forMs = Infinity, everyMs, spread = false } = stall;
  const from = fromMs + (spread ? random.next() * (everyMs ?? 0) : 0);
  return (at) => {
    const since = everyMs === undefined || at < from ? at - from : (at - from) % everyMs;
    return since >= 0 && since < forMs ? at + forMs - since : at;
  };
}
