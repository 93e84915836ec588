/** Fields that an endpoint takes no notice of: nobody becomes their owner there. */
import { type FieldSet, recursiveDifference, setOfPaths } from './field-set.js';
import { fieldElement } from './path-element.js';

/** A set as an endpoint sees it. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** @param paths such as `status` or `metadata.labels`: these and all below them are left out. */
export function exceptFields(paths: readonly string[]): FieldFilter {
  const ignored = setOfPaths(paths.map((path) => path.split('.').map(fieldElement)));
  return (set) => recursiveDifference(set, ignored);
}
