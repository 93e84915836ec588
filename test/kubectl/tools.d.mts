/** Types of tools.mjs. */
export function clientPrograms(): {
  readonly kubectl?: readonly string[];
  readonly helm?: readonly string[] | undefined;
};
