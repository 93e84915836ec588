/** A default that the facts can only tell in words, written as a function. */
import { type DefaultFunction } from '../../schema/defaults/default-rules.js';

export interface WrittenDefault {
  /** Full name of the message that is filled in, wherever it stands. */
  readonly message: string;
  readonly fill: DefaultFunction;
  /** Ids of the records that it stands for. */
  readonly rules: readonly string[];
}
