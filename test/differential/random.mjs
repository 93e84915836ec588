/** Chance from a seed: the same seed gives the same scenario on every machine. */

/** @typedef {ReturnType<typeof seededRandom>} Random */

/**
 * A source of chance. Source: mulberry32, seeded with a hash of the words.
 * @param {...(string | number)} words
 */
export function seededRandom(...words) {
  let state = 0x811c9dc5;
  for (const char of words.join('/')) state = Math.imul(state ^ char.codePointAt(0), 0x01000193) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound) => Math.floor(next() * bound);
  /** One key of a table of weights. */
  const weighted = (weights) => {
    const entries = Object.entries(weights).filter(([, weight]) => weight > 0);
    let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return entries.at(-1)[0];
  };
  return {
    /** An integer in [0, bound). */
    below,
    /** True in `share` of the cases. */
    chance: (share) => next() < share,
    /** One of the values; undefined when there is none. */
    pick: (values) => values[below(values.length)],
    /** What one of `[weight, make]` makes. */
    choose(table) {
      return table[Number(weighted(Object.fromEntries(table.map(([weight], i) => [`${i}`, weight]))))][1]();
    },
    weighted,
  };
}
