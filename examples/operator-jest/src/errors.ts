// What the API server refuses, and what to do about it.

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** Shape: what was read, or undefined where there is none. */
export async function orAbsent<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (codeOf(error) === 404) return undefined;
    throw error;
  }
}

/** Reads and writes again, a few times, when somebody else wrote in between (409). */
export async function onConflictAgain<T>(readAndWrite: () => Promise<T>, tries = 5): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await readAndWrite();
    } catch (error) {
      if (codeOf(error) !== 409 || left === 0) throw error;
    }
  }
}
