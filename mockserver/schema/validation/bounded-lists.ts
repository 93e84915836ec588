/** Validation of lists that may not be longer than a bound. Source: kubernetes apis/resource/validation/validation.go, validateSlice, validateSet. */
import { type JsonValue } from '../../ground/json.js';
import { type Findings } from './findings.js';

/** Each item of a list that is not too long; of one that is, only that. */
export function eachOf<Item>(
  found: Findings,
  items: readonly Item[],
  at: string,
  most: number,
  check: (item: Item, at: string) => void,
): void {
  if (items.length > most) {
    found.tooMany(at, items.length, most);
    return;
  }
  items.forEach((item, i) => {
    check(item, `${at}[${i}]`);
  });
}

/** As eachOf, of items that have a key of their own each. */
export function eachOfSet<Item>(
  found: Findings,
  items: readonly Item[],
  at: string,
  most: number,
  check: (item: Item, at: string) => void,
  keyOf: (item: Item) => JsonValue,
): void {
  eachOf(found, items, at, most, check);
  if (items.length > most) return;
  const seen = new Set<string>();
  items.forEach((item, i) => {
    const key = keyOf(item);
    const text = JSON.stringify(key);
    if (seen.has(text)) found.duplicate(`${at}[${i}]`, key);
    seen.add(text);
  });
}
