/** Which clients' watchers are behind, since when, and how long each has waited for a pass to serve it. */
import { type PassReport } from '../watch/pass-schedule.js';
import { type Client } from './client.js';

interface Since {
  readonly atMs: number;
  /** The pass that served it last. */
  turn: number;
  /** Passes that went by since, while it had room. */
  waited: number;
}

export class Behind {
  readonly #since = new Map<Client, Since>();
  readonly #resynced: (client: Client, afterMs: number) => void;
  #mostWaited = 0;
  #mostReady = 0;
  #leastServed = Infinity;

  constructor(resynced: (client: Client, afterMs: number) => void) {
    this.#resynced = resynced;
  }

  get size(): number {
    return this.#since.size;
  }

  get clients(): Iterable<Client> {
    return this.#since.keys();
  }

  /** Passes from one service to the next, at most; 0 when there was none. */
  get mostBetween(): number {
    return this.#mostWaited;
  }

  /** ⌈most that had room ÷ fewest that a pass served⌉ + 1: invariant 10 of the passes. */
  get bound(): number {
    return Math.ceil(this.#mostReady / Math.min(this.#leastServed, Math.max(1, this.#mostReady))) + 1;
  }

  look(client: Client, nowMs: number): void {
    const state = client.watcher?.state;
    const since = this.#since.get(client);
    if (state?.kind === 'unsynced') {
      if (since === undefined) this.#since.set(client, { atMs: nowMs, turn: state.turn, waited: 0 });
      return;
    }
    if (since === undefined) return;
    this.#since.delete(client);
    if (state?.kind === 'synced') this.#resynced(client, nowMs - since.atMs);
  }

  passed({ served, workLeft }: PassReport, nowMs: number): void {
    let ready = served;
    for (const [client, since] of this.#since) {
      const { watcher } = client;
      if (watcher?.state.kind !== 'unsynced') {
        this.look(client, nowMs);
        continue;
      }
      const { turn } = watcher.state;
      if (turn !== since.turn) {
        this.#mostWaited = Math.max(this.#mostWaited, since.waited + 1);
        since.turn = turn;
        since.waited = 0;
      } else if (watcher.live && watcher.room > 0) {
        since.waited++;
        ready++;
        this.#mostWaited = Math.max(this.#mostWaited, since.waited);
      }
    }
    if (ready > served && served > 0 && workLeft) this.#leastServed = Math.min(this.#leastServed, served);
    this.#mostReady = Math.max(this.#mostReady, ready);
  }
}
