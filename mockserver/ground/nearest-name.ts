/** The name that somebody meant who wrote another one. */

/** The name that the fewest edits lead to, whatever the case of its letters. @param names not empty */
export function nearestName(name: string, names: readonly string[]): string {
  const ranked = names.map((one) => ({ one, edits: distance(name.toLowerCase(), one.toLowerCase()) }));
  return ranked.reduce((best, next) => (next.edits < best.edits ? next : best)).one;
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
