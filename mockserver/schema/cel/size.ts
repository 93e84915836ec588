/** How large values may be: of texts in characters, of lists and maps in entries. Source: cel-go checker/cost.go. */

/** Both ends belong to it. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

/** What cannot be told stops here, as an unsigned 64-bit number does. */
export const ENDLESS = 2 ** 64;

export const UNKNOWN_SIZE: Size = { min: 0, max: ENDLESS };
export const ONE: Size = { min: 1, max: 1 };

export const exactly = (size: number): Size => ({ min: size, max: size });
export const upTo = (max: number): Size => ({ min: 0, max });

const capped = (value: number): number => Math.min(value, ENDLESS);

export const joined = (a: Size, b: Size): Size => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
});
export const added = (a: Size, b: Size): Size => ({ min: capped(a.min + b.min), max: capped(a.max + b.max) });
export const multiplied = (a: Size, b: Size): Size => ({
  min: capped(a.min * b.min),
  max: capped(a.max * b.max),
});

/** Units for so many at so much each, rounded up. */
export const unitsFor = (count: number, each: number): number => capped(Math.ceil(count * each));

/** Units of going through a text once, of each character. Source: cel-go common/cost.go. */
export const TRAVERSAL = 0.1;
/** Of each character of a pattern. */
export const PATTERN = 0.25;
export const MAKES_LIST = 10;
export const MAKES_MAP = 30;
