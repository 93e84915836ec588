/** What every client of a cluster asked and was sent, in order, as far back as the ring holds. */
import { type Clock } from '../ground/clock.js';
import { type RequestView } from '../http/exchange-hooks.js';
import { entryOf, EntryRing } from './entry-ring.js';
import { type SentEvent } from './held-entry.js';
import {
  type EntryDraft,
  type JournalEntry,
  type RequestEntry,
  type ResponseEntry,
} from './journal-entry.js';
import { JournalView } from './journal-view.js';

/** Entries that a journal holds by default. */
const CAPACITY = 10_000;

/** How long `first` waits by default. */
const WAIT_MS = 30_000;

export interface JournalParts {
  readonly clock: Clock;
  /** Bounds waiting. Real time, so that a wait on a clock that stands still ends too. */
  readonly pace: Clock;
  /** Written down beside the cluster's own time. @default it is not */
  readonly realTime?: Clock;
  /** Entries held; older ones are dropped and counted. 0: it is off, but for who listens. @default 10000 */
  readonly capacity?: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** How a request ended. */
export interface Answered {
  readonly code: number;
  /** Of the object or the list. */
  readonly resourceVersion?: string | undefined;
  /** Whether it was a write that was stored. */
  readonly committed?: boolean;
  readonly lost?: ResponseEntry['lost'] | undefined;
}

export class Journal {
  readonly #parts: JournalParts;
  readonly #capacity: number;
  #ring: EntryRing;
  #seq = 0;
  #requests = 0;
  readonly #listeners = new Set<(entry: JournalEntry) => void>();

  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.#capacity = parts.capacity ?? CAPACITY;
    this.#ring = new EntryRing(this.#capacity);
  }

  /** Writes a request down. Shape: its number, by which what follows refers to it. */
  addRequest(view: RequestView): number {
    const request = ++this.#requests;
    if (!this.off) this.#hold(view, request);
    return request;
  }

  /** Writes an answer down. */
  addResponse(request: number, { code, resourceVersion, committed, lost }: Answered): void {
    const entry: Mutable<ResponseEntry> = {
      kind: 'response',
      request,
      code,
      seq: ++this.#seq,
      at: this.#parts.clock.now(),
    };
    if (resourceVersion !== undefined) entry.resourceVersion = resourceVersion;
    if (committed === true) entry.committed = true;
    if (lost !== undefined) entry.lost = lost;
    this.#write(entry);
  }

  /** Writes an entry down. */
  add(draft: EntryDraft): void {
    this.#write({ ...draft, seq: ++this.#seq, at: this.#parts.clock.now() });
  }

  /** Whether nobody would ever read what is written down. */
  get off(): boolean {
    return this.#capacity === 0 && this.#listeners.size === 0;
  }

  /** Writes down an event that was sent. @param event kept: one for all the watches that it is sent to */
  addEvent(request: number, event: SentEvent): void {
    if (!this.off) this.#hold(event, request);
  }

  #hold(held: RequestView | SentEvent, request: number): void {
    const at = this.#parts.clock.now();
    const realAt = this.#parts.realTime?.now() ?? at;
    const seq = ++this.#seq;
    this.#ring.add(held, request, at, realAt);
    if (this.#listeners.size > 0) this.#tell(entryOf(held, { request, seq, at, realAt }));
  }

  #write(entry: Mutable<JournalEntry>): void {
    if (this.off) return;
    const { at, request } = entry;
    const realAt = this.#parts.realTime?.now() ?? at;
    if (realAt !== at) entry.realAt = realAt;
    this.#ring.add(entry, request, at, realAt);
    if (this.#listeners.size > 0) this.#tell(entry);
  }

  #tell(entry: JournalEntry): void {
    for (const listener of [...this.#listeners]) listener(entry);
  }

  /** The entries held, oldest first. Shape: fresh. */
  get entries(): JournalEntry[] {
    return this.#ring.entries(this.#seq);
  }

  /** Entries that the ring had no room for any more. */
  get dropped(): number {
    return this.#ring.dropped;
  }

  /** All of it, to ask. */
  get all(): JournalView {
    return new JournalView(this.entries);
  }

  /** What concerns one client. @param userAgent the whole header with `*` for any run of characters, or a RegExp */
  client(userAgent: string | RegExp): JournalView {
    return this.all.client(userAgent);
  }

  /** The requests held, oldest first. */
  get requests(): RequestEntry[] {
    return this.all.requests;
  }

  /** Tells somebody of every entry from now on. Shape: what stops telling. */
  onEntry(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Forgets all entries. */
  clear(): void {
    this.#ring = new EntryRing(this.#capacity);
  }

  /**
   * The first entry that fits, among those held and those to come.
   *
   * Errors: an Error that says what was waited for, after `withinMs` of real time.
   */
  first(
    what: string,
    fits: (entry: JournalEntry) => boolean,
    { withinMs = WAIT_MS }: { readonly withinMs?: number } = {},
  ): Promise<JournalEntry> {
    const known = this.entries.find((entry) => fits(entry));
    return known === undefined ? this.next(what, fits, { withinMs }) : Promise.resolve(known);
  }

  /** As `first`, of the entries to come alone. */
  next(
    what: string,
    fits: (entry: JournalEntry) => boolean,
    { withinMs = WAIT_MS }: { readonly withinMs?: number } = {},
  ): Promise<JournalEntry> {
    return new Promise((resolve, reject) => {
      const wake = (entry: JournalEntry): void => {
        if (!fits(entry)) return;
        done();
        resolve(entry);
      };
      const timer = this.#parts.pace.after(withinMs, () => {
        done();
        reject(new Error(`not in the journal within ${withinMs} ms: ${what}\n${this.all.explain()}`));
      });
      const done = (): void => {
        timer.cancel();
        this.#listeners.delete(wake);
      };
      this.#listeners.add(wake);
    });
  }
}
