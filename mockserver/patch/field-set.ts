/**
 * Sets of field paths, as trees. A set never changes; what an operation leaves alone is shared with its result, and an
 * operation that changes nothing answers the very set it was given.
 *
 * Source of the algebra: KEP-555 and structured-merge-diff fieldpath/set.go.
 */
import { type PathElement, compareElements } from './path-element.js';

export interface Entry {
  readonly element: PathElement;
  /** Whether the path that ends here is in the set. */
  readonly member: boolean;
  /** Paths that go on from here; never an empty set. */
  readonly below: FieldSet | undefined;
}

export class FieldSet {
  /** Ascending in the order of compareElements, each element once; each is a member or has something below. */
  readonly entries: readonly Entry[];
  #key: string | undefined;

  constructor(entries: readonly Entry[]) {
    this.entries = entries;
  }

  get empty(): boolean {
    return this.entries.length === 0;
  }

  /** A text that two sets have in common exactly when they hold the same paths. */
  get key(): string {
    if (this.#key !== undefined) return this.#key;
    let key = '';
    for (const { element, member, below } of this.entries) {
      // Lengths keep texts apart from what stands around them.
      key += `${element.text.length}${member ? '.' : ':'}${element.text}`;
      if (below !== undefined) key += `{${below.key}}`;
    }
    return (this.#key = key);
  }

  entry(element: PathElement): Entry | undefined {
    const { entries } = this;
    let low = 0;
    let high = entries.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const entry = entries[middle];
      if (entry === undefined) return undefined;
      const order = compareElements(entry.element, element);
      if (order === 0) return entry;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  has(path: readonly PathElement[]): boolean {
    const last = path.at(-1);
    return last !== undefined && (setAt(this, path.slice(0, -1))?.entry(last)?.member ?? false);
  }
}

export const EMPTY_SET = new FieldSet([]);

/** The set below `path`; undefined when nothing of it is in the set. */
export function setAt(set: FieldSet, path: readonly PathElement[]): FieldSet | undefined {
  let at: FieldSet | undefined = set;
  for (const element of path) at = at?.entry(element)?.below;
  return at;
}

const inOrder = (a: Entry, b: Entry): number => compareElements(a.element, b.element);

/** A set of entries that may stand in any order, each element once. The array is given away. */
export function setOf(entries: Entry[]): FieldSet {
  if (entries.length === 0) return EMPTY_SET;
  if (entries.length > 1) entries.sort(inOrder);
  return new FieldSet(entries);
}

export const setOfPaths = (paths: readonly (readonly PathElement[])[]): FieldSet =>
  paths.reduce<FieldSet>((set, path) => union(set, setOfPath(path)), EMPTY_SET);

/** The path itself, not what leads to it; the empty path is in no set. */
export function setOfPath(path: readonly PathElement[]): FieldSet {
  let set: FieldSet | undefined;
  for (const element of [...path].reverse())
    set = new FieldSet([{ element, member: set === undefined, below: set }]);
  return set ?? EMPTY_SET;
}

/** Whether both hold the same paths. */
export const sameSet = (a: FieldSet, b: FieldSet): boolean => a === b || a.key === b.key;

const entryOf = (old: Entry, member: boolean, below: FieldSet | undefined): Entry | undefined => {
  const some = below === undefined || below.empty ? undefined : below;
  if (!member && some === undefined) return undefined;
  return old.member === member && old.below === some ? old : { element: old.element, member, below: some };
};

/**
 * Walks two sets in step. `both` and `left` answer what becomes of an entry (undefined: nothing), `right` says whether
 * entries that only `b` has are taken.
 */
function zip(
  a: FieldSet,
  b: FieldSet,
  both: (x: Entry, y: Entry) => Entry | undefined,
  left: (x: Entry) => Entry | undefined,
  right: boolean,
): FieldSet {
  const out: Entry[] = [];
  let changed = false;
  const take = (old: Entry, next: Entry | undefined): void => {
    if (next !== old) changed = true;
    if (next !== undefined) out.push(next);
  };
  let i = 0;
  let j = 0;
  for (;;) {
    const x = a.entries[i];
    const y = b.entries[j];
    if (x === undefined && (y === undefined || !right)) break;
    const order = x === undefined ? 1 : y === undefined ? -1 : compareElements(x.element, y.element);
    if (x !== undefined && y !== undefined && order === 0) {
      take(x, both(x, y));
      i++;
      j++;
    } else if (x !== undefined && order < 0) {
      take(x, left(x));
      i++;
    } else if (y !== undefined) {
      if (right) {
        out.push(y);
        changed = true;
      }
      j++;
    }
  }
  return changed ? (out.length === 0 ? EMPTY_SET : new FieldSet(out)) : a;
}

const keep = (x: Entry): Entry => x;
const drop = (): undefined => undefined;

/** Paths of either. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || b.empty) return a;
  if (a.empty) return b;
  return zip(
    a,
    b,
    (x, y) =>
      entryOf(
        x,
        x.member || y.member,
        x.below === undefined ? y.below : y.below === undefined ? x.below : union(x.below, y.below),
      ),
    keep,
    true,
  );
}

/** Paths of both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || a.empty) return a;
  if (b.empty) return EMPTY_SET;
  return zip(
    a,
    b,
    (x, y) =>
      entryOf(
        x,
        x.member && y.member,
        x.below === undefined || y.below === undefined ? undefined : intersection(x.below, y.below),
      ),
    drop,
    false,
  );
}

/** Paths of `a` that are not in `b`; a path stays when only one that leads to it, or one below it, is in `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return EMPTY_SET;
  if (a.empty || b.empty) return a;
  return zip(
    a,
    b,
    (x, y) =>
      entryOf(
        x,
        x.member && !y.member,
        x.below === undefined || y.below === undefined ? x.below : difference(x.below, y.below),
      ),
    keep,
    false,
  );
}

/** Paths of `a` that are not in `b` and do not go on from one in `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return EMPTY_SET;
  if (a.empty || b.empty) return a;
  return zip(
    a,
    b,
    (x, y) =>
      entryOf(
        x,
        x.member && !y.member,
        y.member || x.below === undefined
          ? undefined
          : y.below === undefined
            ? x.below
            : recursiveDifference(x.below, y.below),
      ),
    keep,
    false,
  );
}

/** Paths that none in the set goes on from. */
export function leaves(set: FieldSet): FieldSet {
  return zip(
    set,
    EMPTY_SET,
    keep,
    (x) => (x.below === undefined ? x : entryOf(x, false, leaves(x.below))),
    false,
  );
}

/** Every path, members before what is below their siblings, as conflicts are listed. */
export function pathsOf(set: FieldSet): PathElement[][] {
  const out: PathElement[][] = [];
  const visit = (at: FieldSet, prefix: readonly PathElement[]): void => {
    for (const { element, member } of at.entries) if (member) out.push([...prefix, element]);
    for (const { element, below } of at.entries) if (below !== undefined) visit(below, [...prefix, element]);
  };
  visit(set, []);
  return out;
}
