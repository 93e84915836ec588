/** The lines of a program's output, as they come. */
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';

/** Calls `each` once per line, without its end. */
export function lines(from: Readable, each: (line: string) => void): void {
  createInterface({ input: from, crlfDelay: Infinity }).on('line', each);
}
