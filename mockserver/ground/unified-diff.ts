/** Two texts compared line by line, as Go's port of Python's difflib shows it. */

/** `size` lines from `a` are those from `b`. */
interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** Lines [a, aEnd) of the first text stand where lines [b, bEnd) of the second do. */
interface Change {
  readonly equal: boolean;
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

/** How many equal lines stand around a change. */
const CONTEXT = 3;
/** From this many lines on a line that is a hundredth of the second text is too common to begin a match. */
const MANY_LINES = 200;

/**
 * The unified form, without a header of files: `@@ -1,4 +1,4 @@` and lines with ` `, `-` and `+` before them.
 * Shape: empty when the texts are equal; each line ends in a newline.
 * Source: github.com/pmezard/go-difflib, SequenceMatcher and WriteUnifiedDiff.
 */
export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')];
  return hunks(changes(a, b))
    .map((hunk) => hunkText(hunk, a, b))
    .join('');
}

function hunkText(hunk: readonly Change[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [hunk[0], hunk.at(-1)];
  if (first === undefined || last === undefined) return '';
  const lines = hunk.flatMap((change) => {
    const old = a.slice(change.a, change.aEnd);
    if (change.equal) return old.map((line) => ` ${line}`);
    return [...old.map((line) => `-${line}`), ...b.slice(change.b, change.bEnd).map((line) => `+${line}`)];
  });
  const head = `@@ -${rangeText(first.a, last.aEnd)} +${rangeText(first.b, last.bEnd)} @@`;
  return [head, ...lines].map((line) => `${line}\n`).join('');
}

/** Counted from 1; an empty range is named by the line before it. */
function rangeText(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return `${start + 1}`;
  return `${length === 0 ? start : start + 1},${length}`;
}

/** Changes with the equal lines around them; those that are far apart are apart. */
function hunks(all: readonly Change[]): readonly (readonly Change[])[] {
  const found: Change[][] = [];
  let open: Change[] = [];
  const close = (): void => {
    if (open.some(({ equal }) => !equal)) found.push(open);
    open = [];
  };
  all.forEach((change, i) => {
    const [first, last] = [i === 0, i === all.length - 1];
    if (!change.equal) open.push(change);
    else if (!first && !last && change.aEnd - change.a > 2 * CONTEXT) {
      open.push({ ...change, aEnd: change.a + CONTEXT, bEnd: change.b + CONTEXT });
      close();
      open.push({ ...change, a: change.aEnd - CONTEXT, b: change.bEnd - CONTEXT });
    } else {
      const [from, to] = [
        first ? Math.max(change.a, change.aEnd - CONTEXT) : change.a,
        last ? Math.min(change.aEnd, change.a + CONTEXT) : change.aEnd,
      ];
      open.push({
        ...change,
        a: from,
        aEnd: to,
        b: change.b + from - change.a,
        bEnd: change.bEnd - (change.aEnd - to),
      });
    }
  });
  close();
  return found;
}

/** From the first line to the last, equal parts and others in turn. */
function changes(a: readonly string[], b: readonly string[]): readonly Change[] {
  const found: Change[] = [];
  let [i, j] = [0, 0];
  for (const match of [...matches(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (i < match.a || j < match.b) found.push({ equal: false, a: i, aEnd: match.a, b: j, bEnd: match.b });
    [i, j] = [match.a + match.size, match.b + match.size];
    if (match.size > 0) found.push({ equal: true, a: match.a, aEnd: i, b: match.b, bEnd: j });
  }
  return found;
}

/** Equal parts in order; no two of them touch. */
function matches(a: readonly string[], b: readonly string[]): readonly Match[] {
  const places = placesOf(b);
  const found: Match[] = [];
  const add = (match: Match): void => {
    const last = found.at(-1);
    if (last !== undefined && last.a + last.size === match.a && last.b + last.size === match.b)
      found.splice(-1, 1, { ...last, size: last.size + match.size });
    else found.push(match);
  };
  const within = (from: Match, aEnd: number, bEnd: number): void => {
    const match = longest(a, b, places, { from, aEnd, bEnd });
    if (match.size === 0) return;
    if (from.a < match.a && from.b < match.b) within(from, match.a, match.b);
    add(match);
    const rest = { a: match.a + match.size, b: match.b + match.size, size: 0 };
    if (rest.a < aEnd && rest.b < bEnd) within(rest, aEnd, bEnd);
  };
  within({ a: 0, b: 0, size: 0 }, a.length, b.length);
  return found;
}

/** Where each line stands, without those that stand too often. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  lines.forEach((line, i) => {
    const there = places.get(line);
    if (there === undefined) places.set(line, [i]);
    else there.push(i);
  });
  if (lines.length < MANY_LINES) return places;
  const most = Math.floor(lines.length / 100) + 1;
  return new Map([...places].filter(([, there]) => there.length <= most));
}

interface Part {
  readonly from: Match;
  readonly aEnd: number;
  readonly bEnd: number;
}

/** The longest equal part; of several the one that begins first in `a`, then in `b`. */
function longest(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  { from, aEnd, bEnd }: Part,
): Match {
  let best: Match = from;
  /** By the line of `b` at which it ends: the length of the equal part that ends at the line of `a` before. */
  let lengths = new Map<number, number>();
  for (let i = from.a; i < aEnd; i += 1) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] ?? '') ?? []) {
      if (j < from.b || j >= bEnd) continue;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: start, b: other, size } = best;
  while (start > from.a && other > from.b && a[start - 1] === b[other - 1]) {
    [start, other, size] = [start - 1, other - 1, size + 1];
  }
  while (start + size < aEnd && other + size < bEnd && a[start + size] === b[other + size]) size += 1;
  return { a: start, b: other, size };
}
