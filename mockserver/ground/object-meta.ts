/** ObjectMeta's members in their two orders. */
import { type JsonObject, type JsonValue, type MutableJsonObject, compareUtf8 } from './json.js';

/** As the struct has them: the order of built-in kinds. Source: apimachinery meta/v1/types.go. */
const TYPED = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const;

/** `typed` for built-in kinds, `sorted` for custom resources, whose objects are maps to the server. */
export type MemberOrder = 'typed' | 'sorted';

const RANK: Readonly<Record<MemberOrder, ReadonlyMap<string, number>>> = {
  typed: new Map(TYPED.map((name, i) => [name, i])),
  sorted: new Map([...TYPED].sort(compareUtf8).map((name, i) => [name, i])),
};

/**
 * The metadata with `edits` made (undefined removes a member) and its members in wire order.
 *
 * Shape: a new object. Members that ObjectMeta does not have are left out, as a codec has done already.
 */
export function arrangeMetadata(
  metadata: JsonObject,
  order: MemberOrder,
  edits: Readonly<Record<string, JsonValue | undefined>> = {},
): JsonObject {
  const next: MutableJsonObject = {};
  for (const name of RANK[order].keys()) {
    const value = Object.hasOwn(edits, name) ? edits[name] : metadata[name];
    if (value !== undefined) next[name] = value;
  }
  return next;
}
