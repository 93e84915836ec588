/** What is wrong with the text of an expression, shown as a server shows it. */
import { codePointsOf } from './code-points.js';

/** The place of an issue with the whole of an expression. */
export const NOWHERE = -1;

export interface Issue {
  /** Offset in code points, or `NOWHERE`. */
  readonly at: number;
  readonly message: string;
}

/** Stops reading at once: a text that is no expression. */
export class SyntaxIssue extends Error {
  override readonly name = 'SyntaxIssue';
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** `ERROR: <input>:1:5: undefined field 'a'` with the line and a mark below it; in the order of the text. */
export function issuesText(source: string, issues: readonly Issue[]): string {
  return [...issues]
    .sort((a, b) => a.at - b.at)
    .map((issue) => shown(source, issue))
    .join('\n');
}

function shown(source: string, { at, message }: Issue): string {
  if (at === NOWHERE) return `ERROR: <input>:-1:0: ${message}`;
  const before = codePointsOf(source).slice(0, at).join('').split('\n');
  const column = codePointsOf(before.at(-1) ?? '').length;
  const line = source.split('\n')[before.length - 1] ?? '';
  return `ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}
