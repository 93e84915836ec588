/** An expression ready to be evaluated. */
import { type CelType } from './types.js';
import { type Value } from './values.js';

/** @param slots values of the variables in scope; those of macros are put there while they run */
export type Run = (slots: Value[]) => Value;

export interface Compiled {
  readonly type: CelType;
  /** Errors: a CelError. */
  readonly run: Run;
}
