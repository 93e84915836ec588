/** Cells whose rule in the facts is regular: a path, a path with a substitute, the age. */
import { type Cell, ageCell, createdCell, nameCell, setOr, valueAt } from './cell.js';

const PATH = /^[a-z]\w*(?:\.[a-zA-Z]\w*)*$/;
const PATH_OR = /^([a-z]\w*(?:\.[a-zA-Z]\w*)*) or (\S+)$/;

/** What an unset field shows, by the type of its column. */
const UNSET: Readonly<Record<string, string | number | boolean>> = { integer: 0, number: 0, boolean: false };

/**
 * The cell that the words of a rule describe.
 *
 * Shape: undefined when the rule is not one of the regular ones: `metadata.name`, `age`,
 * `metadata.creationTimestamp in RFC 3339`, `spec.a.b`, `spec.a.b or <none>`.
 *
 * @param type of the column.
 */
export function cellOfWords(words: string, type: string): Cell | undefined {
  if (words === 'metadata.name') return nameCell;
  if (words === 'age') return ageCell;
  if (words === 'metadata.creationTimestamp in RFC 3339') return createdCell;
  if (PATH.test(words)) {
    const path = words.split('.');
    const unset = UNSET[type] ?? '';
    return (object) => valueAt(object, path) ?? unset;
  }
  const [, path, otherwise] = PATH_OR.exec(words) ?? [];
  if (path === undefined || otherwise === undefined) return undefined;
  return setOr(otherwise === '""' ? '' : otherwise, ...path.split('.'));
}
