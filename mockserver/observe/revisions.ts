/** Which versions a client was sent: twice, or not at all. */
import { type JournalEntry, type RequestEntry } from './journal-entry.js';

/** One version of one resource, by whom it concerns. */
export interface VersionOf {
  readonly client: string;
  readonly resource: string;
  readonly resourceVersion: string;
}

const CHANGES: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED']);

interface Watching {
  readonly request: RequestEntry;
  readonly sent: string[];
}

function watches(entries: readonly JournalEntry[]): Watching[] {
  const found = new Map<number, Watching>();
  for (const entry of entries) {
    if (entry.kind === 'request' && entry.verb === 'watch')
      found.set(entry.request, { request: entry, sent: [] });
    else if (entry.kind === 'event' && CHANGES.has(entry.type))
      found.get(entry.request)?.sent.push(entry.resourceVersion);
  }
  return [...found.values()];
}

const versionOf = ({ client, resource }: RequestEntry, resourceVersion: string): VersionOf => ({
  client,
  resource,
  resourceVersion,
});

/** Versions that one watch was sent twice. */
export const duplicates = (entries: readonly JournalEntry[]): VersionOf[] =>
  watches(entries).flatMap(({ request, sent }) =>
    [...new Set(sent.filter((one, i) => sent.indexOf(one) !== i))].map((one) => versionOf(request, one)),
  );

/**
 * Versions that were committed between the first and the last that a watch was sent, within its scope, and that it was not
 * sent. Creates and updates alone: what answers a delete names no version. A watch with a selector is left out.
 *
 * @param whole the journal that holds the writes, whoever made them
 */
export function missed(entries: readonly JournalEntry[], whole: readonly JournalEntry[]): VersionOf[] {
  const commits = committed(whole);
  return watches(entries).flatMap(({ request, sent }) => {
    if (sent.length === 0 || /[?&](label|field)Selector=/.test(request.url)) return [];
    const numbers = sent.map(Number);
    const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
    return commits
      .filter(
        ({ at, of }) =>
          at > first &&
          at < last &&
          of.resource === request.resource &&
          of.group === request.group &&
          (request.namespace === '' || of.namespace === request.namespace) &&
          !numbers.includes(at),
      )
      .map(({ at }) => versionOf(request, String(at)));
  });
}

function committed(whole: readonly JournalEntry[]): { readonly at: number; readonly of: RequestEntry }[] {
  const requests = new Map<number, RequestEntry>();
  const found: { at: number; of: RequestEntry }[] = [];
  for (const entry of whole) {
    if (entry.kind === 'request') requests.set(entry.request, entry);
    if (entry.kind !== 'response' || entry.committed !== true || entry.resourceVersion === undefined)
      continue;
    const of = requests.get(entry.request);
    if (of !== undefined && of.verb !== 'delete') found.push({ at: Number(entry.resourceVersion), of });
  }
  return found;
}
