/** What an expression costs at worst, and how large its value may be. Source: cel-go checker/cost.go. */
import { type Sized } from './declared-size.js';
import { Place } from './place.js';
import { type CelType, isSimple } from './types.js';
import { ENDLESS, ONE, type Size, UNKNOWN_SIZE, joined } from './size.js';

/** Sizes of what a list or map holds. */
export interface EntrySize {
  readonly key: Size;
  readonly value: Size;
}

export interface Estimate {
  /** Units, of which a real server spends some 20 million a second. */
  readonly cost: number;
  /** Undefined: not known, which counts as endless. Told when it is first asked for. */
  readonly size: () => Size | undefined;
  readonly entry: EntrySize | undefined;
  /** None for what an expression makes. */
  readonly place: Place;
}

const UNTOLD = (): undefined => undefined;

/** Of an expression whose value is nothing special. */
export const costing = (cost: number, size?: Size): Estimate => ({
  cost,
  size: size === undefined ? UNTOLD : () => size,
  entry: undefined,
  place: Place.NONE,
});

/** Of a value that stands in a schema. @param otherwise its size where the schema says nothing */
export function placed(cost: number, place: Place, root: Sized | undefined, otherwise?: Size): Estimate {
  let known: Size | undefined;
  return { cost, size: () => (known ??= place.sizeIn(root)) ?? otherwise, entry: undefined, place };
}

export const summed = (costs: readonly number[]): number => {
  return Math.min(
    costs.reduce((sum, one) => sum + one, 0),
    ENDLESS,
  );
};

export const sizeOf = ({ size }: Estimate): Size => size() ?? UNKNOWN_SIZE;

const SCALARS = ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'] as const;

/** Of types whose values all have one. */
export function sizeOfType(type: CelType): Size | undefined {
  if (type.kind === 'optional') return sizeOfType(type.value);
  return SCALARS.some((name) => isSimple(type, name)) ? ONE : undefined;
}

export function joinedEntries(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { key: joined(a.key, b.key), value: joined(a.value, b.value) };
}
