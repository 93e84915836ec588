/** Somebody who is told of every request and its answer, for a log. */

export interface SeenRequest {
  readonly method: string;
  /** As sent: escaped, with the query. */
  readonly url: string;
  readonly userAgent: string | undefined;
}

/** What becomes of one request. */
export interface Observation {
  /** The answer begins. For most requests it ends at once; for a watch that takes long. */
  answered(code: number): void;
  /** The answer is written, or nobody is left to read it. Called once, and last. */
  ended(): void;
}

export interface RequestObserver {
  begin(request: SeenRequest): Observation;
}
