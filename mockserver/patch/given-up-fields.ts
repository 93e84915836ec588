/** What goes from an object because whoever applied it last time does not apply it any more. */
import { type JsonValue, isJsonObject } from '../ground/json.js';
import { type ApiObject } from '../ground/object.js';
import { type SchemaNode } from '../schema/schema-node.js';
import { type FieldSet, EMPTY_SET, difference, intersection, union } from './field-set.js';
import { type Owner, type Owners } from './managed-fields.js';
import { ownedFields } from './owned-fields.js';
import { type OwnershipScope, type VersionedObject, inVersion } from './ownership-scope.js';
import { removeFields } from './remove-fields.js';
import { withNamedMembers } from './set-schema.js';

/** What a server was about when it fails. */
const PRUNING = 'failed to prune fields: ';
const BACK = `${PRUNING}failed add back dangling items: failed to convert pruned object to last applied version`;

/**
 * The merged object without the fields of `last` that nobody owns now.
 *
 * @param merged in the scope's version.
 * @param owners all of now, the one who applies with what is applied now.
 * Source: structured-merge-diff merge/update.go prune.
 */
export function withoutGivenUp(
  scope: OwnershipScope,
  merged: ApiObject,
  owners: Owners,
  last: Owner | undefined,
): ApiObject {
  if (last === undefined || last.set.empty) return merged;
  const at = inVersion(
    scope,
    merged,
    last.apiVersion,
    `${PRUNING}failed to convert merged object to last applied version`,
  );
  if (at === undefined) return merged;
  const { schema } = at;
  const lastSet = withNamedMembers(last.set, schema);
  let pruned = asObject(removeFields(schema, at.object, lastSet), at.object);
  pruned = withOwned(scope, at, pruned, last.apiVersion, owners);
  pruned = withUnowned(at, pruned, lastSet);
  return inVersion(scope, pruned, scope.apiVersion, 'failed to prune fields')?.object ?? merged;
}

const namedFields = (schema: SchemaNode, object: JsonValue): FieldSet =>
  withNamedMembers(ownedFields(schema, object), schema);

/** Puts back what somebody owns, in each version that owners have. */
function withOwned(
  scope: OwnershipScope,
  at: VersionedObject,
  pruned: ApiObject,
  version: string,
  owners: Owners,
): ApiObject {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, set } of owners.values())
    owned.set(apiVersion, union(owned.get(apiVersion) ?? EMPTY_SET, set));
  // The version that was pruned comes first: others may not convert without what is put back there.
  const versions = [...owned.keys()].sort((a, b) => Number(b === version) - Number(a === version));
  let left = pruned;
  for (const apiVersion of versions) {
    const doing = (what: string): string =>
      `${PRUNING}failed add back owned items: failed to convert ${what} object at version ${apiVersion}`;
    const whole = inVersion(scope, at.object, apiVersion, doing('merged'));
    const less = inVersion(scope, left, apiVersion, doing('pruned'));
    if (whole === undefined || less === undefined) continue;
    const { schema, object } = whole;
    const kept = union(
      namedFields(schema, less.object),
      withNamedMembers(owned.get(apiVersion) ?? EMPTY_SET, schema),
    );
    const result = asObject(
      removeFields(schema, object, difference(namedFields(schema, object), kept)),
      object,
    );
    left = inVersion(scope, result, version, BACK)?.object ?? left;
  }
  return left;
}

/** Puts back what the last apply did not own. */
function withUnowned({ object, schema }: VersionedObject, pruned: ApiObject, last: FieldSet): ApiObject {
  const gone = difference(namedFields(schema, object), namedFields(schema, pruned));
  return asObject(removeFields(schema, object, intersection(gone, last)), object);
}

/** kind, apiVersion and metadata are never given up by anybody: nobody owns them. */
function asObject(value: JsonValue, of: ApiObject): ApiObject {
  if (!isJsonObject(value)) return of;
  const metadata = value['metadata'];
  return {
    ...value,
    kind: of.kind,
    apiVersion: of.apiVersion,
    metadata: isJsonObject(metadata) ? metadata : {},
  };
}
