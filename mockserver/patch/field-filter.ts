/** Fields that an endpoint takes no notice of: nobody becomes their owner there. */
import { type Entry, EMPTY_SET, FieldSet, recursiveDifference, setOfPaths } from './field-set.js';
import { fieldElement } from './path-element.js';

/** A set as an endpoint sees it. */
export type FieldFilter = (set: FieldSet) => FieldSet;

/** @param paths such as `status` or `metadata.labels`: these and all below them are left out. */
export function exceptFields(paths: readonly string[]): FieldFilter {
  const ignored = setOfPaths(paths.map((path) => path.split('.').map(fieldElement)));
  return (set) => recursiveDifference(set, ignored);
}

/**
 * @param paths such as `spec.containers.*.resources`, `*` for any step: only what begins with one of them counts.
 * Source: structured-merge-diff fieldpath/set.go FilterIncludeMatches.
 */
export function onlyFields(paths: readonly string[]): FieldFilter {
  const patterns = paths.map((path) => path.split('.'));
  return (set) => matching(set, patterns);
}

function matching(set: FieldSet, patterns: readonly (readonly string[])[]): FieldSet {
  const entries: Entry[] = [];
  for (const entry of set.entries) {
    const { element, member, below } = entry;
    const rests = patterns
      .filter(([first]) => first === '*' || `f:${first ?? ''}` === element.text)
      .map((one) => one.slice(1));
    if (rests.length === 0) continue;
    const whole = rests.some((rest) => rest.length === 0);
    const left = below === undefined ? EMPTY_SET : whole ? below : matching(below, rests);
    if (member || !left.empty) entries.push({ element, member, below: left.empty ? undefined : left });
  }
  return entries.length === 0 ? EMPTY_SET : new FieldSet(entries);
}
