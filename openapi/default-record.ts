/** One rule about what a server fills in, as the facts say it. */
import { type JsonValue } from '../mockserver/ground/json.js';

export interface DefaultRecord {
  readonly id: string;
  /** `apps/v1/Deployment`; or the name of a part that many kinds have (`PodSpec`), wherever it stands. */
  readonly gvk: string;
  /** From the top of the kind, or of the part: `containers[].ports[].protocol`; several: `spec.a, b` or `spec a, b`. */
  readonly path: string;
  /** A JSON value; a list of words when there are several paths; else a sentence. */
  readonly value: JsonValue;
  /** `absent or ""`, or a sentence. */
  readonly when: string;
}
