/** Lists of indexes of a job: `1,3-5,7`. Source: kubernetes apis/batch/validation/validation.go, validateIndexesFormat. */
import { goQuote } from '../../ground/revision.js';

export type IndexReading =
  { readonly ok: true; readonly count: number } | { readonly ok: false; readonly error: string };

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** @param completions indexes are below it */
export function indexCount(text: string, completions: number): IndexReading {
  if (text === '') return { ok: true, count: 0 };
  let last: number | undefined;
  let count = 0;
  for (const part of text.split(',')) {
    const interval = intervalOf(part, completions);
    if (typeof interval === 'string') return { ok: false, error: interval };
    if (last !== undefined && last >= interval.from)
      return { ok: false, error: `non-increasing order, previous: ${last}, current: ${interval.from}` };
    count += interval.to - interval.from + 1;
    last = interval.to;
  }
  return { ok: true, count };
}

/** Shape: the interval, or what is wrong with it. */
function intervalOf(text: string, completions: number): Interval | string {
  const ends = text.split('-');
  if (ends.length > 2)
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  const numbers: number[] = [];
  for (const end of ends) {
    if (!/^[-+]?\d+$/.test(end)) return `cannot convert string to integer for index: ${goQuote(end)}`;
    if (Number(end) >= completions) return `too large index: ${goQuote(end)}`;
    numbers.push(Number(end));
  }
  const [from = 0, to] = numbers;
  if (to !== undefined && from >= to) return `non-increasing order, previous: ${from}, current: ${to}`;
  return { from, to: to ?? from };
}
