/** What a program or a request hands in as options, checked: names and types, so that mistakes are told where they are made. */
import { nearestName } from '../ground/nearest-name.js';
import { type Options } from './options.js';

/**
 * What is wrong with options. Undefined stands for an option that is not given.
 *
 * Shape: undefined when nothing is; else the first mistake, naming the option, what it must be, and for an unknown one
 * the nearest that there is.
 */
export function optionMistake(given: object, options: Options): string | undefined {
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (value === undefined) continue;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined)
      return `there is no option ${name}; did you mean ${nearestName(name, Object.keys(options))}?`;
    if (!option.form.holds(value)) return `${name}: must be ${option.form.needed}, not ${shown(value)}`;
  }
  return undefined;
}

/** Errors: TypeError that says what is wrong. */
export function checkOptions(given: object, options: Options): void {
  const mistake = optionMistake(given, options);
  if (mistake !== undefined) throw new TypeError(mistake);
}

const shown = (value: unknown): string =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)
    ? JSON.stringify(value)
    : typeof value === 'function'
      ? 'a function'
      : String(value);
