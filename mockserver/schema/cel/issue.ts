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

/** Source: cel-go common/errors.go. */
const MOST_SHOWN = 100;

/**
 * `ERROR: <input>:1:5: undefined field 'a'` with the line and a mark below it; the first hundred that were found, in the
 * order of the text, then how many more there are.
 */
export function issuesText(source: string, issues: readonly Issue[]): string {
  const points = codePointsOf(source);
  const lines = source.split('\n');
  const texts = issues
    .slice(0, MOST_SHOWN)
    .sort((a, b) => a.at - b.at)
    .map((issue) => shown(points, lines, issue));
  const more = issues.length - texts.length;
  return [...texts, ...(more > 0 ? [`${more} more errors were truncated`] : [])].join('\n');
}

function shown(points: readonly string[], lines: readonly string[], { at, message }: Issue): string {
  if (at === NOWHERE) return `ERROR: <input>:-1:0: ${message}`;
  const before = points.slice(0, at);
  const row = before.filter((point) => point === '\n').length;
  const column = at - (before.lastIndexOf('\n') + 1);
  return `ERROR: <input>:${row + 1}:${column + 1}: ${message}\n | ${lines[row] ?? ''}\n | ${'.'.repeat(column)}^`;
}
