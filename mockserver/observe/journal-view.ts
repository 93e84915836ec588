/** A part of a journal, and questions about it. */
import { type EventEntry, type FaultEntry, type JournalEntry, type RequestEntry } from './journal-entry.js';
import { explainClient } from './client-path.js';

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

  constructor(entries: readonly JournalEntry[]) {
    this.entries = entries;
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

  /** The path that each client took, as text: a paragraph for each client and resource. */
  explain(): string {
    return explainClient(this.entries);
  }
}

function agentTest(client: string | RegExp): (userAgent: string) => boolean {
  if (typeof client !== 'string') return (userAgent) => client.test(userAgent);
  const source = client
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*');
  const compiled = new RegExp(`^${source}$`);
  return (userAgent) => compiled.test(userAgent);
}
