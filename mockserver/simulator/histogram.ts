/** Counts of values in buckets of equal ratio: quantiles of any number of values in little memory. */

/** Each bucket reaches 2 % further than the one below. */
const RATIO = 1.02;
const LOG_RATIO = Math.log(RATIO);
/** What lies below counts as this. */
const LEAST = 1e-4;

export class Histogram {
  /** Buckets without values may be holes. */
  readonly #counts: (number | undefined)[] = [];
  #count = 0;
  #sum = 0;
  #max = 0;

  /** @param value not negative */
  add(value: number): void {
    const bucket = value <= LEAST ? 0 : Math.ceil(Math.log(value / LEAST) / LOG_RATIO);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#count++;
    this.#sum += value;
    if (value > this.#max) this.#max = value;
  }

  get count(): number {
    return this.#count;
  }

  get mean(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }

  get max(): number {
    return this.#max;
  }

  /** The value that so great a share of the values does not exceed, 2 % too high at the most. 0 when there are none. */
  quantile(share: number): number {
    let left = Math.max(1, Math.ceil(this.#count * share));
    if (this.#count === 0) return 0;
    for (const [bucket, count] of this.#counts.entries()) {
      left -= count ?? 0;
      if (left <= 0) return Math.min(this.#max, LEAST * RATIO ** bucket);
    }
    return this.#max;
  }

  /** Shape: upper bound and count of each bucket that has values, ascending. */
  get buckets(): readonly (readonly [number, number])[] {
    return this.#counts.flatMap((count, bucket) =>
      count === undefined ? [] : [[LEAST * RATIO ** bucket, count] as const],
    );
  }
}
