/** What a call throws, for tests of errors. */

/** Errors: when nothing, or no Error, is thrown. */
export function refusal(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error('threw what is no Error', { cause: error });
  }
  throw new Error('was not refused');
}
