/** The entries of a journal in a ring. Events and requests, which come by far most often, lie in it as they are. */
import { type RequestView } from '../http/exchange-hooks.js';
import { eventEntry, type Mark, requestEntry, type SentEvent } from './held-entry.js';
import { type JournalEntry } from './journal-entry.js';

/** They are told apart by a member that each has alone: `kind`, `verb`, `type`. */
export type Held = JournalEntry | RequestView | SentEvent;

export class EntryRing {
  readonly #capacity: number;
  /** The oldest stands at `#written % #capacity` once it is full. */
  readonly #slots: Held[] = [];
  // Of what is no entry of its own, at its slot.
  readonly #requests: number[] = [];
  readonly #times: number[] = [];
  readonly #realTimes: number[] = [];
  #written = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Entries that there was no room for any more. */
  get dropped(): number {
    return this.#written - this.#slots.length;
  }

  add(held: Held, request: number, at: number, realAt: number): void {
    const place = this.#written++ % this.#capacity;
    // A ring without any room drops everything.
    if (this.#capacity === 0) return;
    this.#slots[place] = held;
    this.#requests[place] = request;
    this.#times[place] = at;
    this.#realTimes[place] = realAt;
  }

  /** Oldest first. Shape: fresh. @param lastSeq number of the newest entry: they are counted without a gap */
  entries(lastSeq: number): JournalEntry[] {
    const held = this.#slots.length;
    const oldest = this.#written > held ? this.#written % held : 0;
    return this.#slots.map((_, i) => this.#entryAt((oldest + i) % held, lastSeq - held + 1 + i));
  }

  #entryAt(place: number, seq: number): JournalEntry {
    const [held, request, at, realAt] = [
      this.#slots[place],
      this.#requests[place],
      this.#times[place],
      this.#realTimes[place],
    ];
    if (held === undefined || request === undefined || at === undefined || realAt === undefined)
      throw new Error(`a journal without an entry at ${place}`);
    return entryOf(held, { request, seq, at, realAt });
  }
}

/** An entry by itself. */
export function entryOf(held: Held, mark: Mark): JournalEntry {
  if ('kind' in held) return held;
  return 'verb' in held ? requestEntry(held, mark) : eventEntry(held, mark);
}
