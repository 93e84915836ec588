/** What Go's two YAML packages write differently. */
import { Float } from './json.js';
import { writeJson } from './json-write.js';
import { goFloat, nodeReadsAsText, readsAsText } from './yaml-scalar.js';

export interface Dialect {
  readonly indent: number;
  /** Lines are folded behind this column. */
  readonly width: number;
  readonly sorted: boolean;
  /** A list in a map stands at the indentation of its name. */
  readonly listsStay: boolean;
  readonly refusesControls: boolean;
  /** A text with a tab may be a literal block. */
  readonly tabsInBlocks: boolean;
  /** Whether a text without quotes is read back as a text. */
  readonly isText: (text: string) => boolean;
  readonly number: (value: number | bigint | Float) => string;
}

export const VERSION_2: Dialect = {
  indent: 2,
  width: 80,
  sorted: true,
  listsStay: true,
  refusesControls: true,
  tabsInBlocks: false,
  isText: readsAsText,
  number: showNumber,
};

export const VERSION_3: Dialect = {
  indent: 4,
  width: Infinity,
  sorted: false,
  listsStay: false,
  refusesControls: false,
  tabsInBlocks: true,
  isText: nodeReadsAsText,
  number: writeJson,
};

function showNumber(value: number | bigint | Float): string {
  const number = value instanceof Float ? value.value : value;
  if (typeof number !== 'number') return String(number);
  // A float is told by its JSON text: `1.0` is written `1` there, and read back as an integer.
  return Number.isInteger(number) && Math.abs(number) < 2 ** 63
    ? BigInt(number).toString()
    : floatText(number);
}

function floatText(number: number): string {
  return Number.isInteger(number) && number > 0 && number < 2 ** 64
    ? JSON.stringify(number)
    : goFloat(number);
}
