/** An expression ready to be evaluated. */
import { type Estimate } from './estimate.js';
import { type Frame } from './frame.js';
import { type CelType } from './types.js';
import { type Value } from './values.js';

/** Errors: a CelError; a CostExceeded. */
export type Run = (frame: Frame) => Value;

export interface Compiled {
  readonly type: CelType;
  readonly run: Run;
  readonly estimate: Estimate;
}
