/** What a patch is read from. */
import { type JsonValue } from '../ground/json.js';

/** The outcome of reading a request body as JSON. */
export type PatchBody =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /** Paths of members given twice (`spec.a`, `[0].op`), in the order of the text. */
      readonly duplicates: readonly string[];
      /** The first number too large for a float64, as written; in the value it is a Float of ±Infinity. */
      readonly overflow?: string;
    }
  | {
      readonly ok: false;
      /** In the words of Go's decoder: `unexpected end of JSON input`. */
      readonly error: string;
    };

export interface PatchDecoding {
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
}
