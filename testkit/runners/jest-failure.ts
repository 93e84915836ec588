/** What jest-circus knows of the test that runs. It tells hooks nothing, but keeps its state where they can look. */

interface CircusTest {
  /** Each an error, alone or with the place where the test was declared. */
  readonly errors: readonly unknown[];
}

const STATE = 'JEST_STATE_SYMBOL';

/** The errors of the running test so far. Shape: empty where there is no jest-circus. */
export function errorsOfRunningTest(): readonly Error[] {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === STATE);
  if (symbol === undefined) return [];
  const state: unknown = Reflect.get(globalThis, symbol);
  const { currentlyRunningTest } = (state ?? {}) as { readonly currentlyRunningTest?: CircusTest | null };
  return (currentlyRunningTest?.errors ?? [])
    .flatMap((one) => (Array.isArray(one) ? [(one as readonly unknown[])[0]] : [one]))
    .filter(isError);
}

/** Errors of the test's own realm are none of this one's. */
const isError = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && 'message' in value && 'stack' in value;

/** Adds a text to what is reported of an error. */
export function tell(error: Error, text: string): void {
  const told = `${error.message}\n\n${text}`;
  error.stack = (error.stack ?? '').replace(error.message, () => told);
  error.message = told;
}
