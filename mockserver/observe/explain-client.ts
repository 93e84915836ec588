/** The path that each client took, in words. */
import { clientPaths, describeStep, stepBefore } from './client-path.js';
import { type JournalEntry } from './journal-entry.js';
import { densestSecond, hotLoops, pathNames } from './path-name.js';

/** Steps that are told one by one; what lies between the first and the last of more is counted. */
const TOLD = 40;

/**
 * The path that each client took, in words.
 *
 * Shape: a paragraph for each client and resource, a line for each request; `''` for no entries.
 */
export function explainClient(entries: readonly JournalEntry[]): string {
  return clientPaths(entries)
    .map((path) => {
      const lines = path.steps.map(
        (step, i) => `  ${i + 1}. ${describeStep(step, stepBefore(path.steps, i))}`,
      );
      const told =
        lines.length <= TOLD
          ? lines
          : [
              ...lines.slice(0, TOLD / 2),
              `  … ${lines.length - TOLD} more`,
              ...lines.slice(lines.length - TOLD / 2),
            ];
      const loop = hotLoops(path) ? [`  hot loop: ${densestSecond(path)} requests within a second`] : [];
      const names = pathNames(path).filter((name) => name !== 'hot loop');
      return [
        `${path.client === '' ? '(no user agent)' : path.client} on ${path.resource}`,
        ...told,
        ...loop,
        ...(names.length === 0 ? [] : [`  path: ${names.join('; ')}`]),
      ].join('\n');
    })
    .join('\n\n');
}
