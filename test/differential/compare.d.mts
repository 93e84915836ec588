/** What compares two answers; test files are typed, the harness is not. */

export interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Difference {
  readonly path: string;
  readonly real: unknown;
  readonly ours: unknown;
}

export type Bindings = object;

export function newBindings(laterMs?: number): Bindings;

export function compareAnswers(
  step: { readonly op: 'request' },
  real: Answer,
  ours: Answer,
  bindings: Bindings,
): readonly Difference[];
