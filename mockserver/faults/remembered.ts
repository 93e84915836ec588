/** What was found for a text is found again without looking. */

/** Texts that are remembered; all are forgotten when there are more. */
const MOST_REMEMBERED = 256;

/** What `find` answers for the key, asked again only after the key was forgotten. */
export function remembered<V>(known: Map<string, V>, key: string, find: () => V): V {
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= MOST_REMEMBERED) known.clear();
  const found = find();
  known.set(key, found);
  return found;
}
