/** A journal as text: one JSON document a line. */
import { createWriteStream, openSync } from 'node:fs';
import { type Journal } from './journal.js';
import { type JournalEntry } from './journal-entry.js';

/** @param realTime whether real times are told too, which differ from run to run. @default true */
export function journalLine(entry: JournalEntry, realTime = true): string {
  if (realTime || entry.realAt === undefined) return `${JSON.stringify(entry)}\n`;
  return `${JSON.stringify({ ...entry, realAt: undefined })}\n`;
}

export const journalText = (entries: readonly JournalEntry[], realTime = true): string =>
  entries.map((entry) => journalLine(entry, realTime)).join('');

/** A file that a journal's entries go to as they come. */
export interface JournalFile extends AsyncDisposable {
  /** Writes what is left and closes it. Errors: those of the file system. */
  close(): Promise<void>;
}

/** Writes every entry from now on to a file, which is begun anew. Errors: those of opening it; those of writing are told by `close`. */
export function saveJournal(journal: Journal, path: string): JournalFile {
  const stream = createWriteStream(path, { fd: openSync(path, 'w') });
  let failure: Error | undefined;
  stream.on('error', (error) => (failure ??= error));
  const stop = journal.onEntry((entry) => stream.write(journalLine(entry)));
  const close = async (): Promise<void> => {
    stop();
    await new Promise<void>((resolve) => stream.end(() => resolve()));
    if (failure !== undefined) throw failure;
  };
  return { close, [Symbol.asyncDispose]: close };
}
