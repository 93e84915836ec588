/** What every client of a cluster asked and was sent, in order, as far back as the ring holds. */
import { type Clock } from '../ground/clock.js';
import { type RequestView } from '../http/exchange-hooks.js';
import { booleanValue, firstValue } from '../registry/query.js';
import {
  type EntryDraft,
  type EventEntry,
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
  /** Entries held; older ones are dropped and counted. @default 10000 */
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

type SentEvent = Pick<EventEntry, 'type' | 'namespace' | 'name'>;

export class Journal {
  readonly #parts: JournalParts;
  readonly #capacity: number;
  /** A ring: the oldest stands at `#seq % capacity` once it is full. */
  #ring: JournalEntry[] = [];
  #seq = 0;
  #clearedAt = 0;
  #requests = 0;
  readonly #listeners = new Set<(entry: JournalEntry) => void>();

  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.#capacity = parts.capacity ?? CAPACITY;
  }

  /** Writes a request down. Shape: its number, by which what follows refers to it. */
  addRequest(view: RequestView): number {
    const request = ++this.#requests;
    const { query } = view;
    const resourceVersion = firstValue(query, 'resourceVersion');
    // In one piece, as all that every request writes down: a copy of so many members costs more than the rest of it.
    const entry: Mutable<RequestEntry> = {
      kind: 'request',
      request,
      connection: view.connection,
      client: view.userAgent,
      user: view.user?.name ?? '',
      verb: view.verb,
      group: view.group,
      version: view.version,
      resource: view.resource,
      subresource: view.subresource,
      namespace: view.namespace,
      name: view.name,
      url: view.url,
      watchList: booleanValue(query, 'sendInitialEvents') === true,
      continued: (firstValue(query, 'continue') ?? '') !== '',
      seq: ++this.#seq,
      at: this.#parts.clock.now(),
    };
    if (resourceVersion !== undefined) entry.resourceVersion = resourceVersion;
    if (view.client !== '') entry.clientId = view.client;
    this.#write(entry);
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

  /** Writes down an event that was sent. As `add`, for what comes most often. */
  addEvent(request: number, { type, namespace, name }: SentEvent, resourceVersion: string): void {
    this.#write({
      kind: 'event',
      request,
      type,
      namespace,
      name,
      resourceVersion,
      seq: ++this.#seq,
      at: this.#parts.clock.now(),
    });
  }

  #write(entry: Mutable<JournalEntry>): void {
    const { realTime } = this.#parts;
    const now = realTime?.now();
    if (now !== undefined && now !== entry.at) entry.realAt = now;
    const place = (entry.seq - this.#clearedAt - 1) % this.#capacity;
    // A journal without any room drops everything.
    if (this.#capacity > 0) this.#ring[place] = entry;
    if (this.#listeners.size > 0) for (const listener of [...this.#listeners]) listener(entry);
  }

  /** The entries held, oldest first. Shape: fresh. */
  get entries(): JournalEntry[] {
    const written = this.#seq - this.#clearedAt;
    if (written <= this.#capacity || this.#capacity === 0) return [...this.#ring];
    const oldest = written % this.#capacity;
    return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)];
  }

  /** Entries that the ring had no room for any more. */
  get dropped(): number {
    return Math.max(0, this.#seq - this.#clearedAt - this.#capacity);
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
    this.#ring = [];
    this.#clearedAt = this.#seq;
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
