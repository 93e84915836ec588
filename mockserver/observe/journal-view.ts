/** A part of a journal, and questions about it. */
import { type EventEntry, type FaultEntry, type JournalEntry, type RequestEntry } from './journal-entry.js';
import { globExpression } from '../faults/pattern.js';
import { explainClient } from './explain-client.js';
import { duplicates, missed, type VersionOf } from './revisions.js';
import { timeline } from './timeline.js';
import { behindMs } from './watch-places.js';

/** What a part is to hold; all that is given must be true. */
export interface JournalFilter {
  /** The user agent: a text with `*` for any run of characters, or a RegExp. */
  readonly client?: string | RegExp;
  readonly verb?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly kind?: JournalEntry['kind'];
}

export class JournalView {
  readonly entries: readonly JournalEntry[];
  readonly #whole: readonly JournalEntry[];

  /** @param whole the journal that it is a part of */
  constructor(entries: readonly JournalEntry[], whole: readonly JournalEntry[] = entries) {
    this.entries = entries;
    this.#whole = whole;
  }

  /** What concerns one client. */
  client(userAgent: string | RegExp): JournalView {
    return this.where({ client: userAgent });
  }

  /** What concerns requests of that kind; with `kind`, only entries of that kind. */
  where({ client, verb, resource, namespace, kind }: JournalFilter): JournalView {
    const agent = client === undefined ? undefined : agentTest(client);
    const numbers = new Set<number>();
    for (const entry of this.entries) {
      if (entry.kind !== 'request') continue;
      if (agent !== undefined && !agent(entry.client)) continue;
      if (verb !== undefined && entry.verb !== verb) continue;
      if (resource !== undefined && entry.resource !== resource) continue;
      if (namespace !== undefined && entry.namespace !== namespace) continue;
      numbers.add(entry.request);
    }
    return new JournalView(
      this.entries.filter(
        (entry) => numbers.has(entry.request) && (kind === undefined || entry.kind === kind),
      ),
      this.#whole,
    );
  }

  get requests(): RequestEntry[] {
    return this.entries.filter((entry) => entry.kind === 'request');
  }

  /** Lists from their beginning: pages that go on with one do not count. */
  get lists(): RequestEntry[] {
    return this.requests.filter(({ verb, continued }) => verb === 'list' && !continued);
  }

  get watches(): RequestEntry[] {
    return this.requests.filter(({ verb }) => verb === 'watch');
  }

  get events(): EventEntry[] {
    return this.entries.filter((entry) => entry.kind === 'event');
  }

  get faults(): FaultEntry[] {
    return this.entries.filter((entry) => entry.kind === 'fault');
  }

  /** How many connections the requests came on. */
  get connections(): number {
    return new Set(this.requests.map(({ connection }) => connection)).size;
  }

  /** Milliseconds for which its watches were behind or stalled, in all: until now for those that still are. */
  get behindMs(): number {
    return behindMs(this.entries, this.#whole.at(-1)?.at ?? 0);
  }

  /** Versions that one watch was sent twice. */
  get duplicates(): VersionOf[] {
    return duplicates(this.entries);
  }

  /** Versions that were committed while a watch was open and that it was not sent. */
  get missed(): VersionOf[] {
    return missed(this.entries, this.#whole);
  }

  /** The same as a page: lanes in time. Shape: a self-contained HTML document. */
  timeline(title?: string): string {
    return timeline(this.entries, title);
  }

  /** The path that each client took, as text: a paragraph for each client and resource. */
  explain(): string {
    return explainClient(this.entries);
  }
}

function agentTest(client: string | RegExp): (userAgent: string) => boolean {
  const expression = typeof client === 'string' ? globExpression(client) : client;
  return (userAgent) => expression.test(userAgent);
}
