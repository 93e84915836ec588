/**
 * How much a value holds in all. Parts may stand in it many times over, so that a short expression makes values which are far
 * larger than what it was given: nothing goes through those.
 */
import { CostExceeded } from './cel-error.js';
import { ListValue, type Value, isMapValue } from './values.js';

/** More than any request can bring. */
const MOST = 3_000_000;

/** Characters that weigh as much as one value. */
const CHARACTERS = 16;

/** Errors: a CostExceeded when all that the values hold is more than a request could be. */
export function checkWeight(...values: readonly Value[]): void {
  if (values.some((one) => typeof one !== 'object' || one === null) && values.length > 1) return;
  const known = new Map<object, number>();
  const weightOf = (value: Value): number => {
    if (typeof value === 'string') return 1 + value.length / CHARACTERS;
    if (typeof value !== 'object' || value === null) return 1;
    const weighed = known.get(value);
    if (weighed !== undefined) return weighed;
    let weight = 1;
    if (value instanceof ListValue) for (const one of value.elements) weight += weightOf(one);
    else if (isMapValue(value)) {
      if (value.weight !== undefined) weight += value.weight();
      else for (const key of value.keys()) weight += weightOf(value.find(key) ?? null);
    }
    if (weight > MOST) throw new CostExceeded();
    known.set(value, weight);
    return weight;
  };
  if (values.reduce<number>((sum, one) => sum + weightOf(one), 0) > MOST) throw new CostExceeded();
}
