/** Expressions that must be true or false. */
import { CelError, noSuchOverload } from './cel-error.js';
import { type Run } from './compiled.js';
import { type Frame } from './frame.js';

/** Undefined holds always. Errors: its own; `no such overload` where it is neither. */
export function holds(predicate: Run | undefined, frame: Frame): boolean {
  const value = predicate === undefined ? true : predicate(frame);
  if (typeof value !== 'boolean') throw noSuchOverload();
  return value;
}

/** The same, with an error as a value: another expression may make up for it. */
export function attempted(predicate: Run, frame: Frame): boolean | CelError {
  try {
    return holds(predicate, frame);
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  }
}
