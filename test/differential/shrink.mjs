/** Makes a scenario as short as it can be while it still shows the same difference. */

/**
 * The fewest steps, in their order, for which `shows` holds. Source: Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input" (ddmin).
 *
 * Shape: a subsequence of `steps`; 1-minimal, but for what the deadline left undone.
 *
 * @template T
 * @param {readonly T[]} steps for which it holds
 * @param {(steps: readonly T[]) => Promise<boolean>} shows
 * @param {{ deadline?: number }} [options] deadline: of performance.now()
 */
export async function shrink(steps, shows, { deadline = Infinity } = {}) {
  let kept = [...steps];
  let size = Math.max(1, kept.length >> 1);
  for (;;) {
    let removed = false;
    for (let end = kept.length; end > 0 && performance.now() < deadline; end -= size) {
      const start = Math.max(0, end - size);
      const rest = [...kept.slice(0, start), ...kept.slice(end)];
      if (rest.length === 0 || !(await shows(rest))) continue;
      kept = rest;
      removed = true;
    }
    if (performance.now() >= deadline) return kept;
    if (size === 1 && !removed) return kept;
    if (size > 1) size >>= 1;
  }
}
