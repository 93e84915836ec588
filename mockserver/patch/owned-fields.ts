/** Which paths somebody owns who applies an object. */
import { type JsonValue, isJsonArray, isJsonObject } from '../ground/json.js';
import { type SchemaNode, formOf, partOf } from '../schema/schema-node.js';
import { elementOf } from './changed-fields.js';
import { type Entry, type FieldSet, EMPTY_SET, setOf } from './field-set.js';
import { indexItems } from './list-item.js';

interface Owned {
  /** Whether the place itself is owned, whatever leads there. */
  readonly self: boolean;
  readonly below: FieldSet;
}

const LEAF: Owned = { self: true, below: EMPTY_SET };
const NOTHING: Owned = { self: false, below: EMPTY_SET };

/**
 * The leaves of an object that fits the schema: scalars, what is owned as a whole, empty and null members; and each list
 * item and each member that the schema does not declare, besides what is below it.
 *
 * Source: structured-merge-diff typed/tofieldset.go.
 */
export const ownedFields = (node: SchemaNode, value: JsonValue): FieldSet => owned(node, value).below;

function owned(node: SchemaNode, value: JsonValue): Owned {
  const part = partOf(node, formOf(node, value));
  if (part === 'scalar') return LEAF;
  if (part === 'list') {
    const { list } = node;
    if (list === undefined || list.relationship === 'atomic') return LEAF;
    if (!isJsonArray(value)) return NOTHING;
    const entries: Entry[] = [];
    for (const { element, items } of indexItems(list, value).values()) {
      const below = items.length > 1 ? EMPTY_SET : owned(list.items, items[0] ?? null).below;
      entries.push({ element, member: true, below: below.empty ? undefined : below });
    }
    return { self: false, below: setOf(entries) };
  }
  const { map } = node;
  if (map === undefined || map.relationship === 'atomic') return LEAF;
  if (!isJsonObject(value)) return NOTHING;
  const entries: Entry[] = [];
  for (const name of Object.keys(value)) {
    const one = value[name] ?? null;
    const field = map.fields.get(name);
    const under = field?.node ?? map.others;
    if (under === undefined) continue;
    const { self, below } = owned(under, one);
    const hollow = one === null || (isJsonObject(one) && Object.keys(one).length === 0);
    const member = self || hollow || field === undefined;
    if (member || !below.empty)
      entries.push({ element: elementOf(name, field), member, below: below.empty ? undefined : below });
  }
  return { self: false, below: setOf(entries) };
}
