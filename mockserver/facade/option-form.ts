/** The forms that values of options have: of which type, how a document and a command line write them, what is said of anything else. */
import { parseDuration } from '../ground/go-duration.js';
import { type JsonSchema } from '../ground/value-shape.js';

export interface OptionForm<T> {
  /** As messages and the reference say it: `a whole number from 0`. */
  readonly needed: string;
  /** Whether a program's value has the form. */
  readonly holds: (value: unknown) => boolean;
  /** Of a value in a document. Absent: only programs can give one. */
  readonly schema?: JsonSchema;
  /** How a command line gives one. Absent: by the name of the option alone, or not at all. */
  readonly written?: WrittenForm<T>;
  /** Texts that name files or folders: in a document, beside that document. */
  readonly isPath?: true;
  /** All that there are, where they can be listed. */
  readonly choices?: readonly string[];
  /** Never there: carries the type. */
  readonly value?: T;
}

export interface WrittenForm<T> {
  /** `<file>` */
  readonly argument: string;
  /** Whether each time it is given adds to the times before. */
  readonly repeats: boolean;
  /** @param before what the times before gave. Shape: undefined for what has not the form. */
  parse(text: string, before: T | undefined): T | undefined;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const TEXTS: JsonSchema = { type: 'array', items: { type: 'string' } };

/** @param argument of the command line */
export const text = (argument: string): OptionForm<string> => ({
  needed: 'a string',
  holds: isText,
  schema: { type: 'string' },
  written: { argument: `<${argument}>`, repeats: false, parse: (given) => given },
});

/** A text that names a file. */
export const path = (argument = 'file'): OptionForm<string> => ({ ...text(argument), isPath: true });

/** Any number of texts, a command line gives one at a time. */
export const texts = (argument: string): OptionForm<readonly string[]> => ({
  needed: 'a list of strings',
  holds: areTexts,
  schema: TEXTS,
  written: { argument: `<${argument}>`, repeats: true, parse: (given, before = []) => [...before, given] },
});

/** Texts that name files or folders. */
export const paths = (argument: string): OptionForm<readonly string[]> => ({
  ...texts(argument),
  isPath: true,
});

/** Any number of names, on a command line with commas between them. */
export const names = (argument: string): OptionForm<readonly string[]> => ({
  ...texts(argument),
  written: {
    argument: `<${argument},...>`,
    repeats: true,
    parse: (given, before = []) => [...before, ...given.split(',').filter((name) => name !== '')],
  },
});

/** Some of certain names. */
export function someOf<const N extends string>(choices: readonly N[]): OptionForm<readonly N[]> {
  const isOne = (value: unknown): value is N => choices.some((one) => one === value);
  return {
    needed: `a list of ${choices.join(', ')}`,
    holds: (value) => Array.isArray(value) && value.every(isOne),
    schema: { type: 'array', items: { type: 'string', enum: choices } },
    written: {
      argument: '<what,...>',
      repeats: true,
      parse: (given, before = []) => {
        const found = given.split(',').filter((one) => one !== '');
        return found.every(isOne) ? [...before, ...found] : undefined;
      },
    },
  };
}

export function oneOf<const N extends string>(choices: readonly N[]): OptionForm<N> {
  const find = (value: unknown): N | undefined => choices.find((one) => one === value);
  return {
    needed: `one of ${choices.join(', ')}`,
    holds: (value) => find(value) !== undefined,
    schema: { type: 'string', enum: choices },
    written: { argument: '<which>', repeats: false, parse: find },
    choices,
  };
}

/** @param least @default the least there is @param most @default the greatest there is */
export function whole(least = -Number.MAX_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): OptionForm<number> {
  const holds = (value: unknown): boolean =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
  const from = least === -Number.MAX_SAFE_INTEGER ? '' : ` from ${least}`;
  const to = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
  return {
    needed: `a whole number${from}${to}`,
    holds,
    schema: { title: `a whole number${from}${to}`, type: 'integer', minimum: least, maximum: most },
    written: {
      argument: '<number>',
      repeats: false,
      parse: (given) => (/^-?\d+$/.test(given) && holds(Number(given)) ? Number(given) : undefined),
    },
  };
}

/** True or false; a command line gives it by its name alone. */
export const flag: OptionForm<boolean> = {
  needed: 'true or false',
  holds: (value) => typeof value === 'boolean',
  schema: { type: 'boolean' },
};

/** A moment; which texts are one is seen when it is used. */
export const time: OptionForm<number | string> = {
  needed: 'a time such as 2026-01-01T00:00:00Z, or milliseconds since 1970',
  holds: (value) => isText(value) || Number.isFinite(value),
  schema: {
    title: 'a time such as 2026-01-01T00:00:00Z, or milliseconds since 1970',
    type: ['string', 'number'],
  },
  written: { argument: '<time>', repeats: false, parse: (given) => given },
};

/** Shape: milliseconds; undefined for what is no duration, or a negative one. */
export function durationMs(given: string): number | undefined {
  const parsed = parseDuration(given);
  return parsed.ok && parsed.nanoseconds >= 0n ? Number(parsed.nanoseconds) / 1e6 : undefined;
}

/** A text such as `5m`: see `durationMs`. */
export const duration: OptionForm<string> = {
  needed: 'a duration such as 5m, 4s or 1m30s',
  holds: (value) => isText(value) && durationMs(value) !== undefined,
  // As Go writes them. Source: time.ParseDuration.
  schema: {
    title: 'a duration such as 5m, 4s or 1m30s',
    type: 'string',
    pattern: '^(0|([0-9.]+(ns|us|ms|s|m|h))+)$',
  },
  written: {
    argument: '<duration>',
    repeats: false,
    parse: (given) => (durationMs(given) === undefined ? undefined : given),
  },
};

/** Names that are switched on and off, on a command line as `Name=true,Other=false`. */
export function switches<N extends string>(
  known: readonly N[],
): OptionForm<Readonly<Partial<Record<N, boolean>>>> {
  const isKnown = (name: string): boolean => known.some((one) => one === name);
  return {
    needed: `Name=true or Name=false, where names are ${known.join(', ')}`,
    holds: (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.entries(value).every(([name, on]) => isKnown(name) && typeof on === 'boolean'),
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(known.map((name) => [name, { type: 'boolean' }])),
    },
    written: {
      argument: '<name=bool,...>',
      repeats: true,
      parse: (given, before) => {
        const pairs = given
          .split(',')
          .filter((part) => part !== '')
          .map((part) => part.split('='));
        const good = pairs.every(
          ([name = '', value, ...more]) =>
            isKnown(name) && (value === 'true' || value === 'false') && more.length === 0,
        );
        if (!good) return undefined;
        const switched = Object.fromEntries(pairs.map(([name = '', value]) => [name, value === 'true']));
        return { ...before, ...switched } as Readonly<Partial<Record<N, boolean>>>; // the names have been looked at
      },
    },
  };
}

/** What only a program can give: an object of that type. @param needed as messages say it */
export const object = <T extends object>(needed = 'an object'): OptionForm<T> => ({
  needed,
  holds: isObject,
});

export const list = <T>(): OptionForm<readonly T[]> => ({ needed: 'a list', holds: Array.isArray });

export const fn = <T>(): OptionForm<T> => ({
  needed: 'a function',
  holds: (value) => typeof value === 'function',
});
