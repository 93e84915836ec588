/** Field sets seen with a schema: the members that lead to others, and sets from before a schema changed. */
import { type MapShape, type SchemaNode, partOf } from '../schema/schema-node.js';
import { type Entry, EMPTY_SET, FieldSet, recursiveDifference, setOfPath, union } from './field-set.js';
import { type PathElement } from './path-element.js';

/** The node that a step leads to. */
function nodeBelow(node: SchemaNode | undefined, { step }: PathElement): SchemaNode | undefined {
  if (step.kind === 'field') return fieldNode(node?.map, step.name);
  return step.kind === 'key' ? node?.list?.items : undefined;
}

const fieldNode = (map: MapShape | undefined, name: string): SchemaNode | undefined =>
  map?.fields.get(name)?.node ?? map?.others;

/**
 * The set with each declared member that leads to a path of it.
 * Source: structured-merge-diff fieldpath/set.go EnsureNamedFieldsAreMembers.
 */
export function withNamedMembers(set: FieldSet, node: SchemaNode | undefined): FieldSet {
  if (set.empty) return set;
  const entries = set.entries.map((entry): Entry => {
    const { element, below } = entry;
    if (below === undefined) return entry;
    const declared = element.step.kind === 'field' && (node?.map?.fields.has(element.step.name) ?? false);
    const next = withNamedMembers(below, nodeBelow(node, element));
    const member = entry.member || declared;
    if (member === entry.member && next === below) return entry;
    return { element, member, below: next };
  });
  return entries.every((entry, i) => entry === set.entries[i]) ? set : new FieldSet(entries);
}

/**
 * The set as the schema has it now: what has become one thing since is owned as one.
 *
 * Shape: `set` itself when nothing has become atomic.
 * Source: structured-merge-diff typed/reconcile_schema.go.
 */
export function reconciled(set: FieldSet, node: SchemaNode): FieldSet {
  const atoms = atomsOf(set, node, false, []);
  return atoms.empty ? set : union(recursiveDifference(set, atoms), atoms);
}

/** The atomic places which the set has paths below. */
function atomsOf(
  set: FieldSet | undefined,
  node: SchemaNode,
  atomic: boolean,
  path: readonly PathElement[],
): FieldSet {
  const part = partOf(node, 'any');
  const { list, map } = node;
  if (part === 'list' && list !== undefined) {
    if (!atomic && list.relationship === 'atomic') return setOfPath(path);
    return below(set, () => list.items, path);
  }
  if (part !== 'map' || map === undefined || map.deduced) return EMPTY_SET;
  if (!atomic && map.relationship === 'atomic')
    return set !== undefined && !set.empty ? setOfPath(path) : EMPTY_SET;
  return below(set, ({ step }) => (step.kind === 'field' ? fieldNode(map, step.name) : map.others), path);
}

function below(
  set: FieldSet | undefined,
  nodeOf: (element: PathElement) => SchemaNode | undefined,
  path: readonly PathElement[],
): FieldSet {
  let atoms = EMPTY_SET;
  for (const { element, member, below: under } of set?.entries ?? []) {
    const node = nodeOf(element);
    if (node !== undefined)
      atoms = union(atoms, atomsOf(under, node, member && under === undefined, [...path, element]));
  }
  return atoms;
}
