/** What a program hands in as options, checked: names and types, so that mistakes are told where they are made. */

import { type ClusterSettings } from './cluster-settings.js';
import { type ServerOptions } from './server-options.js';

type Check = (value: unknown) => boolean;

/** One for each option that the type has: a new one cannot be forgotten here. */
type Forms<Options> = Readonly<Record<keyof Options, OptionForm>>;

interface OptionForm {
  /** As the message says it. */
  readonly needed: string;
  readonly holds: Check;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const text: OptionForm = { needed: 'a string', holds: (value) => typeof value === 'string' };
const texts: OptionForm = {
  needed: 'a list of strings',
  holds: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};
const wholeNumber: OptionForm = {
  needed: 'a whole number from 0',
  holds: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};
const object: OptionForm = { needed: 'an object', holds: isObject };
const list: OptionForm = { needed: 'a list', holds: Array.isArray };

/** Of any cluster, also of the one that a server begins with. */
const SHARED: Forms<Omit<ClusterSettings, 'name' | 'from'>> = {
  cluster: object,
  admission: { needed: "an object, or 'none'", holds: (value) => value === 'none' || isObject(value) },
  controllers: texts,
  fakeNode: object,
  tokens: text,
  seed: { needed: 'a whole number', holds: Number.isSafeInteger },
  startRevision: wholeNumber,
  frozenAt: {
    needed: 'a time such as 2026-01-01T00:00:00Z, or milliseconds since 1970',
    holds: (value) => typeof value === 'string' || Number.isFinite(value),
  },
  load: texts,
  faults: list,
  faultSeed: { needed: 'a whole number', holds: Number.isSafeInteger },
  journalCapacity: wholeNumber,
};

/** See ClusterSettings. */
export const CLUSTER_OPTIONS: Forms<ClusterSettings> = { ...SHARED, name: text, from: object };

/** See ServerOptions. */
export const SERVER_OPTIONS: Forms<ServerOptions> = {
  ...SHARED,
  host: text,
  port: {
    needed: 'a whole number from 0 to 65535',
    holds: (value) => wholeNumber.holds(value) && Number(value) <= 65_535,
  },
  tls: object,
  kubeconfigPath: text,
  clock: object,
  random: object,
  onError: { needed: 'a function', holds: (value) => typeof value === 'function' },
  observer: object,
};

/**
 * Undefined stands for an option that is not given.
 *
 * Errors: TypeError that names the option, what it must be, and for an unknown one the nearest that there is.
 */
export function checkOptions(given: object, forms: Readonly<Record<string, OptionForm>>): void {
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (value === undefined) continue;
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (form === undefined)
      throw new TypeError(`there is no option ${name}; did you mean ${nearest(name, Object.keys(forms))}?`);
    if (!form.holds(value)) throw new TypeError(`${name}: must be ${form.needed}, not ${shown(value)}`);
  }
}

const shown = (value: unknown): string =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)
    ? JSON.stringify(value)
    : typeof value === 'function'
      ? 'a function'
      : String(value);

/** The name that the fewest edits lead to. */
function nearest(name: string, names: readonly string[]): string {
  const ranked = names.map((one) => ({ one, edits: distance(name.toLowerCase(), one.toLowerCase()) }));
  return ranked.reduce((best, next) => (next.edits < best.edits ? next : best)).one;
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
